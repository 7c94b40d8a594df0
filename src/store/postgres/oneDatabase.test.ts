import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectTo, dropUnused, freshDatabase } from '../../../test/contract/freshDatabases.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { migrationsOf, migrationTable } from '../migrate.ts';
import { openPostgresStore } from './postgresStore.ts';

/** The upgrade of a database that knew of others (migration 30). */

after(dropUnused);

const ONE_DATABASE = 30;
const FENCE = `CREATE TRIGGER payment_fence_insert AFTER INSERT ON payment
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_merchant_fence('id')`;
const identity = (part: string, name: string) =>
  `INSERT INTO cell_identity (part, control_id, name) VALUES ('${part}', 'c', '${name}')`;
const placed = (cell: string) => `INSERT INTO merchant_cell (merchant_id, cell) VALUES ('m-${cell}', '${cell}')`;

/** A database of the release before, with `rows`. */
async function earlierDatabase(t: { after(end: () => Promise<void>): void }, rows: readonly string[]): Promise<string> {
  const { url, giveBack } = await freshDatabase();
  t.after(() => giveBack(true));
  const sql = connectTo(url);
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await sql.unsafe(migrationTable);
  for (const { number, name, text } of migrationsOf('postgres')) {
    if (number >= ONE_DATABASE) continue;
    await sql.unsafe(text);
    await sql`INSERT INTO migration (number, name, applied_at) VALUES (${number}, ${name}, now())`;
  }
  for (const row of rows) await sql.unsafe(row);
  await sql.end();
  return url;
}

const upgrade = async (url: string): Promise<void> => (await openPostgresStore({ url, poolMax: 2, queues: 1 })).close();

const countIn = async (url: string, statement: string): Promise<number> => {
  const sql = connectTo(url);
  const [row] = await sql.unsafe<{ readonly count: number }[]>(statement).finally(() => sql.end());
  return Number(row?.count);
};

const refusals: readonly (readonly [name: string, rows: readonly string[], says: RegExp])[] = [
  [
    'merchants of control live elsewhere',
    [identity('control', ''), identity('cell', 'main'), placed('main'), placed('east'), placed('west')],
    /^2 merchants live in other databases \(CELLS\), .*turnpike cells move/,
  ],
  ['control is no cell itself', [identity('control', ''), placed('east')], /^1 merchants live in other databases/],
  ['the database is a cell', [identity('cell', 'east')], /^This database is the cell east of a gateway with several databases/],
  [
    'a move is not finished',
    [
      identity('control', ''),
      identity('cell', 'main'),
      placed('main'),
      "INSERT INTO owned_merchant (merchant_id, epoch, state) VALUES ('m-main', 2, 'leaving')",
    ],
    /^1 moves between databases are not finished/,
  ],
];

test('an upgrade refuses a database whose merchants live in several, and changes nothing', async (t) => {
  for (const [name, rows, says] of refusals) {
    const url = await earlierDatabase(t, [...rows, FENCE]);
    await assert.rejects(upgrade(url), (error) => error instanceof StoreOutOfOrder && says.test(error.message), name);
    assert.equal(await countIn(url, 'SELECT max(number) AS count FROM migration'), ONE_DATABASE - 1, name);
    assert.equal(await countIn(url, "SELECT count(*) FROM pg_trigger WHERE tgname = 'payment_fence_insert'"), 1, name);
  }
});

test('a database that has all its merchants is upgraded, and loses the fence', async (t) => {
  for (const rows of [[], [identity('control', ''), identity('cell', 'main'), placed('main'), FENCE]]) {
    const url = await earlierDatabase(t, rows);
    await upgrade(url);
    assert.ok((await countIn(url, 'SELECT max(number) AS count FROM migration')) >= ONE_DATABASE);
    assert.equal(
      await countIn(url, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'check\\_%fence' OR proname = 'is_mover'"),
      0,
    );
  }
});
