import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntityRow, TokenRow } from '../../src/merchants/ports.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
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
const kept = (row: EntityRow, revision = 1) => ({ ...row, revision });
const byId = entities.toReversed().map((row) => kept(row));

/** Entities and tokens are written once and stay. */
export function merchantContract(name: string, open: Open): void {
  test(`${name}: entities and tokens come back in the order of their ids`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual([await store.entities(), await store.tokens()], [[], []]);
    assert.equal(await store.insertAccounts({ entities, tokens: tokens.toReversed() }), 6);
    assert.deepEqual(await store.entities(), byId);
    assert.deepEqual(await store.tokens(), tokens);
  });

  test(`${name}: existing rows do not change`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.insertAccounts({ entities, tokens });
    assert.equal(await store.insertAccounts({ entities, tokens }), 0);
    const changed = {
      entities: [entity('a', { name: 'changed' }), entity('d')],
      tokens: [{ ...token('1', 'a'), userId: 'changed' }],
    };
    assert.equal(await store.insertAccounts(changed), 1);
    assert.deepEqual(await store.entities(), [...byId, kept(entity('d'))]);
    assert.deepEqual(await store.tokens(), tokens);
  });

  test(`${name}: settings are replaced, of one entity only`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.insertAccounts({ entities, tokens });
    const settings = { wallets: { walletA: { keys: ['é😀', null, 1] } } };
    assert.equal(await store.setSettings('b', settings), true);
    assert.equal(await store.setSettings('nobody', settings), false);
    assert.deepEqual(
      await store.entities(),
      byId.map((row) => (row.id === 'b' ? { ...row, settings, revision: 2 } : row)),
    );
    assert.equal(await store.setSettings('b', {}), true);
    assert.deepEqual(
      await store.entities(),
      byId.map((row) => (row.id === 'b' ? { ...row, revision: 3 } : row)),
    );
  });

  test(`${name}: an entity is changed only on the previous revision`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.insertAccounts({ entities, tokens });
    const second = { id: 'b', name: 'Ünder another name', settings: { timeZone: 'UTC' }, revision: 2 };
    assert.equal(await store.saveEntity({ ...second, revision: 3 }), false, 'nobody made the second yet');
    assert.equal(await store.saveEntity({ ...second, id: 'nobody' }), false);
    const both = await Promise.all([second, { ...second, name: 'other' }].map((one) => store.saveEntity(one)));
    assert.deepEqual(both.toSorted(), [false, true]);
    assert.equal(await store.setSettings('b', { isLenient: true }), true, 'a save without a revision succeeds');
    assert.equal(await store.saveEntity({ ...second, revision: 3 }), false, 'and is noticed');
    assert.equal(await store.saveEntity({ ...second, revision: 4 }), true);
    assert.deepEqual(
      await store.entities(),
      byId.map((row) => (row.id === 'b' ? { ...row, ...second, revision: 4 } : row)),
    );
  });

  test(`${name}: a token keeps its name, issuer and expiry; an expired one stays expired`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const named = { ...token('3', 'a'), name: 'Shop „Süd“', createdBy: 'ann', endsAt: NOW + 5, usedOn: 0 };
    await store.insertAccounts({ entities, tokens: [...tokens, named] });
    assert.deepEqual(await store.tokens(), [...tokens, named]);
    const place = { tokenHash: named.tokenHash, entityId: 'a' };
    assert.equal(await store.endToken({ ...place, entityId: 'b' }, NOW, NOW), false, 'another place');
    assert.equal(await store.endToken(place, null, NOW), true);
    assert.deepEqual((await store.tokens()).at(-1), { ...token('3', 'a'), name: named.name, createdBy: 'ann', usedOn: 0 });
    assert.equal(await store.endToken(place, NOW + 9, NOW), true);
    assert.equal((await store.tokens()).at(-1)?.endsAt, NOW + 9);
    assert.equal(await store.endToken(place, NOW, NOW), true, 'now');
    assert.equal(await store.endToken(place, null, NOW), false, 'it has ended');
    assert.equal((await store.tokens()).at(-1)?.endsAt, NOW);
  });

  test(`${name}: a token keeps the addresses that it allows, until it is expired`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const listed = { ...token('3', 'a'), allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'] };
    await store.insertAccounts({ entities, tokens: [...tokens, listed] });
    assert.deepEqual(await store.tokens(), [...tokens, listed]);
    const place = { tokenHash: listed.tokenHash, entityId: 'a' };
    assert.equal(await store.setTokenAddresses({ ...place, entityId: 'b' }, null, NOW), false, 'another place');
    assert.equal(await store.setTokenAddresses(place, ['198.51.100.7'], NOW), true);
    assert.deepEqual((await store.tokens()).at(-1), { ...listed, allowedAddresses: ['198.51.100.7'] });
    assert.equal(await store.setTokenAddresses(place, null, NOW), true);
    assert.deepEqual(await store.tokens(), [...tokens, token('3', 'a')]);
    assert.equal(await store.endToken(place, NOW, NOW), true);
    assert.equal(await store.setTokenAddresses(place, ['198.51.100.7'], NOW), false, 'it has ended');
    assert.deepEqual(await store.tokens(), [...tokens, { ...token('3', 'a'), endsAt: NOW }]);
  });

  test(`${name}: the last day on which a token was used is kept, for each of its entities`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.insertAccounts({ entities, tokens });
    const [first] = tokens as [TokenRow];
    const place = { tokenHash: first.tokenHash, entityId: 'a' };
    await store.saveTokenUses([]);
    await store.saveTokenUses([
      { ...place, usedOn: 86_400_000 },
      { ...place, entityId: 'nobody', usedOn: 5 },
    ]);
    await store.saveTokenUses([{ ...place, usedOn: 0 }]);
    assert.deepEqual(await store.tokens(), [{ ...first, usedOn: 86_400_000 }, ...tokens.slice(1)]);
  });

  test(`${name}: two nodes that insert the same accounts at once write every row once`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const added = await Promise.all(Array.from({ length: 8 }, () => store.insertAccounts({ entities, tokens })));
    assert.equal(
      added.reduce((sum, count) => sum + count, 0),
      6,
    );
    assert.deepEqual([(await store.entities()).length, (await store.tokens()).length], [3, 3]);
  });

  const orphans: readonly (readonly [what: string, rows: { entities: EntityRow[]; tokens: TokenRow[] }])[] = [
    ['an entity below an unknown one', { entities: [entity('x'), entity('y', { parentId: 'z' })], tokens: [] }],
    ['a token of an unknown entity', { entities: [entity('x')], tokens: [token('1', 'z')] }],
    ['a token in clear', { entities: [entity('x')], tokens: [{ ...token('1', 'x'), tokenHash: 'secret' }] }],
  ];
  for (const [what, rows] of orphans) {
    test(`${name}: ${what} is refused with its whole batch`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      await assert.rejects(store.insertAccounts(rows), BrokenCommit);
      assert.deepEqual([await store.entities(), await store.tokens()], [[], []]);
    });
  }
}
