import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { openPostgres } from '../contract/storeOpen.ts';
import { CARD, createClient, DEMO } from './client.ts';
import { createClockClient } from './clockFixture.ts';
import { startGateway } from './gateway.ts';
import { JOB, playing, settledIn } from './settlementFixture.ts';

/** Far more than it takes on a machine that has nothing else to do. */
const YEAR_MS_MAX = 60_000;

test('a year with a payment a day: each is settled two days later, in a file of its day', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-days-'));
  const store = await openSqliteStore({ path: join(folder, 'days.db') });
  const gateway = await startGateway({ store });
  context.after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  await clock.freeze();
  await clock.move({ to: '2029-01-01T08:00:00Z' });
  const { id: registrationId } = await shop.send('POST', '/v1/registrations', {
    ...CARD,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
    'standingInstruction.recurringType': 'SUBSCRIPTION',
  });
  const made = await shop.send('POST', '/scheduling/v1/schedules', {
    registrationId,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.month': '*',
    'job.dayOfMonth': '*',
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const began = performance.now();
  for (let month = 0; month < 12; month += 1) await clock.move({ by: 'P1M' });
  const tookMs = performance.now() - began;
  const records = await store.records({ merchantId: DEMO.merchantId, limit: 1_000 });
  const days = new Set(records.map(({ settledOn }) => settledOn));
  assert.ok(records.length >= 362 && records.length <= 366, `${records.length} records`);
  assert.equal(days.size, records.length);
  assert.equal((await store.files([DEMO.merchantId], 1_000)).length, records.length);
  for (const { match, settledOn } of records) {
    const payment = await store.payment(DEMO.merchantId, match.paymentIds[0] ?? '');
    assert.equal(new Date((payment?.createdAt ?? 0) + 2 * 86_400_000).toISOString().slice(0, 10), settledOn);
  }
  context.diagnostic(`${Math.round(tookMs)} ms`);
  assert.ok(tookMs < YEAR_MS_MAX, `${Math.round(tookMs)} ms`);
});

test('two nodes on one PostgreSQL settle at the same time, once', async (context) => {
  const { store, database, end } = await openPostgres();
  const stores = [store, (await database?.again()) as Store];
  const nodes = await Promise.all(
    stores.map((one, at) => startGateway({ store: at === 0 ? { ...one, close: async () => {} } : one })),
  );
  context.after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await end();
  });
  const began = nodes[0]?.world.clock.now() ?? 0;
  const plays = ['chargeback-day-40', 'paid', 'never-settled', 'chargeback-won-back'];
  const ids: string[] = [];
  for (const one of [...plays, ...plays, ...plays]) {
    ids.push((await createClient(nodes[ids.length % 2]?.url ?? '').pay(playing(one))).id);
  }
  for (let days = 0; days < 44; days += 1) {
    await Promise.all(nodes.map((node) => node.work(JOB)));
    for (const node of nodes) node.pass(86_400_000);
  }
  const settled = [2, 'SETTLED 92.00 - 0.00'];
  const [taken, won] = [
    [40, 'CHARGEBACK 92.00 000.100.221'],
    [12, 'CHARGEBACK 92.00 000.100.220'],
  ];
  const expected = [[settled, taken], [settled], [], [settled, won, [42, 'CHARGEBACK REVERSAL 92.00 000.100.220']]];
  for (const [at, id] of ids.entries()) assert.deepEqual(await settledIn(store, id, began), expected[at % 4], `payment ${at}`);
  const alarms = nodes.flatMap(({ lines }) => lines.filter((line) => line.includes('"alarm":true')));
  assert.deepEqual(alarms, []);
  assert.equal((await store.files([DEMO.merchantId], 99)).length, 4);
});
