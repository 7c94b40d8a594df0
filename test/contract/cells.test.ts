import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { noFilters } from '../../src/payments/search/search.ts';
import { StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { FENCED } from '../../src/store/cells/cell.ts';
import type { Cells, Route } from '../../src/store/cells/route.ts';
import { routes } from '../../src/store/cells/routes.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { shared } from './everyStore.ts';
import { connectTo, dropUnused } from './freshDatabases.ts';
import { freshDatabases, openCells, openCellsBy, openNode } from './openCells.ts';
import { documentContract } from './storeDocuments.ts';
import { commit, NOW, nextId, OPEN, payment } from './storeFixtures.ts';
import { settlementFile, settlementRecord, unmatched } from './storeSettlementFixtures.ts';

/** Merchants in several databases. cells.long.test.ts has the whole contract of the store on them. */

after(dropUnused);

describe('cells', () => documentContract('cells', shared(openCells)));

test('every method of a store has a row, and no row is without a method', () => {
  const methods = Object.keys(createMemoryStore()).filter((name) => name !== 'outbox');
  assert.deepEqual(Object.keys(routes).toSorted(), methods.toSorted());
  assert.ok(methods.length > 160, `${methods.length} methods`);
});

/** Three databases, each with one merchant, and a node on them. */
async function threeMerchants(): Promise<{
  readonly urls: readonly string[];
  readonly node: Store;
  readonly merchantIds: readonly [string, string, string];
  end(isChanged?: boolean): Promise<void>;
}> {
  const databases = await freshDatabases();
  const urls = databases.map(({ url }) => url);
  const node = await openNode(urls);
  const merchantIds = [nextId(), nextId(), nextId()] as const;
  for (const merchantId of merchantIds) assert.equal((await node.commit(commit(payment({ merchantId }), 0))).is, 'kept');
  const end = async (isChanged = false) => {
    await node.close();
    for (const { giveBack } of databases) await giveBack(isChanged);
  };
  return { urls, node, merchantIds, end };
}

const paymentsIn = async (url: string): Promise<readonly string[]> => {
  const sql = connectTo(url);
  const rows = await sql.unsafe('SELECT merchant_id FROM payment ORDER BY created_at, id').finally(() => sql.end());
  return rows.map(({ merchant_id }) => String(merchant_id));
};

type Session = ReturnType<typeof connectTo>;

/** Marks a merchant as gone from the second cell and places it in the third, as a move does at its end. */
async function moveToSouth(urls: readonly string[], merchantId: string): Promise<void> {
  const [control, source, target] = urls.map(connectTo) as [Session, Session, Session];
  await source.begin(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${merchantId}, 7120946218))`;
    await sql`UPDATE owned_merchant SET state = 'gone', epoch = 2 WHERE merchant_id = ${merchantId}`;
  });
  await target`INSERT INTO owned_merchant (merchant_id, epoch, state) VALUES (${merchantId}, 2, 'here')`;
  await control`UPDATE merchant_cell SET cell = 'south', epoch = 2 WHERE merchant_id = ${merchantId}`;
  await Promise.all([control.end(), source.end(), target.end()]);
}

const isFenced = (error: unknown): boolean => error instanceof StoreOutOfOrder && error.code === FENCED;

test('new merchants are spread over the cells, each lives in one of them, and lists find all of them', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  assert.deepEqual(
    await Promise.all(urls.map(paymentsIn)),
    merchantIds.map((id) => [id]),
  );
  const asked = { ...noFilters, merchantIds, entityId: null, needles: null, after: null, effort: 1_000 };
  const first = await node.search({ ...asked, limit: 2 });
  const rest = await node.search({ ...asked, limit: 2, after: first.next });
  assert.deepEqual(
    [...first.payments, ...rest.payments].map(({ merchantId }) => merchantId),
    merchantIds.toReversed(),
  );
});

test('a node with an old map cannot write to the cell that a merchant has left, and finds the new one at the next try', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  const [, merchantId] = merchantIds;
  await moveToSouth(urls, merchantId);
  const late = commit(payment({ merchantId, createdAt: NOW + 1 }), 0);
  await assert.rejects(node.commit(late), isFenced);
  assert.deepEqual(await paymentsIn(urls[1] as string), [merchantId], 'nothing was written to the old cell');
  assert.equal((await node.commit(late)).is, 'kept');
  assert.deepEqual(await paymentsIn(urls[2] as string), [merchantIds[2], merchantId]);
  // Nothing brings the merchant back to the cell.
  const other = await openNode(urls);
  assert.equal((await other.payment(merchantId, late.payment.id))?.id, late.payment.id);
  await other.close();
});

test('a node learns of a move by the changes of the directory', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  const from = await node.lastDirectoryChange();
  await moveToSouth(urls, merchantIds[1]);
  assert.equal((await node.directoryChanges(from, 100)).at(-1)?.key, merchantIds[1]);
  assert.equal((await node.commit(commit(payment({ merchantId: merchantIds[1] }), 0))).is, 'kept');
});

test('a move waits for the writers before it, and those behind it are refused', async (t) => {
  const { urls, merchantIds, end } = await threeMerchants();
  const [writer, late, mover] = [0, 1, 2].map(() => connectTo(urls[1] as string)) as [Session, Session, Session];
  t.after(async () => {
    await Promise.all([writer, late, mover].map((session) => session.end()));
    await end();
  });
  const [, merchantId] = merchantIds;
  const lock = `hashtextextended('${merchantId}', 7120946218)`;
  const write = `INSERT INTO settlement_day (merchant_id, since) VALUES ('${merchantId}', 1)
    ON CONFLICT (merchant_id) DO UPDATE SET since = 1`;
  const isFree = async () => (await mover.unsafe(`SELECT pg_try_advisory_xact_lock(${lock}) AS free`))[0]?.free;
  await writer.unsafe('BEGIN');
  await writer.unsafe(write);
  assert.equal(await isFree(), false, 'the move would have to wait');
  await writer.unsafe('COMMIT');
  await mover.unsafe('BEGIN');
  assert.equal(await isFree(), true);
  await mover.unsafe(`UPDATE owned_merchant SET state = 'gone', epoch = 2 WHERE merchant_id = '${merchantId}'`);
  const refused = assert.rejects(late.unsafe(write), /merchant_fence/);
  // Without the lock the writer would read that the merchant is here still, and be done.
  while ((await writer.unsafe(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length === 0) await pause(5);
  await mover.unsafe('COMMIT');
  await refused;
});

test('what settles a merchant who has left is refused: lines of files, and the end of work that is done', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  const [, merchantId] = merchantIds;
  const day = { merchantId, since: NOW, dueAt: null };
  assert.equal(await node.saveDay(day, null), true);
  const act = { does: 'pay', number: 0, gross: '9200', fee: '153' } as const;
  const work = { merchantId, paymentId: nextId(), dueAt: NOW, act };
  assert.equal(await node.addScheduledSettlements(day, [work]), true);
  const file = settlementFile();
  const [first, second] = [1, 2].map((line) => settlementRecord(file, { merchantId, match: unmatched, line }));
  assert.equal(await node.beginFile(file), null);
  assert.equal(await node.addRecords(file.id, first ? [first] : [], NOW), true);
  await moveToSouth(urls, merchantId);
  await assert.rejects(node.addRecords(file.id, second ? [second] : [], NOW), isFenced);
  const sql = connectTo(urls[1] as string);
  t.after(() => sql.end());
  await assert.rejects(
    sql.unsafe(`UPDATE settlement_record SET merchant_id = NULL, revision = 2 WHERE merchant_id = '${merchantId}'`),
    /merchant_fence/,
  );
  await assert.rejects(sql.unsafe(`DELETE FROM scheduled_settlement WHERE merchant_id = '${merchantId}'`), /merchant_fence/);
  await assert.rejects(sql.unsafe(`INSERT INTO statistic_open VALUES ('${merchantId}', 'subject', 1, '')`), /merchant_fence/);
  assert.equal((await sql.unsafe(`SELECT 1 FROM scheduled_settlement WHERE merchant_id = '${merchantId}'`)).length, 1);
});

test('a stranger in a batch is refused alone', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  const neighbour = nextId();
  // Of three new merchants one is placed in each cell.
  for (const merchantId of [nextId(), neighbour, nextId()]) await node.commit(commit(payment({ merchantId }), 0));
  assert.ok((await paymentsIn(urls[1] as string)).includes(neighbour));
  await moveToSouth(urls, merchantIds[1]);
  const commits = [merchantIds[1], neighbour].map((merchantId) => node.commit(commit(payment({ merchantId }), 0)));
  const [stranger, own] = await Promise.allSettled(commits);
  assert.equal(stranger?.status === 'rejected' && isFenced(stranger.reason), true);
  assert.equal(own?.status === 'fulfilled' && own.value.is, 'kept');
});

test('the control: without its fence a cell takes what an old map brings', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end(true));
  const sql = connectTo(urls[1] as string);
  const tables = ['payment', 'posting', 'idempotency', 'outbox'];
  await sql.unsafe(tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`).join('; ')).finally(() => sql.end());
  await moveToSouth(urls, merchantIds[1]);
  assert.equal((await node.commit(commit(payment({ merchantId: merchantIds[1] }), 0))).is, 'kept');
  assert.equal((await paymentsIn(urls[1] as string)).length, 2, 'the payment is in a cell where nobody looks for it');
});

test('a cell that is gone leaves the merchants of the others as they are', async (t) => {
  const { urls, node, merchantIds, end } = await threeMerchants();
  t.after(() => end());
  const name = new URL(urls[1] as string).pathname.slice(1);
  const sql = connectTo(urls[0] as string);
  await sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await sql.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  const pay = (merchantId: string) => node.commit(commit(payment({ merchantId, phase: OPEN }), 0));
  const [north, , south] = merchantIds;
  for (let count = 0; count < 5; count += 1)
    for (const merchantId of [north, south]) assert.equal((await pay(merchantId)).is, 'kept');
  await assert.rejects(pay(merchantIds[1]));
  const due = { now: NOW + 60_000, limit: 100, merchants: allMerchants };
  assert.equal((await node.due(due)).length, 10);
  assert.equal((await node.claimDue({ ...due, until: NOW + 120_000 })).length, 10);
  await node.ping();
  await sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`).finally(() => sql.end());
  // The node waits a moment before it connects again.
  for (let tries = 0; tries < 100; tries += 1) {
    const paid = await pay(merchantIds[1]).catch(() => null);
    if (paid !== null) break;
    await pause(100);
  }
  assert.equal((await node.due(due)).length, 11);
});

/** Sends a merchant's payment to the next cell. */
const wrongCell: Route<'payment'> = {
  kind: 'merchant',
  make: (cells: Cells) => async (merchantId, paymentId) => {
    const at = cells.cells.indexOf(await cells.map.cellOf(merchantId));
    return (cells.cells[(at + 1) % cells.cells.length] as Cells['cells'][number]).store.payment(merchantId, paymentId);
  },
};

test('the control: a row that leads to the wrong cell is found', async (t) => {
  const { store, end } = await openCellsBy({ ...routes, payment: wrongCell })();
  t.after(() => end());
  const kept = payment({ merchantId: nextId() });
  await store.commit(commit(kept, 0));
  assert.equal(await store.payment(kept.merchantId, kept.id), null);
});
