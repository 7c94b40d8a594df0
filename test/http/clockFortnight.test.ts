import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { CARD, createClient, DEMO, type Fields } from './client.ts';
import { createClockClient, DAY_MS } from './clockFixture.ts';
import { startGateway } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-fortnight-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PREPAYMENT = {
  paymentBrand: 'PREPAYMENT',
  paymentType: 'PA',
  amount: '12.50',
  currency: 'EUR',
  shopperResultUrl: 'https://shop.example/result',
} as const;
const SHOPPER = (shopper: string, after: string): Fields => ({
  'customParameters[SIMULATOR_shopper]': shopper,
  'customParameters[SIMULATOR_shopperAfter]': after,
});
/** Each is a commit and a round of all work. With every look at each payment there were 105. */
const STEPS_MAX = 10;
/** The look at each payment in the beginning, and the one on arrival. With every look there were 2,362. */
const COMMITS_MAX = 2 * 100;

test('a clock moves through 14 days with 100 open prepayments in few steps, and each ends when its time is over', async (context) => {
  const opened = await openSqliteStore({ path: join(folder, 'fortnight.db') });
  let commits = 0;
  const commit: typeof opened.commit = (change) => {
    commits += 1;
    return opened.commit(change);
  };
  const store = { ...opened, commit };
  const gateway = await startGateway({ store });
  context.after(() => gateway.close());
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  await clock.freeze();
  const made = await Promise.all(Array.from({ length: 100 }, () => shop.send('POST', '/v1/payments', PREPAYMENT)));
  assert.ok(made.every(({ code }) => code === '000.200.000'));
  const [before] = await store.clocks();
  commits = 0;
  await clock.move({ by: 'P13DT23H' });
  const [row] = await store.clocks();
  const steps = (row?.revision ?? 0) - (before?.revision ?? 0);
  assert.ok(steps <= STEPS_MAX, `${steps} steps`);
  assert.ok(commits <= COMMITS_MAX, `${commits} commits`);
  assert.equal((await shop.read(made[0]?.id ?? '')).code, '000.200.000');
  await clock.move({ by: 'PT2H' });
  for (const { id } of made) assert.equal((await shop.read(id)).code, '100.396.103');
  assert.equal((await store.clocks())[0]?.merchantId, DEMO.merchantId);
});

/** What happens on the way happens at its instant, however few looks there are. */
const scripted: readonly (readonly [says: string, fields: Fields, days: number, code: string])[] = [
  ['paid after three days', { ...PREPAYMENT, ...SHOPPER('pays', '3d') }, 3, '000.100.110'],
  ['declined after five days', { ...PREPAYMENT, ...SHOPPER('declines', '5d') }, 5, '800.100.152'],
  ['never paid', PREPAYMENT, 14, '100.396.103'],
  [
    'a card decided after two days',
    {
      ...CARD,
      paymentType: 'DB',
      amount: '12.50',
      currency: 'EUR',
      'customParameters[forceResultCode]': '000.200.000',
      'customParameters[SIMULATOR_for]': '2d',
    },
    2,
    '000.100.110',
  ],
];

test('a payment that is decided while the clock moves is decided at its instant', async (context) => {
  const store = createMemoryStore();
  const gateway = await startGateway({ store });
  context.after(() => gateway.close());
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  await clock.freeze();
  const made = await Promise.all(scripted.map(([, fields]) => shop.send('POST', '/v1/payments', fields)));
  await clock.move({ by: 'P20D' });
  for (const [index, [says, , days, code]] of scripted.entries()) {
    const payment = await store.payment(DEMO.merchantId, made[index]?.id ?? '');
    const decided = payment && [payment.phase.at === 'final' && payment.phase.code, payment.movedAt - payment.createdAt];
    assert.deepEqual(decided, [code, days * DAY_MS], says);
  }
});
