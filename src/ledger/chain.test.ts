import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancesAt, blockOf, createTally, digestOf, partOf, sealBooks, sumOf } from './chain.ts';
import { type Account, accounts, type Block, type Holding, holdingsOf, holdingsText, lineOf, readLine } from './entry.ts';
import type { Behind } from './ports.ts';

const LINE = 'p1|2|payment|1700|EUR|LIVE|0|-7|7|100|-95|-5|0';
const posting = {
  merchantId: 'm',
  subjectId: 'p1',
  revision: 2,
  kind: 'payment',
  at: 1700,
  currency: 'EUR',
  mode: 'LIVE',
} as const;
const held = (given: Partial<Record<Account, bigint>>): Holding['accounts'] =>
  Object.fromEntries(accounts.map((account) => [account, given[account] ?? 0n])) as Holding['accounts'];

test('a posting is one line, with its accounts in their order', () => {
  const entries = { reserve: -7n, contra: 7n, merchant: 100n, acquirer: -95n, fees: -5n };
  assert.equal(lineOf({ ...posting, entries }), LINE);
});

test('a line is read back', () => {
  const { merchantId: _, ...cells } = posting;
  assert.deepEqual(readLine(LINE), { ...cells, amounts: [0n, -7n, 7n, 100n, -95n, -5n, 0n] });
});

/** Damaged lines, and what is read of them. */
const damaged: readonly (readonly [what: string, line: string])[] = [
  ['an amount is missing', 'p1|2|payment|1700|EUR|LIVE|0|-7|7|100|-95|-5'],
  ['an amount is too much', `${LINE}|0`],
  ['an amount is no number', LINE.replace('100', 'x')],
  ['an amount has a letter before it', LINE.replace('100', 'x100')],
  ['an amount has a letter behind it', LINE.replace('100', '100x')],
  ['an amount is empty', LINE.replace('100', '')],
  ['an amount has twenty digits', LINE.replace('100', '1'.repeat(20))],
];
for (const [what, line] of damaged)
  test(`a line in which ${what} has no amounts`, () => assert.equal(readLine(line).amounts, null));

test('an empty line is read without an error', () => {
  assert.deepEqual(readLine(''), { subjectId: '', kind: '', currency: '', mode: '', revision: 0, at: 0, amounts: null });
});

test('balances have one text, whatever the order in which they come', () => {
  const rows: readonly Holding[] = [
    { mode: 'LIVE', currency: 'EUR', accounts: held({ merchant: 5n }) },
    { mode: 'INTERNAL', currency: 'USD', accounts: held({ shopper: -1n }) },
    { mode: 'INTERNAL', currency: 'EUR', accounts: held({ chargebacks: 3n }) },
  ];
  const text =
    '[["INTERNAL","EUR","0","0","0","0","0","0","3"],["INTERNAL","USD","-1","0","0","0","0","0","0"],["LIVE","EUR","0","0","0","5","0","0","0"]]';
  for (const order of [rows, rows.toReversed(), [rows[1], rows[0], rows[2]] as Holding[]])
    assert.equal(holdingsText(order), text);
  assert.deepEqual(holdingsOf(text), [rows[2], rows[1], rows[0]]);
  assert.deepEqual(holdingsOf('[[]]'), [{ mode: '', currency: '', accounts: held({}) }]);
  assert.deepEqual(holdingsOf('[["LIVE","EUR","7"]]'), [{ mode: 'LIVE', currency: 'EUR', accounts: held({ shopper: 7n }) }]);
});

test('sums are kept by mode and currency, and begin with what was before', () => {
  const sum = sumOf([{ mode: 'LIVE', currency: 'EUR', accounts: held({ merchant: 5n, fees: 1n }) }]);
  sum.add('LIVE', 'EUR', [0n, 1n, 0n, 2n]);
  sum.add('LIVE', 'USD', [9n]);
  sum.add('INTERNAL', 'EUR', []);
  assert.deepEqual(sum.holdings(), [
    { mode: 'LIVE', currency: 'EUR', accounts: held({ reserve: 1n, merchant: 7n, fees: 1n }) },
    { mode: 'LIVE', currency: 'USD', accounts: held({ shopper: 9n }) },
    { mode: 'INTERNAL', currency: 'EUR', accounts: held({}) },
  ]);
});

const at = (ms: number, amount = 1n) => `p|1|payment|${ms}|EUR|LIVE|0|0|0|${amount}|${-amount}|0|0`;

/** Chains of earlier releases are verified by the same hashes: they never change. */
const FIRST_HASH = 'ba218403bfa2cbaf880651b46fd5a6da917c39be0614902ead02b83cf1c1159a';
const SECOND_HASH = '466b96d1258c6f92ceaf18912a317644946597985e9efc0a6d304ff20f95f67f';

test('a block has the count, the instants, the balances and the hash of its lines, and the hash of the block before', () => {
  const whole = blockOf(null, 'm', [at(20), at(10), at(30)]);
  const balances = '[["LIVE","EUR","0","0","0","3","-3","0","0"]]';
  const begun = { merchantId: 'm', number: 1, count: 3, firstAt: 10, lastAt: 30, throughAt: 30, lateMs: 0 };
  assert.deepEqual(whole, { ...begun, balances, previous: '', hash: FIRST_HASH });
  const second = blockOf(whole, 'm', [at(25), at(12, 4n)]);
  const after = '[["LIVE","EUR","0","0","0","8","-8","0","0"]]';
  const went = { merchantId: 'm', number: 2, count: 2, firstAt: 12, lastAt: 25, throughAt: 30, lateMs: 18 };
  assert.deepEqual(second, { ...went, balances: after, previous: FIRST_HASH, hash: SECOND_HASH });
  const { throughAt, lateMs } = blockOf(second, 'm', [at(40), at(29)]);
  assert.deepEqual({ throughAt, lateMs }, { throughAt: 40, lateMs: 18 });
});

test('a line without amounts is counted and adds nothing', () => {
  const { count, balances } = blockOf(null, 'm', [at(1), 'p|1|payment|2|EUR|LIVE|x']);
  assert.deepEqual([count, balances], [2, '[["LIVE","EUR","0","0","0","1","-1","0","0"]]']);
});

test('the digest of a posting is that of its merchant and line', () => {
  assert.equal(digestOf('m', LINE).toString('hex'), '5ac8be0124b214b043f063db090409e87fb2cf2016affb6bec8c3bb374f73431');
  assert.equal(partOf('m', LINE), 51290);
});

test('two sets of postings differ in the parts in which one has what the other has not', () => {
  const tally = createTally();
  for (const line of [LINE, at(1), at(2)]) tally.add('m', line);
  assert.deepEqual(
    tally.differing(),
    [LINE, at(1), at(2)].map((line) => partOf('m', line)).sort((one, other) => one - other),
  );
  for (const line of [at(2), LINE]) tally.subtract('m', line);
  assert.deepEqual(tally.differing(), [partOf('m', at(1))]);
  tally.subtract('m', at(1));
  assert.deepEqual(tally.differing(), []);
  tally.add('m', at(1));
  tally.subtract('other', at(1));
  assert.equal(tally.differing().length, 2);
});

/** The unsealed lines of two merchants; `taken`: the number of a block that another node seals first. */
function bookStore(lines: Readonly<Record<string, readonly string[]>>, taken = 0) {
  const left = new Map(Object.entries(lines).map(([merchantId, own]) => [merchantId, [...own]]));
  const blocks: Block[] = [];
  return {
    blocks,
    unsealedMerchants: async () => [...left.keys()],
    unsealed: async (merchantId: string, limit: number) => (left.get(merchantId) ?? []).slice(0, limit),
    lastBlock: async (merchantId: string) => blocks.findLast((one) => one.merchantId === merchantId) ?? null,
    seal: async (block: Block, sealed: readonly string[]) => {
      if (block.number === taken) return false;
      blocks.push(block);
      left.get(block.merchantId)?.splice(0, sealed.length);
      return true;
    },
    post: async () => assert.fail(),
    blockThrough: async () => assert.fail(),
    sumsBehind: async () => assert.fail(),
  };
}

test('everything is sealed, merchant by merchant, in blocks of a size', async () => {
  const store = bookStore({ a: [at(1), at(2), at(3), at(4), at(5)], b: [at(6), at(7)] });
  assert.equal(await sealBooks(store, 2), 7);
  assert.deepEqual(
    store.blocks.map(({ merchantId, number, count }) => [merchantId, number, count]),
    [
      ['a', 1, 2],
      ['a', 2, 2],
      ['a', 3, 1],
      ['b', 1, 2],
    ],
  );
  assert.equal(store.blocks[1]?.previous, store.blocks[0]?.hash);
});

test('a block has a thousand postings at most', async () => {
  const store = bookStore({ a: Array.from({ length: 1_001 }, (_, ms) => at(ms)) });
  assert.equal(await sealBooks(store), 1_001);
  assert.deepEqual(
    store.blocks.map(({ count }) => count),
    [1_000, 1],
  );
});

test('where another node has sealed the number, the rest waits for the next run', async () => {
  const store = bookStore({ a: [at(1), at(2), at(3)] }, 2);
  assert.equal(await sealBooks(store, 2), 2);
});

test('balances at an instant are those of a block and of what was posted after it, in order', async () => {
  const asked: unknown[] = [];
  const store = (block: Block | null) => ({
    blockThrough: async (merchantId: string, instant: number) => {
      asked.push([merchantId, instant]);
      return block;
    },
    sumsBehind: async (query: Behind) => {
      asked.push(query);
      return [
        { mode: 'LIVE', currency: 'EUR', accounts: held({ merchant: 1n }) },
        { mode: 'INTERNAL', currency: 'EUR', accounts: held({ merchant: 4n }) },
        { mode: 'INTERNAL', currency: 'USD', accounts: held({ merchant: 2n }) },
      ];
    },
  });
  const merchantOf = (holdings: readonly Holding[]) => holdings.map((one) => [one.mode, one.currency, one.accounts.merchant]);
  assert.deepEqual(merchantOf(await balancesAt(store(blockOf(null, 'm', [at(1), at(2)])), 'm', 9)), [
    ['INTERNAL', 'EUR', 4n],
    ['INTERNAL', 'USD', 2n],
    ['LIVE', 'EUR', 3n],
  ]);
  assert.deepEqual(merchantOf(await balancesAt(store(null), 'm', 8))[2], ['LIVE', 'EUR', 1n]);
  assert.deepEqual(asked, [['m', 9], { merchantId: 'm', number: 1, at: 9 }, ['m', 8], { merchantId: 'm', number: 0, at: 8 }]);
});
