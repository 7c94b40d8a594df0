import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openRawDatabase } from '../faults/database.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { raceEvents } from './r11.ts';

const EVENTS = sized({ quick: 2_000, assure: 100_000, reliability: 1_000_000 });

/** The server itself commits some events late, up to two seconds after it has written them: they become visible out of order. */
const LATE_COMMITS = `
  CREATE FUNCTION sleep_a_while() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(random() * 2); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER late AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (random() < 0.0005) EXECUTE FUNCTION sleep_a_while()`;

test('R11: PostgreSQL, two nodes: 64 writers, transactions that commit up to two seconds late, and four readers', {
  timeout: sized({ quick: 120_000, assure: 600_000, reliability: 3_600_000 }),
}, async (t) => {
  const database = await testDatabase();
  const stores = [await openPostgresStore({ url: database.url }), await openPostgresStore({ url: database.url })];
  t.after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
  const raw = openRawDatabase(database.url, '');
  await raw.rows(LATE_COMMITS).finally(() => raw.close());
  const { late, ...faults } = await raceEvents({ stores, events: EVENTS, lateOnceIn: 500, lateMs: 2_000 });
  assert.deepEqual(faults, { missed: 0, doubled: 0, foreign: 0 });
  reportFigure('R11', 'events', EVENTS);
  reportFigure('R11', 'late commits', late);
});
