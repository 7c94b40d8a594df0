import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { coreJobs } from '../../src/workers/jobs.ts';
import { createClient } from './client.ts';
import { startGateway } from './gateway.ts';

const DAY_MS = 86_400_000;
const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 50 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const seen: [oldestMs: number | null, settled: number, failed: number][] = [];
const jobs = coreJobs({
  environment: 'test',
  refreshKeys: async () => {},
  world: gateway.world,
  directory: gateway.directory,
  onSweep: ({ oldestMs, settled, failed }, isFirst) => isFirst && seen.push([oldestMs, settled, failed]),
});
const run = (name: string) => jobs.find((job) => job.name === name)?.run(new AbortController().signal);

test('the sweeper ends abandoned payments, and reports their age', async () => {
  const open = await shop.pay({ 'customParameters[SIMULATOR_answer]': 'lost' });
  assert.equal(open.code, '000.200.000');
  await run('sweep');
  assert.deepEqual(seen.at(-1), [null, 0, 0], 'it is not due yet');
  gateway.pass(DAY_MS);
  await run('sweep');
  assert.ok((seen.at(-1)?.[0] ?? 0) >= DAY_MS);
  assert.deepEqual(seen.at(-1)?.slice(1), [1, 0]);
  assert.equal((await shop.read(open.id)).code, '000.100.110');
});

test('a key is kept for more than 31 days and then forgotten', async () => {
  const key = { 'idempotency-key': 'for a month' };
  const first = await shop.pay({ merchantTransactionId: 'january' }, key);
  gateway.pass(34 * DAY_MS);
  await run('delete expired idempotency keys');
  assert.equal((await shop.pay({ merchantTransactionId: 'january' }, key)).id, first.id);
  gateway.pass(2 * DAY_MS);
  await run('delete expired idempotency keys');
  assert.notEqual((await shop.pay({ merchantTransactionId: 'february' }, key)).id, first.id);
});

test('a channel that was set up meanwhile takes payments after the next reload', async () => {
  const entityId = '5eed00000000000000000000000000c9';
  const newcomer = { id: entityId, kind: 'channel', parentId: sandbox.demoShop.merchantId, name: 'New', settings: {} } as const;
  assert.equal((await shop.pay({ entityId })).status, 403);
  await store.insertAccounts({ entities: [newcomer], tokens: [] });
  await run('follow directory changes');
  assert.equal((await shop.pay({ entityId })).code, '000.100.110');
});
