import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCalls } from '../../developer/callBatch.ts';
import type { Call, CallBatch } from '../../developer/ports.ts';
import type { Directory } from '../../merchants/directory.ts';
import { maskAnswer, maskFields, maskText, secretsIn } from '../../spec/masking.ts';
import type { Request } from '../request.ts';
import { trustOf } from '../transport/clientAddress.ts';
import type { Message } from '../transport/message.ts';
import { createInspector, type InspectorNeeds } from './inspector.ts';

const ENTITY = 'e'.repeat(32);
const message = { headers: { host: 'pay.example' }, peer: { address: '192.0.2.1' } } as unknown as Message;
const request = (body = `entityId=${ENTITY}&amount=1.00`): Request => ({
  side: 'gateway',
  endpoint: 'pay',
  id: null,
  method: 'POST',
  path: '/v1/payments',
  query: '',
  headers: {},
  message,
  body: Buffer.from(body),
});
const reply = { status: 200, headers: [], body: '{"id":"1"}', code: '000.100.110', ndc: 'n', entityId: ENTITY };

/** The calls of some batches, the oldest first. */
async function callsOf(batches: readonly CallBatch[]): Promise<readonly Call[]> {
  const found = batches.map((batch) => {
    let isRead = false;
    const read = async () => {
      const left = isRead ? [] : [batch];
      isRead = true;
      return left;
    };
    return findCalls({ merchants: { is: 'merchant', merchantId: 'm' }, limit: 9_999 }, read);
  });
  return (await Promise.all(found)).flat().sort((one, other) => (one.id < other.id ? -1 : 1));
}

function inspecting(needs: Partial<InspectorNeeds> = {}) {
  const [batches, warned]: [CallBatch[], object[]] = [[], []];
  let ids = 0;
  const directory = { entity: (id: string) => (id === ENTITY ? { id, merchantId: 'm' } : null) } as unknown as Directory;
  const store = {
    saveCalls: async (saved: readonly CallBatch[]) => void batches.push(...saved),
    trimCalls: async () => 0,
  } as unknown as InspectorNeeds['store'];
  const inspector = createInspector({
    store,
    directory,
    ownerOf: async () => null,
    clock: { now: () => 1 },
    trust: trustOf(false),
    keepMs: 1,
    keepMax: 1,
    ids: {
      next: () => {
        ids += 1;
        return `a${ids}`;
      },
    },
    log: { warn: (about) => warned.push(about) },
    ...needs,
  });
  return { inspector, kept: () => callsOf(batches), warned };
}

test('a reply is the same whether or not it is recorded', async () => {
  const { inspector, kept } = inspecting();
  assert.equal(await inspector.watch(request(), async () => reply), reply);
  await assert.rejects(async () => inspector.watch(request(), () => Promise.reject(new Error('broken'))), /broken/);
  const health: Request = { ...request(), endpoint: 'live' };
  await inspector.watch(health, async () => reply);
  await inspector.flush();
  assert.deepEqual(
    (await kept()).map(({ status, merchantId, entityId }) => [status, merchantId, entityId]),
    [
      [200, 'm', ENTITY],
      [500, 'm', ENTITY],
    ],
  );
});

test('so many calls a minute are kept; the next minute has its own', async () => {
  let now = 30_000;
  const bounds = { calls: 99, characters: 9_999, perMinute: 2 };
  const { inspector, kept, warned } = inspecting({ bounds, clock: { now: () => now } });
  for (const at of [30_000, 40_000, 59_999, 60_000, 119_999, 119_999]) {
    now = at;
    await inspector.watch(request(), async () => reply);
  }
  await inspector.flush();
  assert.deepEqual(
    (await kept()).map(({ at }) => at),
    [30_000, 40_000, 60_000, 119_999],
  );
  assert.deepEqual(warned, [{ dropped: 2 }]);
});

test('too many calls at once are dropped, counted and reported once', async () => {
  const { inspector, kept, warned } = inspecting({ bounds: { calls: 3, characters: 9_999, perMinute: 9 } });
  for (let n = 0; n < 5; n += 1) await inspector.watch(request(), async () => reply);
  await inspector.flush();
  await inspector.flush();
  assert.equal((await kept()).length, 3);
  assert.deepEqual(warned, [{ dropped: 2 }]);
});

test('a store that is out of order costs no reply, and does not stop the next flush', async () => {
  let isBroken = true;
  const kept: CallBatch[] = [];
  const saveCalls = async (batches: readonly CallBatch[]) => {
    if (isBroken) throw new Error('out of order');
    kept.push(...batches);
  };
  const { inspector } = inspecting({ store: { saveCalls } as unknown as InspectorNeeds['store'] });
  assert.equal(await inspector.watch(request(), async () => reply), reply);
  await assert.rejects(inspector.flush());
  isBroken = false;
  await inspector.watch(request(), async () => reply);
  await inspector.flush();
  assert.equal(kept.length, 1);
});

test('texts lose card numbers, accounts and the secrets of their own request', () => {
  const secrets = secretsIn(new Map([['giftCard.number', 'gift-card-7731']]));
  assert.equal(maskText('4111 1111 1111 1111', []), '411111***1111');
  assert.equal(maskText('order 1763234567890', []), 'order 1763234567890');
  assert.equal(maskText('to DE89 3704 0044 0532 0130 00 please', []), 'to ***3000 please');
  assert.equal(maskText('it is gift-card-7731', secrets), 'it is ***');
  assert.equal(maskText('it is gift card 7731', [...secrets, 'giftcard7731']), '***');
  const long = maskText(`${'x'.repeat(2_044)}4111111111111111`, []);
  assert.ok(!/[0-9]/.test(long), 'a number that was cut is no number any more');
});

test('fields are shown by their rows, and hidden where there is none', () => {
  const fields = new Map([
    ['card.number', '4200000000000000'],
    ['card.cvv', '123'],
    ['amount', '92.00'],
    ['card.nunber', '4200000000000000'],
    ['{"a":1}', ''],
    ['currency', ''],
  ]);
  assert.deepEqual(maskFields(fields, []), [
    { name: 'card.number', value: '420000***0000', isMasked: true },
    { name: 'card.cvv', value: '***', isMasked: true },
    { name: 'amount', value: '92.00' },
    { name: 'card.nunber', value: '***', isMasked: true },
    { name: '***', value: '***', isMasked: true },
    { name: 'currency', value: '' },
  ]);
});

test('answers are hidden where a row is secret, however deep', () => {
  const body = JSON.stringify({ payments: [{ card: { number: '4200000000000000', bin: '420000' }, x: 1 }], y: null });
  assert.equal(maskAnswer(body, [])?.text, '{"payments":[{"card":{"number":"420000***0000","bin":"420000"},"x":1}],"y":null}');
  for (const text of ['', '[]', 'x', '"x"']) assert.equal(maskAnswer(text, []), null);
});

/** Texts that hold numbers, or parts of one, side by side and in lists. */
const text = fc
  .array(
    fc.constantFrom(
      ...['2031-10-30 03:15:31', '4111111111111111', '4111 1111', ' 1111 1111', '4929127482910388', 'DE89370400440532013000'],
      ...['gift-card-7731', 'gift card 7731', '1234.5678.9012', '01a1e578e95902d00f4ec18ef26f678c', '05', 'ä', 'x', '-', ' '],
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((pieces) => pieces.join(''));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
  ),
}));

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
};

test('an answer that is kept as it came has no text that would be masked', () => {
  const secrets = ['gift-card-7731', 'giftcard7731'];
  let whole = 0;
  fc.assert(
    fc.property(tree, (member) => {
      const body = JSON.stringify({ id: 'a', member });
      if (maskAnswer(body, secrets)?.text !== body) return;
      whole += 1;
      for (const one of textsIn(member)) assert.equal(maskText(one, secrets), one, body);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(whole > 500, `only ${whole} answers were kept as they came`);
});
