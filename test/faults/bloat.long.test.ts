import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, idempotencyKeyOf, NOW, nextId, payment } from '../contract/storeFixtures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { openRawDatabase } from './database.ts';

/**
 * Days of payments in a few seconds each: events and idempotency keys come and go as the retention jobs delete them. Tables and indexes that
 * hold as many rows as before must not grow, because vacuum gives the room of whole days back (decisions/0068).
 */

const DAYS = sized({ quick: 10, assure: 24, reliability: 60 });
const PER_DAY = sized({ quick: 300, assure: 1_000, reliability: 5_000 });
/** Days that are kept, and days after which the size should stay. */
const [KEPT, WARM] = [2, 5];
const GROWTH_MAX = 1.25;
const tables = ['outbox', 'idempotency'] as const;

let server: PostgresServer;
before(async () => {
  server = await startPostgres({ fsync: false });
});
after(() => server.stop('immediate'));

async function passDay(store: Store, day: number): Promise<void> {
  const at = NOW + day * DAY_MS;
  const payments = Array.from({ length: PER_DAY }, (_, n) => payment({ createdAt: at + n, movedAt: at + n }));
  await Promise.all(payments.map((one) => store.commit(commit(one, 0, { idempotencyKey: idempotencyKeyOf(nextId()) }))));
  for (;;) {
    const events = await store.pendingEvents(allMerchants, 500);
    if (events.length === 0) break;
    await store.saveFanOut(events, []);
  }
  const oldest = at - (KEPT - 1) * DAY_MS;
  await store.deleteEvents(oldest);
  await store.deleteIdempotencyKeys(oldest);
}

/** The growth of each table with its indexes from the warm day to the last. */
async function grow(name: string, isVacuumed: boolean): Promise<readonly number[]> {
  const raw = openRawDatabase(server.url(), '');
  await raw.rows(`CREATE DATABASE ${name}`);
  await raw.close();
  const database = openRawDatabase(server.url(name), '');
  const store = await openPostgresStore({ url: server.url(name) });
  const sizes = async () => {
    const [row] = await database.rows(
      `SELECT ${tables.map((table) => `pg_total_relation_size('${table}') AS ${table}`).join(', ')}`,
    );
    return tables.map((table) => Number(row?.[table]));
  };
  try {
    let warm: readonly number[] = [];
    for (let day = 1; day <= DAYS; day += 1) {
      await passDay(store, day);
      if (isVacuumed) for (const table of tables) await database.rows(`VACUUM ${table}`);
      if (day === WARM) warm = await sizes();
    }
    const [row] = await database.rows(
      'SELECT (SELECT count(*) FROM outbox) AS events, (SELECT count(*) FROM idempotency) AS keys',
    );
    assert.deepEqual([Number(row?.events), Number(row?.keys)], [KEPT * PER_DAY, KEPT * PER_DAY]);
    return (await sizes()).map((size, at) => size / (warm[at] ?? 0));
  } finally {
    await store.close();
    await database.close();
  }
}

test('tables that hold a few days do not grow while days come and go', { timeout: 600_000 }, async () => {
  const growth = await grow('vacuumed', true);
  assert.ok(
    growth.every((factor) => factor <= GROWTH_MAX),
    growth.join(),
  );
});

test('control: without vacuum they grow with every day', { timeout: 600_000 }, async () => {
  const growth = await grow('unvacuumed', false);
  assert.ok(
    growth.every((factor) => factor > GROWTH_MAX),
    growth.join(),
  );
});
