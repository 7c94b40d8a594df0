import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import { verify } from '../../src/ledger/verify.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { withAudit } from '../../src/store/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO, type Fields, type Reply } from './client.ts';
import { createClockClient, DAY_MS } from './clockFixture.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { dayOf, playing, recordsOf } from './settlementFixture.ts';

/** Settlement is in the merchant's ledger, and its proof finds no error. */

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-settled-'));
let held: { readonly store: Store; readonly gateway: TestGateway } | null = null;
before(async () => {
  const store = await openSqliteStore({ dataDir });
  held = { store, gateway: await startGateway({ store }) };
  await createClockClient(held.gateway.url).freeze();
});
after(async () => {
  await held?.gateway.close();
  await held?.store.close();
  rmSync(dataDir, { recursive: true });
});

function stage() {
  if (!held) throw new Error('the gateway is not there');
  const { url } = held.gateway;
  return { ...held, shop: createClient(url), clock: createClockClient(url), admin: createAdministrator(url) };
}

/** The balances of a merchant, in hundredths, without those of zero. */
async function standing(at?: number): Promise<Readonly<Record<string, number>>> {
  const when = at === undefined ? '' : `&at=${new Date(at).toISOString()}`;
  const { body } = await stage().admin.ask('GET', `/balances?entityId=${DEMO.merchantId}${when}`);
  const sums = Object.entries((body.balances[0]?.accounts ?? {}) as Fields);
  const amounts = sums.map(([account, text]) => [account, Math.round(Number(text) * 100)] as const);
  assert.equal(
    amounts.reduce((sum, [, amount]) => sum + amount, 0),
    0,
  );
  return Object.fromEntries(amounts.filter(([, amount]) => amount !== 0));
}

/** The difference to the balances before. */
async function since(earlier: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
  const now = await standing();
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(now)])];
  const changes = names.map((name) => [name, (now[name] ?? 0) - (earlier[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

async function isProven(settlements: number): Promise<void> {
  const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
  const { findings, ...counted } = await withAudit({ dataDir }, (audit) => verify(audit, needs));
  assert.deepEqual(findings, []);
  assert.equal(counted.settlements, settlements);
}

const inline = (acts: object) => playing(JSON.stringify({ name: 'planted', says: 'A fee.', ...acts }));

test('two days after a payment the acquirer has paid: it owes what it kept, and the merchant waits for nothing', async () => {
  const { shop, clock } = stage();
  const began = await clock.now();
  await shop.pay(inline({ settlement: { feePercent: '2' } }));
  const open = { merchant: 9200, acquirer: -9200 };
  assert.deepEqual(await standing(), open);
  await clock.move({ by: '4d' });
  const settled = { acquirer: -184, fees: 184 };
  assert.deepEqual(await standing(), settled);
  assert.deepEqual(await standing(began + DAY_MS), open);
  assert.deepEqual(await standing(began - 1), {});
  await isProven(1);
});

test('refunds and chargebacks are taken from what was paid, and given back', async () => {
  const { shop, clock } = stage();
  const earlier = await standing();
  const { id } = await shop.pay();
  await shop.refund(id, '12.00');
  await shop.pay(playing('chargeback-day-40'));
  await shop.pay(playing('chargeback-won-back'));
  assert.deepEqual(await since(earlier), { merchant: 26400, acquirer: -26400 });
  await clock.move({ by: '60d' });
  // Of the one that was not given back the acquirer took as much from the merchant as the bank took from it.
  assert.deepEqual(await since(earlier), { acquirer: -9200, chargebacks: 9200 });
  await isProven(8);
});

const bring = async (text: string): Promise<Reply['body']> => {
  const { gateway } = stage();
  const response = await fetch(`${gateway.url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=own.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'text/csv' },
    body: text,
  });
  return (await response.json()) as Reply['body'];
};

test('a resolved line is in the ledger from then on, and no longer when the decision is withdrawn', async () => {
  const { shop, admin, store } = stage();
  const earlier = await standing();
  const { id } = await shop.pay(playing('never-settled'));
  const payment = (await store.payment(DEMO.merchantId, id)) as Payment;
  const text = settlementFileOf(dayOf(payment.createdAt + DAY_MS), [payment], { faults: new Map([[id, 'unknownId']]) });
  const open = { merchant: 9200, acquirer: -9200 };
  const brought = await bring(text);
  assert.equal(brought.count?.open, 1, JSON.stringify(brought));
  assert.deepEqual(await since(earlier), open);
  const { body } = await admin.ask('GET', `/settlementExceptions?entityId=${DEMO.merchantId}&limit=200`);
  const [line] = body.exceptions;
  const decide = async (decision: object) => {
    const answer = await admin.ask('POST', `/settlementExceptions/${line.id}`, { note: 'seen', ...decision });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const settled = { acquirer: -138, fees: 138 };
  for (const [decision, expected] of [
    [{ paymentId: id }, settled],
    [{ leave: true }, open],
    [{ paymentId: id }, settled],
  ] as const) {
    await decide(decision);
    assert.deepEqual(await since(earlier), expected);
  }
  await bring(text);
  assert.deepEqual(await since(earlier), settled);
  await isProven(9);
});

test('a chargeback that the API has recorded is cleared by its line, and one that nobody recorded is made', async () => {
  const { shop, store } = stage();
  const earlier = await standing();
  const { id } = await shop.pay(playing('never-settled'));
  const payment = (await store.payment(DEMO.merchantId, id)) as Payment;
  const recorded = await shop.refer(id, { paymentType: 'CB', amount: '40.00', currency: 'EUR' });
  assert.equal(recorded.status, 200);
  const day = dayOf(payment.createdAt + DAY_MS);
  const [header = '', settled = '', taken = ''] = settlementFileOf(day, [payment], {
    chargebacks: new Map([[id, '000.100.220']]),
  }).split('\n');
  const lineOf = (amount: string, name: string) => taken.replaceAll('92.00', amount).replace(/;C[0-9a-f]{24};/, `;C-${name};`);
  const bringLines = (...lines: readonly string[]) => bring([header, ...lines, ''].join('\n'));
  const brought = await bringLines(settled, lineOf('40.00', 'first'), lineOf('10.00', 'second'));
  assert.deepEqual([brought.count?.MATCHED, brought.count?.open], [3, 0], JSON.stringify(brought));
  const family = (await store.family(DEMO.merchantId, id))?.payments ?? [];
  const chargebacks = family.filter(({ paymentType }) => paymentType === 'CB');
  assert.deepEqual(chargebacks.map(({ amount, recordedBy }) => [amount, recordedBy !== undefined]).sort(), [
    [1_000n, true],
    [4_000n, false],
  ]);
  const records = (await recordsOf(store, id)).filter(({ recordType }) => recordType === 'CHARGEBACK');
  assert.equal(records.find(({ amount }) => amount === 4_000n)?.chargebackId, recorded.id);
  // 42.00 are left of the payment, and no other transaction waits for its line.
  const more = await bringLines(lineOf('42.01', 'third'));
  assert.equal(more.count?.open, 1);
  assert.deepEqual(await since(earlier), { acquirer: -5138, chargebacks: 5000, fees: 138 });
  await isProven(12);
});
