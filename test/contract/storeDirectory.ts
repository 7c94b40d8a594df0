import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CellPage,
  type EntityRow,
  type GrantCells,
  grantCellsOf,
  type PageCursor,
  type TokenRow,
} from '../../src/merchants/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, type Open } from './storeFixtures.ts';

const entity = (id: string, kind: EntityRow['kind'], parentId: string | null): EntityRow => ({
  id,
  kind,
  parentId,
  name: `Entity ${id}`,
  settings: { isLenient: true },
});
async function allPages<Cells>(page: (after: PageCursor | null) => Promise<CellPage<Cells>>): Promise<readonly Cells[]> {
  const found: Cells[] = [];
  for (let after: PageCursor | null = null; ; ) {
    const { rows, next }: CellPage<Cells> = await page(after);
    found.push(...rows);
    if (next === null) return found;
    after = next;
  }
}
const token = (tokenHash: string, userId: string, entityId: string): TokenRow => ({
  userId,
  tokenHash: tokenHash.padEnd(64, '0'),
  entityId,
  createdAt: NOW,
});

const entities = [
  entity('p', 'psp', null),
  entity('q', 'psp', null),
  entity('d', 'division', 'p'),
  entity('m1', 'merchant', 'd'),
  entity('m2', 'merchant', 'd'),
  entity('m3', 'merchant', 'd'),
  entity('c11', 'channel', 'm1'),
  entity('c12', 'channel', 'm1'),
  entity('c21', 'channel', 'm2'),
];
const tokens = [token('1', 'ann', 'm1'), token('2', 'ann', 'm2'), token('3', 'bob', 'm1'), token('4', 'eve', 'p')];
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Entities and tokens by id and in pages, and the changes of them. */
export function directoryContract(name: string, open: Open): void {
  const onStore = (title: string, work: (store: Store) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      await store.insertAccounts({ entities, tokens });
      await work(store);
    });

  const lineages: readonly (readonly [asked: readonly string[], found: readonly string[]])[] = [
    [[], []],
    [['nobody', ''], []],
    [['p'], ['p']],
    [['d'], ['d', 'p']],
    [['m3'], ['d', 'm3', 'p']],
    [['c11'], ['c11', 'c12', 'd', 'm1', 'p']],
    [
      ['m1', 'c12', 'nobody'],
      ['c11', 'c12', 'd', 'm1', 'p'],
    ],
    [
      ['c11', 'c21', 'q'],
      ['c11', 'c12', 'c21', 'd', 'm1', 'm2', 'p', 'q'],
    ],
  ];
  onStore('an entity comes with those above it and the channels of its merchant', async (store) => {
    for (const [asked, found] of lineages) {
      const rows = await store.lineages(asked);
      assert.deepEqual(idsOf(rows).toSorted(), found, asked.join());
      for (const row of rows) assert.deepEqual(row, { ...entities.find(({ id }) => id === row.id), revision: 1 });
    }
  });

  onStore('entities below one come in pages, by name and id, with the number of those below them', async (store) => {
    const below = async (...asked: Parameters<Store['entitiesBelow']>) =>
      (await store.entitiesBelow(...asked)).map(({ row, below: count }) => `${row.id} ${count}`);
    assert.deepEqual(await below(null, null, 10), ['p 1', 'q 0']);
    assert.deepEqual(await below(null, { name: 'Entity p', id: 'p' }, 10), ['q 0']);
    assert.deepEqual(await below('d', null, 2), ['m1 2', 'm2 1']);
    assert.deepEqual(await below('d', { name: 'Entity m2', id: 'm2' }, 9), ['m3 0']);
    assert.deepEqual(await below('d', { name: 'Entity m3', id: 'm3' }, 9), []);
    assert.deepEqual([await store.countBelow('d'), await store.countBelow('nobody')], [3, 0]);
    assert.deepEqual([await below('c11', null, 9), await below('nobody', null, 9)], [[], []]);
    await store.saveEntity({ id: 'm1', name: 'Zebra', settings: {}, revision: 2 });
    assert.deepEqual(await below('d', null, 9), ['m2 1', 'm3 0', 'm1 2']);
  });

  onStore('all entities and tokens come page after page', async (store) => {
    const ids = entities.map(({ id }) => id).toSorted();
    const stored = new Map((await store.entities()).map((row) => [row.id, row]));
    const found = await allPages((after) => store.entityPage(after, 4));
    assert.deepEqual(found.map(([id]) => id).toSorted(), ids);
    for (const [id, kind, parentId, name, settings, revision] of found)
      assert.deepEqual({ id, kind, parentId, name, settings: JSON.parse(settings), revision }, stored.get(id));
    const byHash = ([one]: GrantCells, [other]: GrantCells) => (one < other ? -1 : 1);
    for (const limit of [1, 3, 4, 100])
      assert.deepEqual(
        (await allPages((after) => store.grantPage(after, limit))).toSorted(byHash),
        tokens.map(grantCellsOf),
        String(limit),
      );
    assert.deepEqual(await store.tokenPage(null, 2), tokens.slice(0, 2));
    assert.deepEqual(await store.tokenPage(tokens[1] ?? null, 100), tokens.slice(2));
    assert.deepEqual(await store.tokenPage(tokens[3] ?? null, 100), []);
  });

  onStore('tokens are found by user and by entity', async (store) => {
    assert.deepEqual(await store.tokensOfUsers(['ann', 'eve', 'nobody']), [tokens[0], tokens[1], tokens[3]]);
    assert.deepEqual(await store.tokensOfUsers([]), []);
    assert.deepEqual(await store.tokensOfEntity('m1'), [tokens[0], tokens[2]]);
    assert.deepEqual(await store.tokensOfEntity('c11'), []);
  });

  const place = { tokenHash: token('1', 'ann', 'm1').tokenHash, entityId: 'm1' };
  const changes: readonly (readonly [what: string, work: (store: Store) => Promise<unknown>, noted: readonly string[]])[] = [
    ['settings', (store) => store.setSettings('m1', {}), ['entity m1']],
    [
      'a change of an entity above merchants',
      (store) => store.saveEntity({ id: 'd', name: 'D', settings: {}, revision: 2 }),
      ['entity d'],
    ],
    [
      'a channel counts as its merchant',
      (store) => store.saveEntity({ id: 'c11', name: 'C', settings: {}, revision: 2 }),
      ['entity m1'],
    ],
    ['a change that came too late', (store) => store.saveEntity({ id: 'd', name: 'D', settings: {}, revision: 7 }), []],
    ['the end of a token', (store) => store.endToken(place, NOW, NOW), ['token ann']],
    ['the addresses of a token', (store) => store.setTokenAddresses(place, ['192.0.2.1'], NOW), ['token ann']],
    ['the use of a token', (store) => store.saveTokenUses([{ ...place, usedOn: 86_400_000 }]), []],
    [
      'new rows',
      (store) => store.insertAccounts({ entities: [entity('c31', 'channel', 'm3')], tokens: [token('5', 'zoe', 'c31')] }),
      ['entity m3', 'token zoe'],
    ],
    ['rows that are there', (store) => store.insertAccounts({ entities, tokens }), []],
  ];
  for (const [what, work, noted] of changes) {
    onStore(`changes: ${what}`, async (store) => {
      const last = await store.lastDirectoryChange();
      await work(store);
      const [first, ...others] = await store.directoryChanges(last, 100);
      assert.equal(first?.seq, last, 'the change where the reader left off comes first');
      assert.deepEqual([...new Set(others.map(({ kind, key }) => `${kind} ${key}`))], noted);
      assert.equal(await store.lastDirectoryChange(), others.at(-1)?.seq ?? last);
    });
  }

  onStore('changes come in pages; the newest stay, and a reader sees that its own is gone', async (store) => {
    const before = await store.lastDirectoryChange();
    for (let turn = 0; turn < 5; turn += 1) await store.setSettings('m1', {});
    const page = await store.directoryChanges(before, 3);
    assert.deepEqual([page.length, page[0]?.seq], [3, before]);
    assert.ok((await store.deleteDirectoryChanges(2)) > 0);
    const left = await store.directoryChanges(before, 100);
    assert.deepEqual([left.length, left[0]?.seq === before, left.at(-1)?.seq], [2, false, await store.lastDirectoryChange()]);
    assert.equal(await store.deleteDirectoryChanges(2), 0);
  });

  onStore('changes of writers at the same time are read in order, and none is missed', async (store) => {
    let last = await store.lastDirectoryChange();
    const seen: string[] = [];
    const follow = async () => {
      const [, ...changes] = await store.directoryChanges(last, 1_000);
      for (const { seq, key } of changes) {
        last = seq;
        seen.push(key);
      }
    };
    const merchants = Array.from({ length: 60 }, (_, at) => entity(`n${at}`, 'merchant', 'd'));
    let isWriting = true;
    const writing = Promise.all(merchants.map((row) => store.insertAccounts({ entities: [row], tokens: [] }))).then(() => {
      isWriting = false;
    });
    while (isWriting) {
      await follow();
      await new Promise(setImmediate);
    }
    await writing;
    await follow();
    assert.deepEqual(seen.toSorted(), idsOf(merchants).toSorted());
  });
}
