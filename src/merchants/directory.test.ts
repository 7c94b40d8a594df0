import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { createDirectory, type DirectoryStore, fixedRows, hierarchy } from './directory.ts';
import type { EntityRow, MerchantStore, TokenRow } from './ports.ts';
import { sandbox, sandboxRows } from './sandbox.ts';
import { tokenHash, tokenOf } from './tokens.ts';

const { demoShop, otherShop } = sandbox;
const seed = sandboxRows(0);

const storeOf = (rows: { entities: readonly EntityRow[]; tokens: readonly TokenRow[] }) => fixedRows(async () => rows);

const channel = (over: Partial<EntityRow>): EntityRow => ({
  id: 'c'.repeat(32),
  kind: 'channel',
  parentId: demoShop.merchantId,
  name: 'Corner_Shop',
  settings: {},
  ...over,
});

test('the sandbox is a tree of four levels with resolved settings', () => {
  const tree = hierarchy(seed.entities);
  const shop = tree.get(demoShop.channelId);
  assert.deepEqual(shop?.path, [demoShop.channelId, demoShop.merchantId, sandbox.division, sandbox.psp]);
  assert.equal(shop?.channel?.merchantId, demoShop.merchantId);
  assert.deepEqual(shop?.channel?.connectors, { default: 'simulator' }, 'inherited from the PSP');
  assert.equal(shop?.channel?.isLenient, false);
  assert.equal(tree.get(demoShop.lenientChannelId)?.channel?.isLenient, true);
  assert.deepEqual(
    tree.get(demoShop.merchantId)?.channels.map(({ name }) => name),
    ['Demo_Shop', 'Demo_Lenient'],
  );
  assert.equal(tree.get(sandbox.division)?.merchantId, null);
});

test('rows may come in any order', () => {
  assert.equal(hierarchy(seed.entities.toReversed()).size, seed.entities.length);
});

const inherited: [
  what: string,
  merchant: Record<string, unknown>,
  own: Record<string, unknown>,
  expected: Record<string, unknown>,
][] = [
  ['a setting of the merchant', { timeZone: 'Europe/Vienna' }, {}, { timeZone: 'Europe/Vienna' }],
  ['the channel has the last word', { isLenient: true }, { isLenient: false }, { isLenient: false }],
  ['a disabled merchant disables', { state: 'disabled' }, { state: 'active' }, { state: 'disabled' }],
  ['dispatching concerns the merchant alone', { dispatch: true }, {}, { priority: 100 }],
  ['one method elsewhere', {}, { connectors: { DD: 'bank' } }, { connectors: { default: 'simulator', DD: 'bank' } }],
  [
    'another default replaces all',
    { connectors: { DD: 'bank' } },
    { connectors: { default: 'x' } },
    { connectors: { default: 'x' } },
  ],
];
for (const [what, merchant, own, expected] of inherited) {
  test(`inheritance: ${what}`, () => {
    const rows = seed.entities.map((row) => (row.id === demoShop.merchantId ? { ...row, settings: merchant } : row));
    const found = hierarchy([...rows, channel({ settings: own })]).get('c'.repeat(32))?.channel;
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(found?.[name as keyof typeof found], value, name);
  });
}

const broken: [row: EntityRow, says: RegExp][] = [
  [channel({ id: 'C'.repeat(32) }), /32 characters/],
  [channel({ parentId: null }), /below a merchant/],
  [channel({ parentId: sandbox.division }), /below a merchant/],
  [channel({ parentId: 'f'.repeat(32) }), /below a merchant/],
  [channel({ kind: 'shop' as 'channel' }), /"shop" is no kind/],
  [channel({ settings: { dispatch: true } }), /only a merchant can dispatch/],
  [channel({ settings: { isLeniant: true } }), /Corner_Shop.*"isLeniant" does not exist/],
  [channel({ settings: JSON.parse('{"__proto__":1}') }), /"__proto__" does not exist/],
  [channel({ settings: { isLenient: 'yes' } }), /"isLenient" must be true or false/],
  [channel({ settings: { connectors: { XX: 'simulator' } } }), /"connectors" must be/],
  [channel({ settings: { connectors: { CC: '../x' } } }), /"connectors" must be/],
  [channel({ settings: { brands: 'VISA' } }), /"brands" must be null or a list/],
  [channel({ settings: { currencies: ['eur'] } }), /"currencies" must be/],
  [channel({ settings: { timeZone: 'Mars/Olympus' } }), /"timeZone" must be/],
  [channel({ settings: { state: 'open' } }), /"state" must be one of active/],
  [channel({ settings: { priority: 1.5 } }), /"priority" must be a whole number/],
  [channel({ settings: { throttle: { pay: { requests: 0, perSeconds: 1 } } } }), /"throttle" must be/],
  [channel({ settings: { throttle: { fly: { requests: 1, perSeconds: 1 } } } }), /"throttle" must be/],
];
for (const [row, says] of broken) {
  test(`stops with a sentence: ${says.source}`, async () => {
    await assert.rejects(createDirectory(storeOf({ ...seed, entities: [...seed.entities, row] }), { now: () => 0 }), says);
  });
}

test('every fault is reported at once', () => {
  const rows = [channel({ settings: { brands: 1 } }), channel({ id: 'd'.repeat(32), settings: { state: 1 } })];
  assert.throws(() => hierarchy([...seed.entities, ...rows]), /"brands"[\s\S]*"state"/);
});

test('a token hash that is none stops the start', async () => {
  const tokens = [{ userId: demoShop.userId, tokenHash: 'abc', entityId: demoShop.merchantId, createdAt: 0 }];
  await assert.rejects(createDirectory(storeOf({ ...seed, tokens }), { now: () => 0 }), /SHA-256/);
});

test('tokens open what they were given for and nothing else', async () => {
  const second = tokenOf(demoShop.userId, 'second-password');
  const tokens = [
    ...seed.tokens,
    { userId: demoShop.userId, tokenHash: tokenHash(second), entityId: demoShop.channelId, createdAt: 1 },
  ];
  const directory = await createDirectory(storeOf({ ...seed, tokens }), { now: () => 0 });
  const cases: [token: string, opens: readonly string[]][] = [
    [demoShop.token, [demoShop.merchantId]],
    [otherShop.token, [otherShop.merchantId]],
    [second, [demoShop.channelId]],
    [tokenOf(demoShop.userId, 'wrong'), []],
    [tokenOf('f'.repeat(32), 'sandbox-demo'), []],
    [otherShop.token.replace(/=+$/, ''), []],
    ['', []],
    ['x', []],
    ['A'.repeat(10_000), []],
  ];
  for (const [token, opens] of cases) assert.deepEqual(directory.granted(token, '192.0.2.1'), opens, token.slice(0, 60));
});

test('a reload takes what changed, and a broken one leaves everything as it was', async () => {
  let rows: { entities: readonly EntityRow[]; tokens: readonly TokenRow[] } = seed;
  let now = 1_000;
  const store = fixedRows(async () => rows);
  const directory = await createDirectory(store, { now: () => now });
  now = 5_000;
  assert.equal(directory.ageMs(), 4_000);

  rows = { entities: [...seed.entities, channel({})], tokens: [] };
  await directory.reload();
  assert.equal(directory.entity('c'.repeat(32))?.name, 'Corner_Shop');
  assert.deepEqual(directory.granted(demoShop.token, '192.0.2.1'), [], 'a revoked token is refused');
  assert.equal(directory.ageMs(), 0);

  rows = { entities: [channel({})], tokens: seed.tokens };
  await assert.rejects(directory.reload(), /below a merchant/);
  assert.equal(directory.entity(demoShop.channelId)?.name, 'Demo_Shop');
});

test('a token opens until it ends, beside the one that takes its place', async () => {
  const second = tokenOf(demoShop.userId, 'another');
  const [first] = seed.tokens;
  const tokens = [
    { ...(first as TokenRow), endsAt: 5_000 },
    { userId: demoShop.userId, tokenHash: tokenHash(second), entityId: demoShop.merchantId, createdAt: 1 },
  ];
  let now = 4_999;
  const directory = await createDirectory(storeOf({ ...seed, tokens }), { now: () => now });
  const opens = () => [demoShop.token, second].map((token) => directory.granted(token, '192.0.2.1').length);
  assert.deepEqual(opens(), [1, 1]);
  now = 5_000;
  assert.deepEqual(opens(), [0, 1]);
});

test('the day of a use is written down once, and again when that failed', async () => {
  const DAY_MS = 86_400_000;
  const written: (readonly { readonly entityId: string; readonly usedOn: number }[])[] = [];
  let isOut = true;
  let now = DAY_MS * 3 + 7;
  const saveTokenUses: MerchantStore['saveTokenUses'] = async (used) => {
    if (isOut) throw new Error('out of order');
    written.push(used.map(({ entityId, usedOn }) => ({ entityId, usedOn })));
  };
  const directory = await createDirectory({ ...storeOf(seed), saveTokenUses: saveTokenUses }, { now: () => now });
  for (const token of [demoShop.token, demoShop.token, tokenOf(otherShop.userId, 'wrong')]) directory.granted(token, '192.0.2.1');
  now += 5;
  await assert.rejects(directory.saveUses());
  // What is not written down yet stays so when everything is read anew.
  await directory.reload();
  isOut = false;
  await directory.saveUses();
  assert.deepEqual(written, [[{ entityId: demoShop.merchantId, usedOn: DAY_MS * 3 }]]);
  await directory.saveUses();
  assert.equal(written.length, 1, 'no token was used since');
  now += DAY_MS;
  directory.granted(demoShop.token, '192.0.2.1');
  await directory.saveUses();
  assert.deepEqual(written.at(-1), [{ entityId: demoShop.merchantId, usedOn: DAY_MS * 4 }]);
});

const MERCHANTS = 2_000;
const RESOLVED_MAX = 500;
const hex = (kind: string, at: number): string => `${kind}${at.toString(16)}`.padStart(32, '0');

/** A store with many merchants that counts what it is asked for. */
async function manyMerchants() {
  const store = createMemoryStore();
  const merchants = Array.from({ length: MERCHANTS }, (_, at) => at);
  await store.insertAccounts({
    entities: [
      { id: hex('a', 0), kind: 'psp', parentId: null, name: 'P', settings: { timeZone: 'Europe/Vienna' } },
      { id: hex('b', 0), kind: 'division', parentId: hex('a', 0), name: 'D', settings: {} },
      ...merchants.flatMap((at): EntityRow[] => [
        { id: hex('c', at), kind: 'merchant', parentId: hex('b', 0), name: `M${at}`, settings: {} },
        { id: hex('d', at), kind: 'channel', parentId: hex('c', at), name: `C${at}`, settings: {} },
      ]),
    ],
    tokens: merchants.map((at) => ({
      userId: hex('e', at),
      tokenHash: tokenHash(tokenOf(hex('e', at), 'password')),
      entityId: hex('c', at),
      createdAt: 0,
    })),
  });
  const asked: string[] = [];
  const names = ['entityPage', 'grantPage', 'lineages', 'tokensOfUsers', 'directoryChanges', 'lastDirectoryChange'] as const;
  const counting = Object.fromEntries(
    names.map((name) => [
      name,
      (...given: readonly never[]) => {
        asked.push(name);
        return (store[name] as (...args: readonly never[]) => unknown)(...given);
      },
    ]),
  ) as unknown as DirectoryStore;
  const open = () => createDirectory(counting, { now: () => 0 }, undefined, RESOLVED_MAX);
  return { store, asked, open };
}

test('many merchants: read once in pages, a bounded number resolved, and a change costs no more than its own rows', async () => {
  const { store, asked, open } = await manyMerchants();
  const [one, other] = [await open(), await open()];
  assert.equal(asked.filter((name) => name === 'entityPage').length, 2 * 3);
  assert.equal(asked.filter((name) => name === 'grantPage').length, 2 * 2);
  for (let at = 0; at < MERCHANTS; at += 1) {
    assert.deepEqual(one.granted(tokenOf(hex('e', at), 'password'), '192.0.2.1'), [hex('c', at)]);
    assert.equal(one.entity(hex('d', at))?.channel?.timeZone, 'Europe/Vienna');
    assert.ok(one.resolved() <= RESOLVED_MAX, String(one.resolved()));
  }
  assert.equal(one.idsBelow(hex('a', 0), 'merchant').length, MERCHANTS);
  // A flood of wrong tokens asks the store for nothing.
  asked.length = 0;
  for (let at = 0; at < 1_000; at += 1) assert.deepEqual(one.granted(tokenOf(hex('f', at), 'wrong'), '192.0.2.1'), []);
  assert.deepEqual(asked, []);

  assert.deepEqual([await one.follow(), asked], [false, ['directoryChanges']]);
  asked.length = 0;
  await store.endToken({ tokenHash: tokenHash(tokenOf(hex('e', 7), 'password')), entityId: hex('c', 7) }, -1, -2);
  assert.deepEqual([await one.follow(), await other.follow()], [true, true]);
  assert.deepEqual(asked.toSorted(), ['directoryChanges', 'directoryChanges', 'tokensOfUsers', 'tokensOfUsers']);
  for (const node of [one, other]) {
    assert.deepEqual(node.granted(tokenOf(hex('e', 7), 'password'), '192.0.2.1'), []);
    assert.deepEqual(node.granted(tokenOf(hex('e', 8), 'password'), '192.0.2.1'), [hex('c', 8)]);
  }

  asked.length = 0;
  await store.setSettings(hex('d', 5), { isLenient: true });
  await one.follow();
  assert.deepEqual(asked, ['directoryChanges', 'lineages']);
  assert.equal(one.entity(hex('d', 5))?.channel?.isLenient, true);
  assert.equal(one.entity(hex('c', 5))?.channels[0]?.isLenient, true, 'the merchant has the same channel');
  assert.equal(other.entity(hex('d', 5))?.channel?.isLenient, false, 'until it follows');
});

test('changes: above merchants, new entities, an invalid row, and a node that is too far behind', async () => {
  const { store, asked, open } = await manyMerchants();
  const directory = await open();
  assert.equal(directory.entity(hex('d', 1))?.settings.timeZone, 'Europe/Vienna');
  await store.setSettings(hex('a', 0), { timeZone: 'Europe/Paris' });
  await store.insertAccounts({
    entities: [{ id: hex('9', 1), kind: 'channel', parentId: hex('c', 1), name: 'New', settings: {} }],
    tokens: [],
  });
  await directory.reload();
  assert.equal(directory.entity(hex('d', 1))?.settings.timeZone, 'Europe/Paris');
  assert.deepEqual(
    directory
      .entity(hex('c', 1))
      ?.channels.map(({ name }) => name)
      .toSorted(),
    ['C1', 'New'],
  );

  await store.setSettings(hex('d', 2), { isLenient: 'yes' });
  await store.setSettings(hex('d', 3), { isLenient: true });
  await assert.rejects(directory.follow(), /"isLenient" must be true or false/);
  assert.equal(directory.entity(hex('d', 2))?.channel?.isLenient, false, 'the invalid row stays as it was');
  assert.equal(directory.entity(hex('d', 3))?.channel?.isLenient, true, 'others follow');
  await store.setSettings(hex('d', 2), {});

  await directory.follow();
  for (let turn = 0; turn < 10; turn += 1) await store.setSettings(hex('d', 4), { isLenient: true });
  await store.deleteDirectoryChanges(3);
  asked.length = 0;
  assert.equal(await directory.follow(), true);
  assert.ok(asked.includes('entityPage'), 'everything is read anew');
  assert.equal(directory.entity(hex('d', 4))?.channel?.isLenient, true);
  asked.length = 0;
  assert.deepEqual([await directory.follow(), asked], [false, ['directoryChanges']]);
});
