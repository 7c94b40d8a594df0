import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDirectory, hierarchy } from './directory.ts';
import type { EntityRow, MerchantStore, TokenRow } from './ports.ts';
import { sandbox, sandboxRows } from './sandbox.ts';
import { tokenHash, tokenOf } from './token.ts';

const { demoShop, otherShop } = sandbox;
const seed = sandboxRows(0);

type Rows = Pick<MerchantStore, 'tokens'> & { entities(): Promise<readonly EntityRow[]> };

function storeOf(rows: { entities: readonly EntityRow[]; tokens: readonly TokenRow[] }): Rows {
  return { entities: async () => rows.entities, tokens: async () => rows.tokens };
}

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
  for (const [token, opens] of cases) assert.deepEqual(directory.granted(token), opens, token.slice(0, 60));
});

test('a reload takes what changed, and a broken one leaves everything as it was', async () => {
  let rows: { entities: readonly EntityRow[]; tokens: readonly TokenRow[] } = seed;
  let now = 1_000;
  const store: Rows = { entities: async () => rows.entities, tokens: async () => rows.tokens };
  const directory = await createDirectory(store, { now: () => now });
  now = 5_000;
  assert.equal(directory.ageMs(), 4_000);

  rows = { entities: [...seed.entities, channel({})], tokens: [] };
  await directory.reload();
  assert.equal(directory.entity('c'.repeat(32))?.name, 'Corner_Shop');
  assert.deepEqual(directory.granted(demoShop.token), [], 'a revoked token is refused');
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
  const opens = () => [demoShop.token, second].map((token) => directory.granted(token).length);
  assert.deepEqual(opens(), [1, 1]);
  now = 5_000;
  assert.deepEqual(opens(), [0, 1]);
});

test('the day of a use is written down once, with the next reload, and again when that failed', async () => {
  const DAY_MS = 86_400_000;
  const written: (readonly { readonly entityId: string; readonly usedOn: number }[])[] = [];
  let isOut = true;
  let now = DAY_MS * 3 + 7;
  const saveTokenUses: MerchantStore['saveTokenUses'] = async (used) => {
    if (isOut) throw new Error('out of order');
    written.push(used.map(({ entityId, usedOn }) => ({ entityId, usedOn })));
  };
  const directory = await createDirectory({ ...storeOf(seed), saveTokenUses: saveTokenUses }, { now: () => now });
  for (const token of [demoShop.token, demoShop.token, tokenOf(otherShop.userId, 'wrong')]) directory.granted(token);
  now += 5;
  await directory.reload();
  // A store that cannot write is still read.
  assert.deepEqual([directory.ageMs(), written.length], [0, 0]);
  isOut = false;
  await directory.reload();
  assert.deepEqual(written, [[{ entityId: demoShop.merchantId, usedOn: DAY_MS * 3 }]]);
  await directory.reload();
  assert.equal(written.length, 1, 'no token was used since');
  now += DAY_MS;
  directory.granted(demoShop.token);
  await directory.reload();
  assert.deepEqual(written.at(-1), [{ entityId: demoShop.merchantId, usedOn: DAY_MS * 4 }]);
});
