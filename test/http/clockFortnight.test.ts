import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { createClient, DEMO } from './client.ts';
import { createClockClient } from './clockFixture.ts';
import { startGateway } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-fortnight-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PREPAYMENT = {
  paymentBrand: 'PREPAYMENT',
  paymentType: 'DB',
  amount: '12.50',
  currency: 'EUR',
  shopperResultUrl: 'https://shop.example/result',
} as const;
/** Each is a commit and a round of all work. With one look an hour at each payment there were 33,600. */
const STEPS_MAX = 250;

test('a clock moves through 14 days with 100 open prepayments in few steps, and each ends when its time is over', async (context) => {
  const store = await openSqliteStore({ path: join(folder, 'fortnight.db') });
  const gateway = await startGateway({ store });
  context.after(() => gateway.close());
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  await clock.freeze();
  const made = await Promise.all(Array.from({ length: 100 }, () => shop.send('POST', '/v1/payments', PREPAYMENT)));
  assert.ok(made.every(({ code }) => code === '000.200.000'));
  const [before] = await store.clocks();
  const began = performance.now();
  await clock.move({ by: 'P13DT23H' });
  const tookMs = performance.now() - began;
  const [row] = await store.clocks();
  const steps = (row?.revision ?? 0) - (before?.revision ?? 0);
  context.diagnostic(`${steps} steps, ${Math.round(tookMs)} ms`);
  assert.ok(steps <= STEPS_MAX, `${steps} steps`);
  assert.equal((await shop.read(made[0]?.id ?? '')).code, '000.200.000');
  await clock.move({ by: 'PT2H' });
  for (const { id } of made) assert.equal((await shop.read(id)).code, '100.396.103');
  assert.equal((await store.clocks())[0]?.merchantId, DEMO.merchantId);
});
