import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { postingOf } from '../../src/ledger/book.ts';
import { sealBooks } from '../../src/ledger/chain.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, idempotencyKeyOf, NOW, nextId, payment } from '../contract/storeFixtures.ts';
import { answered, delivery, hook } from '../contract/storeWebhookFixtures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { openRawDatabase } from './database.ts';

/**
 * Days of payments in a few seconds each: events, deliveries and idempotency keys come, change and go as the jobs do it; postings are sealed.
 * Tables and indexes that hold as many rows as before must not grow, because vacuum gives the room of whole days back (decisions/0068).
 */

const DAYS = sized({ quick: 10, assure: 24, reliability: 60 });
const PER_DAY = sized({ quick: 300, assure: 1_000, reliability: 5_000 });
/** Days that are kept, and days after which the size should stay. */
const [KEPT, WARM] = [2, 5];
const GROWTH_MAX = 1.25;
const tables = ['outbox', 'delivery', 'idempotency'] as const;
/** Postings stay for ever: only their dead rows go. */
const allTables = [...tables, 'posting'] as const;

let server: PostgresServer;
before(async () => {
  server = await startPostgres({ fsync: false });
});
after(() => server.stop('immediate'));

const PORTION = 500;

async function deliverAll(store: Store, webhookId: string, at: number): Promise<void> {
  for (;;) {
    const events = await store.pendingEvents(allMerchants, PORTION);
    if (events.length === 0) break;
    await store.saveFanOut(
      events,
      events.map((event) => delivery(webhookId, { event, dueAt: at, createdAt: at })),
    );
  }
  for (;;) {
    const asked = { now: at, until: at + 60_000, limit: PORTION, each: PORTION, skip: [], merchants: allMerchants };
    const claimed = await store.claimDeliveries(asked);
    if (claimed.length === 0) break;
    await store.saveDeliveries(claimed.map((one) => ({ ...one, state: 'delivered', tries: [answered] })));
  }
}

async function passDay(store: Store, webhookId: string, day: number): Promise<void> {
  const at = NOW + day * DAY_MS;
  const payments = Array.from({ length: PER_DAY }, (_, n) => payment({ createdAt: at + n, movedAt: at + n }));
  await Promise.all(
    payments.map((one) => {
      const whole = commit(one, 0, { idempotencyKey: idempotencyKeyOf(nextId()) });
      return store.commit({ ...whole, posting: postingOf(one, null) });
    }),
  );
  await deliverAll(store, webhookId, at + PER_DAY);
  await sealBooks(store);
  const oldest = at - (KEPT - 1) * DAY_MS;
  await store.deleteEvents(oldest);
  await store.deleteIdempotencyKeys(oldest);
}

type Raw = ReturnType<typeof openRawDatabase>;
/** After a day: what gives the room of its dead rows back. */
type Vacuum = (database: Raw) => Promise<void>;

const sizes = async (database: Raw): Promise<readonly number[]> => {
  const [row] = await database.rows(
    `SELECT ${tables.map((table) => `pg_total_relation_size('${table}') AS ${table}`).join(', ')}`,
  );
  return tables.map((table) => Number(row?.[table]));
};

/** The growth of each table with its indexes from the warm day to the last. */
async function grow(on: PostgresServer, name: string, vacuum: Vacuum): Promise<readonly number[]> {
  const raw = openRawDatabase(on.url(), '');
  await raw.rows(`CREATE DATABASE ${name}`);
  await raw.close();
  const database = openRawDatabase(on.url(name), '');
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openPostgresStore({ url: on.url(name) });
    return work(store).finally(() => store.close());
  };
  try {
    const webhookId = await withStore((store) => hook(store, { createdAt: NOW }));
    let warm: readonly number[] = [];
    for (let day = 1; day <= DAYS; day += 1) {
      // Sessions report what they have changed when they end, and only then autovacuum knows all of it.
      await withStore((store) => passDay(store, webhookId, day));
      await vacuum(database);
      if (day === WARM) warm = await sizes(database);
    }
    const [row] = await database.rows(
      `SELECT ${allTables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')}`,
    );
    const expected = { outbox: KEPT, delivery: KEPT, idempotency: KEPT, posting: DAYS };
    for (const table of allTables) assert.equal(Number(row?.[table]), expected[table] * PER_DAY, table);
    return (await sizes(database)).map((size, at) => size / (warm[at] ?? 0));
  } finally {
    await database.close();
  }
}

const isFlat = (growth: readonly number[]): boolean => growth.every((factor) => factor <= GROWTH_MAX);

test('tables that hold a few days do not grow while days come and go', { timeout: 600_000 }, async () => {
  const growth = await grow(server, 'vacuumed', async (database) => {
    for (const table of allTables) await database.rows(`VACUUM ${table}`);
  });
  assert.ok(isFlat(growth), growth.join());
});

test('control: without vacuum they grow with every day', { timeout: 600_000 }, async () => {
  const growth = await grow(server, 'unvacuumed', async () => {});
  assert.ok(
    growth.every((factor) => factor > GROWTH_MAX),
    growth.join(),
  );
});

/** The number of dead rows from which autovacuum works on a table: its own threshold, and the factor of migration 0020. */
const deadMax = (live: number): number => 50 + 0.02 * live;

const deadRows = async (database: Raw): Promise<Readonly<Record<string, readonly [dead: number, live: number]>>> => {
  const rows = await database.rows('SELECT relname, n_dead_tup, n_live_tup FROM pg_stat_user_tables');
  const found = new Map(rows.map(({ relname, n_dead_tup, n_live_tup }) => [relname, [Number(n_dead_tup), Number(n_live_tup)]]));
  return Object.fromEntries(allTables.map((table) => [table, (found.get(table) ?? [0, 0]) as [number, number]]));
};

/** Waits until autovacuum has nothing more to do, which is in its own hands. */
const untilQuiet =
  (t: TestContext): Vacuum =>
  async (database) => {
    const before = await deadRows(database);
    for (;;) {
      const now = await deadRows(database);
      if (allTables.every((table) => (now[table]?.[0] ?? 0) <= deadMax(now[table]?.[1] ?? 0))) {
        t.diagnostic(allTables.map((table) => `${table} ${before[table]?.[0]} dead, then ${now[table]?.[0]}`).join('; '));
        return;
      }
      await pause(200);
    }
  };

test('autovacuum, as the migrations set it, does it by itself', { timeout: 600_000 }, async (t) => {
  // It looks every second instead of every minute, because a day takes seconds.
  const own = await startPostgres({ fsync: false, settings: { autovacuum_naptime: '1s' } });
  t.after(() => own.stop('immediate'));
  const growth = await grow(own, 'autovacuumed', untilQuiet(t));
  t.diagnostic(
    `${DAYS} days of ${PER_DAY}: growth of ${tables.map((table, at) => `${table} ${growth[at]?.toFixed(2)}`).join(', ')}`,
  );
  assert.ok(isFlat(growth), growth.join());
});
