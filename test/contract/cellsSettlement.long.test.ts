import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verify } from '../../src/ledger/verify.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import type { Cell, Placements } from '../../src/store/cells/cell.ts';
import { openCellsStore } from '../../src/store/cells/cellsStore.ts';
import { withAudit } from '../../src/store/openAudit.ts';
import { openPostgresCell } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { dropUnused } from './freshDatabases.ts';
import { freshDatabases } from './openCells.ts';
import { keepWithEffects, NOW, nextId, payment } from './storeFixtures.ts';
import { matchedWith, settlementFile, settlementRecord, unmatched } from './storeSettlementFixtures.ts';

/** Files that settle payments of several cells, with crashes between their databases. */

after(dropUnused);

type Planted = { tryKeepFile?: () => Promise<never>; keepFile?: () => Promise<never>; adoptRecord?: () => Promise<never> };

/** A node whose second cell fails as planted. */
async function openNode(urls: readonly string[], planted: Planted = {}): Promise<Store> {
  const cells: (Cell & Placements)[] = [];
  for (const [at, url] of urls.entries()) {
    const cell = await openPostgresCell(`cell ${at}`, { url, poolMax: 2 });
    await cell.fence();
    const { keepFile, ...more } = at === 1 ? planted : {};
    cells.push({ ...cell, ...more, store: keepFile ? { ...cell.store, keepFile } : cell.store });
  }
  return openCellsStore({ control: cells[0] as Cell & Placements, cells });
}

async function findingsIn(urls: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const databaseUrl of urls) {
    const asked = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
    const { findings } = await withAudit({ databaseUrl }, (audit) => verify(audit, asked));
    found.push(...findings.map(({ says }) => says));
  }
  return found;
}

/** A payment of each of three merchants, each in a cell of its own, and a file that settles them, with a line of nobody. */
async function imported(urls: readonly string[]) {
  const node = await openNode(urls);
  const payments = [nextId(), nextId(), nextId()].map((merchantId) => payment({ merchantId }));
  for (const one of payments) assert.equal(await keepWithEffects(node, one), 'kept');
  const file = settlementFile();
  const lines = payments.map(({ merchantId, id }, at) =>
    settlementRecord(file, { merchantId, match: matchedWith(id), line: at + 1 }),
  );
  const stray = settlementRecord(file, { merchantId: null, entityId: null, match: unmatched, line: 4 });
  assert.equal(await node.beginFile(file), null);
  assert.equal(await node.addRecords(file.id, [...lines, stray], NOW), true);
  await node.close();
  return { payments, file, lines, stray };
}

const isVisible = async (node: Store, records: readonly SettlementRecord[]): Promise<readonly boolean[]> =>
  Promise.all(records.map(async ({ id }) => (await node.record(id)) !== null));

const fails = async (): Promise<never> => {
  throw new Error('killed');
};

test('a file is kept by all cells or by none, and what a crash interrupts is finished', async (t) => {
  const databases = await freshDatabases();
  t.after(async () => {
    for (const { giveBack } of databases) await giveBack(false);
  });
  const urls = databases.map(({ url }) => url);
  const { file, lines, stray, payments } = await imported(urls);

  const refusing = await openNode(urls, { tryKeepFile: fails });
  await assert.rejects(refusing.keepFile(file.id, 4));
  assert.deepEqual(await isVisible(refusing, [...lines, stray]), [false, false, false, false]);
  await refusing.close();

  const dying = await openNode(urls, { keepFile: fails });
  await assert.rejects(dying.keepFile(file.id, 4));
  await dying.close();
  const node = await openNode(urls);
  assert.equal((await isVisible(node, lines)).includes(false), true, 'the second cell has not kept its lines');
  assert.deepEqual(await node.abandonedFiles(NOW + 1, 10), []);
  assert.deepEqual(await isVisible(node, [...lines, stray]), [true, true, true, true]);
  assert.deepEqual(await node.countFile(file.id), { MATCHED: 3, MULTIPLE_MATCHES: 0, NOT_MATCHED: 1, open: 1 });
  assert.deepEqual(await findingsIn(urls), []);

  // The line of nobody is matched with a payment of the second cell, and the node dies on the way.
  const mate = payment({ merchantId: payments[1]?.merchantId ?? '', createdAt: NOW + 1 });
  await keepWithEffects(node, mate);
  const matched = { ...stray, merchantId: mate.merchantId, entityId: 'channel', match: matchedWith(mate.id), revision: 2 };
  await node.close();
  const carrying = await openNode(urls, { adoptRecord: fails });
  await assert.rejects(carrying.saveRecord(matched, NOW + 2));
  await carrying.close();
  const next = await openNode(urls);
  assert.deepEqual(await next.records({ merchantId: mate.merchantId, limit: 9 }), [lines[1]]);
  await next.abandonedFiles(NOW + 3, 10);
  assert.deepEqual(await next.records({ merchantId: mate.merchantId, limit: 9 }), [lines[1], matched]);
  assert.deepEqual(await next.record(stray.id), matched);
  assert.deepEqual(await findingsIn(urls), []);
  assert.equal(
    await next.saveRecord({ ...matched, match: unmatched, merchantId: null, entityId: null, revision: 3 }, NOW + 4),
    true,
  );
  assert.deepEqual(await findingsIn(urls), []);
  await next.close();
});

test('a file that is dropped is dropped by all cells', async (t) => {
  const databases = await freshDatabases();
  t.after(async () => {
    for (const { giveBack } of databases) await giveBack(false);
  });
  const urls = databases.map(({ url }) => url);
  const { file, lines } = await imported(urls);
  const node = await openNode(urls);
  t.after(() => node.close());
  await node.dropFile(file.id);
  assert.equal(await node.file(file.id), null);
  assert.equal(await node.beginFile(file), null);
  assert.equal(await node.addRecords(file.id, lines, NOW), true);
  assert.equal(await node.keepFile(file.id, 3), true);
  assert.deepEqual(await isVisible(node, lines), [true, true, true]);
  assert.deepEqual(await findingsIn(urls), []);
});
