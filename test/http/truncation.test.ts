import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startReceiver } from '../webhooks/receiver.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO, type Reply } from './client.ts';
import { createClockClient } from './clockFixture.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * R26: what the reply, a question, the webhook, the back office, the inspector and the reconciliation file show of a card number together
 * leaves enough hidden, for every length that a number may have.
 */

/** A brand without ranges of its own: it takes numbers of every length. */
const BRAND = 'TCARD';
const [SHORTEST, LONGEST] = [8, 32];
/** Digits that no date, amount or id contains by accident. */
const DIGITS = '9747972979479274979747297947927';
/** Pieces of this length are looked for; shorter ones would be found in ids. */
const PIECE = 7;

const hiddenAtLeast = (length: number): number => (length >= 16 ? 6 : length === 15 ? 5 : 4);

function numberOf(length: number): string {
  const body = DIGITS.slice(0, length - 1);
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Which positions of a number are shown: first digits, last digits, and any longer piece of it in a text. */
function shownPositions(number: string, texts: readonly string[]): ReadonlySet<number> {
  const shown = new Set<number>();
  const reveal = (from: number, count: number): void => {
    for (let at = from; at < from + count; at += 1) shown.add(at);
  };
  for (const text of texts) {
    for (const [, bin = ''] of text.matchAll(/"(?:bin|cardBin)":"(\d+)"/g)) if (number.startsWith(bin)) reveal(0, bin.length);
    for (const [, last = ''] of text.matchAll(/"last4(?:Digits)?":"(\d+)"/g))
      if (number.endsWith(last)) reveal(number.length - last.length, last.length);
    for (let from = 0; from + PIECE <= number.length; from += 1)
      if (text.includes(number.slice(from, from + PIECE))) reveal(from, PIECE);
  }
  return shown;
}

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

const textOf = ({ body }: Reply): string => JSON.stringify(body);

test('no length of a card number is given away by all places together', async () => {
  const [shop, admin, clock] = [createClient(gateway.url), createAdministrator(gateway.url), createClockClient(gateway.url)];
  const receiver = await startReceiver(gateway.world.clock.now);
  try {
    const made = await admin.create({ url: receiver.url });
    receiver.keys = [Buffer.from(made.body.key, 'hex')];
    await admin.test(made.id);
    const begun = await clock.freeze().then(() => clock.now());
    const paid = new Map<number, Reply>();
    for (let length = SHORTEST; length <= LONGEST; length += 1)
      paid.set(length, await shop.pay({ paymentBrand: BRAND, 'card.number': numberOf(length), 'card.cvv': '' }));
    await gateway.work('fan out events');
    while (receiver.accepted.length <= LONGEST - SHORTEST) {
      await gateway.work('dispatch deliveries');
      await new Promise(setImmediate);
    }
    await clock.move({ by: '4d' });
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const query = new URLSearchParams({
      entityId: DEMO.merchantId,
      'date.from': day(begun),
      'date.to': day(begun + 4 * 86_400_000),
    });
    const authorization = `Bearer ${DEMO.token}`;
    const csv = await (
      await fetch(`${gateway.url}/reports/v1/reconciliations/csv?${query}`, { headers: { authorization } })
    ).text();
    assert.equal(csv.trim().split('\r\n').length > LONGEST - SHORTEST, true, csv.slice(0, 500));
    const everywhere = [
      csv,
      ...receiver.accepted.map(({ text }) => text ?? assert.fail('not decrypted')),
      textOf(await admin.ask('GET', `/payments?entityId=${DEMO.merchantId}&limit=100`)),
      gateway.lines.join('\n'),
    ];
    for (const [length, reply] of paid) {
      assert.equal(reply.code, '000.100.110', `${length} digits: ${textOf(reply)}`);
      const own = [
        textOf(reply),
        textOf(await shop.read(reply.id)),
        textOf(await admin.ask('GET', `/payments/${reply.id}?entityId=${DEMO.merchantId}`)),
      ];
      const number = numberOf(length);
      const inOwn = shownPositions(number, own);
      const hidden = length - shownPositions(number, [...own, ...everywhere.filter((text) => text.includes(reply.id)), csv]).size;
      assert.ok(inOwn.size >= 4, `${length}: the last four digits are shown`);
      assert.ok(hidden >= hiddenAtLeast(length), `${length} digits: ${hidden} hidden, ${hiddenAtLeast(length)} must be`);
    }
  } finally {
    receiver.close();
  }
});

test('control: a text with one more piece of the number is found', () => {
  const number = numberOf(16);
  const usual = JSON.stringify({ bin: number.slice(0, 6), last4Digits: number.slice(-4) });
  assert.equal(16 - shownPositions(number, [usual]).size, 6);
  assert.ok(16 - shownPositions(number, [usual, `seen ${number.slice(3, 11)}`]).size < 6);
});
