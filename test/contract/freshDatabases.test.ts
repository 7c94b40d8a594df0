import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { connectTo, dropUnused, freshDatabase } from './freshDatabases.ts';
import { commit, payment } from './storeFixtures.ts';
import { endUnusedFiles, reuseSqlite } from './storeOpen.ts';

after(dropUnused);
after(endUnusedFiles);

/** All rows of all tables, and where its sequences stand. */
async function contentOf(url: string): Promise<Readonly<Record<string, unknown>>> {
  const sql = connectTo(url);
  const tables = await sql.unsafe(`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`);
  const rows = tables.map(async ({ name }) => {
    const [row] = await sql.unsafe(`SELECT json_agg(t)::text AS rows FROM "${name}" AS t`);
    return [name, row?.rows];
  });
  const content = Object.fromEntries(await Promise.all(rows));
  const sequences = await sql.unsafe('SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
  await sql.end();
  return { ...content, sequences: [...sequences] };
}

test('a database that is used again is as new', async () => {
  const first = await freshDatabase();
  const before = await contentOf(first.url);
  const store = await openPostgresStore({ url: first.url });
  for (let count = 0; count < 3; count += 1) assert.equal((await store.commit(commit(payment(), 0))).is, 'kept');
  await store.saveDocuments([{ collection: 'x', id: 'y', ownerId: '', at: 1, revision: 1, body: {} }]);
  await store.close();
  const used = await contentOf(first.url);
  const filled = Object.keys(before).filter((name) => used[name] !== before[name]);
  assert.ok(filled.length >= 4, `rows were added to ${filled.join(', ')} alone`);
  await first.giveBack(false);
  const second = await freshDatabase();
  assert.equal(second.url, first.url);
  assert.deepEqual(await contentOf(second.url), before);
  await second.giveBack(true);
  assert.notEqual((await freshDatabase()).url, first.url, 'a database whose schema may have changed is not used again');
});

/** All rows of all tables of a file. Those of an inverted index are in tables of their own. */
async function rowsOf(
  raw: (statement: string) => Promise<readonly Record<string, unknown>[]>,
): Promise<ReadonlyMap<string, string>> {
  const tables = await raw(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY 1`);
  const rows = tables.map(async ({ name }) => [String(name), JSON.stringify(await raw(`SELECT * FROM "${name}"`))] as const);
  return new Map(await Promise.all(rows));
}

test('a file that is used again is as new, and its store works', async () => {
  const placed = await reuseSqlite();
  const path = placed.database?.place.dataDir;
  await placed.end();
  let before: ReadonlyMap<string, string> | null = null;
  let stored: Awaited<ReturnType<typeof reuseSqlite>>['store'] | null = null;
  for (let round = 0; round < 3; round += 1) {
    const { store, database, end } = await reuseSqlite();
    const raw = database?.raw ?? (async () => []);
    const found = await rowsOf(raw);
    before ??= found;
    assert.deepEqual(found, before);
    if (stored) assert.equal(store.commit, stored.commit, 'the store is the same one');
    stored = store;
    for (let count = 0; count < 70; count += 1) assert.equal((await store.commit(commit(payment(), 0))).is, 'kept');
    const used = await rowsOf(raw);
    const filled = [...found.keys()].filter((name) => used.get(name) !== found.get(name));
    assert.ok(filled.length >= 4, `rows were added to ${filled.join(', ')} alone`);
    await end();
  }
  const changed = await reuseSqlite();
  assert.equal(changed.store.commit, stored?.commit);
  await changed.database?.raw('CREATE TABLE another (a)');
  await changed.end();
  const last = await reuseSqlite();
  assert.notEqual(last.store.commit, stored?.commit, 'a file whose schema may have changed is not used again');
  assert.notEqual(last.database?.place.dataDir, path);
  await last.end();
});
