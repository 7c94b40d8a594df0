import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WrongCell } from '../../src/store/cells/cell.ts';
import { type CellSetting, openDatabases } from '../../src/store/cells/openDatabases.ts';
import { openHistory } from '../../src/store/openHistory.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { connectTo, dropUnused, freshDatabase } from '../contract/freshDatabases.ts';
import { commit, NOW, nextId, payment } from '../contract/storeFixtures.ts';

/** How a gateway opens the databases that CELLS names. */

after(dropUnused);

type Databases = readonly { readonly url: string; giveBack(isChanged: boolean): Promise<void> }[];
const share = { poolMax: 2, queues: 1 };
const settingsOf = ([, east, west]: Databases): readonly CellSetting[] => [
  { name: 'main', url: null },
  { name: 'east', url: east?.url ?? '' },
  { name: 'west', url: west?.url ?? '' },
];
const open = (databases: Databases, cells: readonly CellSetting[] = settingsOf(databases)) =>
  openDatabases({ databaseUrl: databases[0]?.url ?? '', cells, ...share });

async function threeDatabases(t: { after(end: () => Promise<void>): void }): Promise<Databases> {
  const made = [await freshDatabase(), await freshDatabase(), await freshDatabase()];
  // The databases keep what they are for ever: nobody else can use them.
  t.after(async () => {
    for (const { giveBack } of made) await giveBack(true);
  });
  return made;
}

const run = async (url: string, statement: string): Promise<readonly Record<string, unknown>[]> => {
  const sql = connectTo(url);
  return sql.unsafe(statement).finally(() => sql.end());
};

const is = (says: RegExp) => (error: unknown) => error instanceof WrongCell && says.test(error.message);

test('merchants of a gateway that gets cells stay in its database, new ones are spread, and the past is that of all', async (t) => {
  const databases = await threeDatabases(t);
  const [control] = databases as [Databases[number]];
  const [old, ...young] = [nextId(), nextId(), nextId()] as const;
  const before = await openPostgresStore({ url: control.url, ...share });
  const entity = { id: old, kind: 'merchant' as const, parentId: null, name: 'Old', settings: {} };
  await before.insertAccounts({ entities: [entity], tokens: [] });
  const first = payment({ merchantId: old });
  assert.equal((await before.commit(commit(first, 0))).is, 'kept');
  await before.close();

  const { store, cells } = await open(databases);
  assert.deepEqual(
    cells.map(({ name }) => name),
    ['main', 'east', 'west'],
  );
  assert.equal((await store.payment(old, first.id))?.id, first.id);
  for (const merchantId of young) await store.commit(commit(payment({ merchantId, createdAt: NOW + 1 }), 0));
  await store.close();
  const placed = await run(
    control.url,
    `SELECT cell FROM merchant_cell WHERE merchant_id IN ('${young.join("', '")}') ORDER BY 1`,
  );
  assert.deepEqual(
    placed.map(({ cell }) => cell),
    ['east', 'west'],
  );
  const past = await openHistory({ databaseUrl: control.url, cells: settingsOf(databases), dataDir: '' });
  const asked = { merchantId: null, after: { createdAt: 0, merchantId: '', id: '' }, before: NOW + 2, limit: 10 };
  const found = await past.history(asked as Parameters<typeof past.history>[0]).finally(() => past.close());
  assert.deepEqual(new Set(found.map(({ merchantId }) => merchantId)), new Set([old, ...young]));
});

test('a database that is not what CELLS takes it for is refused', async (t) => {
  const databases = await threeDatabases(t);
  const [control, east, west] = databases as [Databases[number], Databases[number], Databases[number]];
  const { store } = await open(databases);
  for (let left = 3; left > 0; left -= 1) await store.commit(commit(payment({ merchantId: nextId() }), 0));
  await store.close();

  const [main, second, third] = settingsOf(databases) as [CellSetting, CellSetting, CellSetting];
  const exchanged = [main, { ...second, url: west.url }, { ...third, url: east.url }];
  await assert.rejects(open(databases, exchanged), is(/the database of the cell east is the cell west/));
  await assert.rejects(open(databases, [main, { ...second, name: 'orient' }, third]), is(/of the cell orient is the cell east/));
  await assert.rejects(open(databases, [main, second]), is(/1 merchants live in the cell west, which it does not name/));
  await assert.rejects(open(databases, []), is(/^CELLS: is missing; DATABASE_URL is the control database/));
  await assert.rejects(open([east]), is(/^DATABASE_URL: is the cell east of a gateway/));
  await assert.rejects(open([east], []), is(/^DATABASE_URL: is the cell east of a gateway/));
  const other = await freshDatabase();
  t.after(() => other.giveBack(true));
  await assert.rejects(open([other, east, west]), is(/of the cell east belongs to another gateway/));
  await assert.rejects(open([control, other, west].slice(0, 1), [{ name: 'new', url: control.url }, second, third]), WrongCell);
});

test('a control database with payments has to be a cell, and a cell has none of its own', async (t) => {
  const [one, two] = (await threeDatabases(t)) as [Databases[number], Databases[number]];
  const before = await openPostgresStore({ url: one.url, ...share });
  await before.commit(commit(payment({ merchantId: nextId() }), 0));
  await before.close();
  await assert.rejects(open([one], [{ name: 'east', url: two.url }]), is(/^DATABASE_URL: has payments; name it in CELLS too/));
  await assert.rejects(open([two], [{ name: 'east', url: one.url }]), is(/the cell east has payments of a gateway of its own/));
});

test('a cell that is out of order at the start is opened later, and the merchants of the others do not wait', async (t) => {
  const databases = await threeDatabases(t);
  const [control, east] = databases as [Databases[number], Databases[number]];
  const first = await open(databases);
  const [mine, his] = [nextId(), nextId()];
  for (const merchantId of [mine, his]) await first.store.commit(commit(payment({ merchantId }), 0));
  await first.store.close();
  const name = new URL(east.url).pathname.slice(1);
  await run(control.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  const { store, cells } = await open(databases);
  t.after(() => store.close());
  assert.equal((await store.commit(commit(payment({ merchantId: mine }), 0))).is, 'kept');
  await assert.rejects(store.commit(commit(payment({ merchantId: his }), 0)));
  await assert.rejects(cells[1]?.store.tryWrite(false) ?? Promise.resolve());
  await run(control.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  const late = commit(payment({ merchantId: his }), 0);
  const paid = async (): Promise<boolean> => (await store.commit(late).catch(() => null))?.is === 'kept';
  while (!(await paid())) await new Promise((resolve) => setTimeout(resolve, 50));
  await cells[1]?.store.tryWrite(false);
});
