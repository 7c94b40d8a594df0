import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntityRow, TokenRow } from '../../src/merchants/needs.ts';
import { BrokenCommit } from '../../src/store/errors.ts';
import { NOW, type Open } from './storeFixtures.ts';

const entity = (id: string, changes: Partial<EntityRow> = {}): EntityRow => ({
  id,
  kind: 'psp',
  parentId: null,
  name: `Entity ${id}`,
  settings: {},
  ...changes,
});
const token = (tokenHash: string, entityId: string): TokenRow => ({
  userId: `user of ${tokenHash}`,
  tokenHash: tokenHash.padEnd(64, '0'),
  entityId,
  createdAt: NOW,
});

const entities = [
  entity('c', { kind: 'channel', parentId: 'b', settings: JSON.parse('{"a":{"b":[1,"é😀",null,true]},"__proto__":1}') }),
  entity('b', { kind: 'merchant', parentId: 'a', name: '"Größe" \\ 😀' }),
  entity('a'),
];
const tokens = [token('1', 'a'), token('1', 'b'), token('2', 'c')];
const byId = entities.toReversed();

/** Entities and tokens are written once and stay. */
export function merchantContract(name: string, open: Open): void {
  test(`${name}: entities and tokens come back in the order of their ids`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual([await store.entities(), await store.tokens()], [[], []]);
    assert.equal(await store.seed({ entities, tokens: tokens.toReversed() }), 6);
    assert.deepEqual(await store.entities(), byId);
    assert.deepEqual(await store.tokens(), tokens);
  });

  test(`${name}: what is there stays as it is`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.seed({ entities, tokens });
    assert.equal(await store.seed({ entities, tokens }), 0);
    const changed = {
      entities: [entity('a', { name: 'changed' }), entity('d')],
      tokens: [{ ...token('1', 'a'), userId: 'changed' }],
    };
    assert.equal(await store.seed(changed), 1);
    assert.deepEqual(await store.entities(), [...byId, entity('d')]);
    assert.deepEqual(await store.tokens(), tokens);
  });

  test(`${name}: settings are put in the place of others, of one entity alone`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.seed({ entities, tokens });
    const settings = { wallets: { walletA: { keys: ['é😀', null, 1] } } };
    assert.equal(await store.setSettings('b', settings), true);
    assert.equal(await store.setSettings('nobody', settings), false);
    assert.deepEqual(
      await store.entities(),
      byId.map((row) => (row.id === 'b' ? { ...row, settings } : row)),
    );
    assert.equal(await store.setSettings('b', {}), true);
    assert.deepEqual(await store.entities(), byId);
  });

  test(`${name}: two that seed at the same time write every row once`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const added = await Promise.all(Array.from({ length: 8 }, () => store.seed({ entities, tokens })));
    assert.equal(
      added.reduce((sum, count) => sum + count, 0),
      6,
    );
    assert.deepEqual([(await store.entities()).length, (await store.tokens()).length], [3, 3]);
  });

  const orphans: readonly (readonly [what: string, rows: { entities: EntityRow[]; tokens: TokenRow[] }])[] = [
    ['an entity below nobody', { entities: [entity('x'), entity('y', { parentId: 'z' })], tokens: [] }],
    ['a token for nobody', { entities: [entity('x')], tokens: [token('1', 'z')] }],
    ['a token in clear', { entities: [entity('x')], tokens: [{ ...token('1', 'x'), tokenHash: 'secret' }] }],
  ];
  for (const [what, rows] of orphans) {
    test(`${name}: ${what} is refused with all that came with it`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      await assert.rejects(store.seed(rows), BrokenCommit);
      assert.deepEqual([await store.entities(), await store.tokens()], [[], []]);
    });
  }
}
