import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { postingOf, postingOfSettlement } from '../../src/ledger/book.ts';
import { balancesAt, blockOf, sealBooks, sumOf } from '../../src/ledger/chain.ts';
import { accounts, type Block, type Holding, holdingsText, lineOf, type Posting } from '../../src/ledger/entry.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Store } from '../../src/store/store.ts';
import { steps, tell } from '../ledger/families.ts';
import {
  APPROVED,
  child,
  commit,
  commitWithEffects,
  moved,
  NOW,
  nextId,
  OPEN,
  type Open,
  type Opened,
  payment,
} from './storeFixtures.ts';

const ALL = 10_000;

const kept = async (store: Store, change: Payment, version = 0) =>
  assert.deepEqual(await commitWithEffects(store, commit(change, version)), { is: 'kept' });

const lineFor = (change: Payment, undone: Payment['paymentType'] | null = null): string => {
  const posting = postingOf(change, undone);
  assert.ok(posting);
  return lineOf(posting);
};

/** What postings add up to, one after the other. */
function plainSum(postings: readonly Posting[], at: number): string {
  const sum = sumOf([]);
  for (const { mode, currency, entries, at: its } of postings) {
    if (its > at) continue;
    sum.add(
      mode,
      currency,
      accounts.map((account) => entries[account] ?? 0n),
    );
  }
  return balancesText(sum.holdings());
}

/** Accounts on which nothing stands say nothing. */
const balancesText = (holdings: readonly Holding[]): string =>
  holdingsText(holdings.filter(({ accounts: sums }) => accounts.some((account) => sums[account] !== 0n)));

/** Postings come with their commits, are sealed once, and can be added up at any instant. */
export function ledgerContract(name: string, opened: () => Opened): void {
  test(`${name}: a commit adds its posting, and a refused one adds nothing`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const open = payment({ merchantId, phase: OPEN });
    const done = moved(open, { phase: APPROVED, movedAt: NOW + 5 });
    const refund = child(open, { paymentType: 'RF', amount: 200n });
    await kept(store, open);
    assert.deepEqual(await commitWithEffects(store, commit(done, 7)), { is: 'moved' });
    assert.deepEqual(await store.unsealed(merchantId, ALL), [lineFor(open)]);
    await kept(store, done, 1);
    await kept(store, refund, 2);
    await kept(store, payment({ merchantId, paymentType: 'RG' }));
    assert.deepEqual(await store.unsealed(merchantId, ALL), [lineFor(open), lineFor(done), lineFor(refund, 'DB')]);
    assert.deepEqual(await store.unsealed(merchantId, 2), [lineFor(open), lineFor(done)]);
  });

  test(`${name}: a settlement is posted beside the payments`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const debit = payment({ merchantId });
    await kept(store, debit);
    const posting = postingOfSettlement({ recordId: nextId(), merchantId, payment: debit, settled: 9000n, fee: 200n, at: NOW });
    assert.ok(posting);
    await store.post([posting]);
    await store.post([]);
    const [holding] = await balancesAt(store, merchantId, NOW);
    const expected = { shopper: 0n, reserve: 0n, contra: 0n, merchant: 0n, acquirer: -200n, fees: 200n, chargebacks: 0n };
    assert.deepEqual(holding?.accounts, expected);
  });

  test(`${name}: a sealed posting is in its block and in no other`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const changes = Array.from({ length: 7 }, (_, at) => payment({ merchantId, movedAt: NOW + at }));
    for (const change of changes) await kept(store, change);
    assert.equal(await store.lastBlock(merchantId), null);
    assert.ok((await store.unsealedMerchants()).includes(merchantId));
    await sealBooks(store, 3);
    assert.deepEqual(await store.unsealed(merchantId, ALL), []);
    assert.ok(!(await store.unsealedMerchants()).includes(merchantId));
    const lines = changes.map((change) => lineFor(change));
    const blocks: Block[] = [];
    for (const from of [0, 3, 6]) blocks.push(blockOf(blocks.at(-1) ?? null, merchantId, lines.slice(from, from + 3)));
    assert.deepEqual(await store.lastBlock(merchantId), blocks.at(-1));
    assert.deepEqual(await store.blockThrough(merchantId, NOW + 5), blocks[1]);
    assert.equal(await store.blockThrough(merchantId, NOW + 1), null);
    assert.equal(await sealBooks(store), 0);
  });

  test(`${name}: of two blocks with the same number one is written`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    for (let count = 0; count < 4; count += 1) await kept(store, payment({ merchantId }));
    const lines = await store.unsealed(merchantId, ALL);
    const [one, other] = [lines.slice(0, 3), lines.slice(1)].map((some) => ({ some, block: blockOf(null, merchantId, some) }));
    assert.ok(one && other);
    const outcomes = await Promise.all([store.seal(one.block, one.some), store.seal(other.block, other.some)]);
    assert.deepEqual(outcomes.toSorted(), [false, true]);
    const written = outcomes[0] ? one : other;
    assert.deepEqual(await store.lastBlock(merchantId), written.block);
    assert.deepEqual(
      await store.unsealed(merchantId, ALL),
      lines.filter((line) => !written.some.includes(line)),
    );
  });

  test(`${name}: an incomplete block is not written`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    await kept(store, payment({ merchantId }));
    const lines = await store.unsealed(merchantId, ALL);
    const stranger = lineFor(payment({ merchantId }));
    const block = blockOf(null, merchantId, [...lines, stranger]);
    assert.equal(await store.seal(block, [...lines, stranger]).catch(() => false), false);
    assert.deepEqual(await store.unsealed(merchantId, ALL), lines);
    assert.equal(await store.lastBlock(merchantId), null);
  });

  test(`${name}: balances at any instant are the sum of the postings until then, sealed or not`, async () => {
    const { store } = opened();
    const property = async (life: readonly (typeof steps extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const merchantId = nextId();
      const postings: Posting[] = [];
      for (const part of life) {
        postings.push(...(await tell(store, merchantId, part)).postings);
        await sealBooks(store, 4);
      }
      postings.push(...(await tell(store, merchantId, life[0] ?? [])).postings);
      const instants = [...new Set(postings.flatMap(({ at }) => [at - 1, at])), NOW + 1e9];
      for (const at of instants) assert.equal(balancesText(await balancesAt(store, merchantId, at)), plainSum(postings, at));
    };
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), property), { numRuns: 4 });
  });
}

const attempts: readonly (readonly [what: string, statement: (where: string) => string, refusal: RegExp])[] = [
  [
    'an amount of a posting',
    (where) => `UPDATE posting SET merchant = 1, acquirer = -1 ${where}`,
    /posting_fixed|posting_sealed_once/,
  ],
  ['the time of a posting', (where) => `UPDATE posting SET at = 1 ${where}`, /posting_fixed|posting_sealed_once/],
  ['a posting removed', (where) => `DELETE FROM posting ${where}`, /posting_no_delete/],
  ['a hash', (where) => `UPDATE ledger_block SET hash = 'x' ${where}`, /ledger_block_fixed/],
  ['a block removed', (where) => `DELETE FROM ledger_block ${where}`, /ledger_block_no_delete/],
];

const insertion = (merchantId: string, merchant: number): string =>
  `INSERT INTO posting (merchant_id, subject_id, revision, at, currency, mode, merchant, acquirer)
   VALUES ('${merchantId}', 's', 1, 1, 'EUR', 'LIVE', ${merchant}, -5)`;

/** The database keeps the books against raw statements too. */
export function ledgerRawContract(name: string, opened: () => Opened): void {
  const rejects = async (statement: string, refusal: RegExp) => {
    const { database } = opened();
    assert.ok(database);
    await assert.rejects(database.raw(statement), (error: Error) => {
      const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
      assert.match(`${constraint} ${error.message}`, refusal);
      return true;
    });
  };
  test(`${name}: by raw SQL, nothing in the ledger can be changed`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    await kept(store, payment({ merchantId }));
    await sealBooks(store);
    for (const [what, statement, refusal] of attempts) {
      await rejects(statement(`WHERE merchant_id = '${merchantId}'`), refusal).catch((error: Error) => {
        throw new Error(`${what}: ${error.message}`, { cause: error });
      });
    }
  });

  test(`${name}: by raw SQL, only balanced postings are accepted`, async () => {
    const merchantId = nextId();
    await rejects(insertion(merchantId, 4), /posting_balanced/);
    await opened().database?.raw(insertion(merchantId, 5));
  });

  test(`${name}: by raw SQL, a sealed posting stays in its block, and a block follows its predecessor`, async () => {
    const merchantId = nextId();
    await kept(opened().store, payment({ merchantId }));
    await sealBooks(opened().store);
    const own = `WHERE merchant_id = '${merchantId}'`;
    const isNumbered = name === 'sqlite';
    await rejects(
      `UPDATE posting SET ${isNumbered ? 'n = n + 1000000' : 'block = block + 1'} ${own}`,
      /posting_fixed|posting_sealed_once/,
    );
    const columns = `merchant_id, number, count, first_at, last_at, through_at, late_ms, balances, previous, hash${isNumbered ? ', from_n, to_n' : ''}`;
    const next = columns.replace('number', 'number + 1').replace('previous', "'x'");
    await rejects(`INSERT INTO ledger_block (${columns}) SELECT ${next} FROM ledger_block ${own}`, /ledger_block_whole/);
  });
}

/** Many nodes seal the same books. */
export function ledgerNodesContract(name: string, open: Open): void {
  test(`${name}: nodes that seal at the same time make one chain`, async (t) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const merchantId = nextId();
    let count = 0;
    const work = async (store: Store) => {
      for (let round = 0; round < 12; round += 1) {
        await Promise.all(Array.from({ length: 8 }, () => kept(store, payment({ merchantId }))));
        count += 8;
        await sealBooks(store, 5);
      }
    };
    await Promise.all([work(first.store), work(second)]);
    await sealBooks(first.store);
    const sql = `SELECT COUNT(*) AS blocks, SUM(count) AS postings, MAX(number) AS last FROM ledger_block
      WHERE merchant_id = '${merchantId}'`;
    const row = (await first.database?.raw(sql))?.[0];
    assert.deepEqual([Number(row?.postings), Number(row?.blocks)], [count, Number(row?.last)]);
    const [holding] = await balancesAt(second, merchantId, NOW);
    assert.equal(holding?.accounts.merchant, BigInt(count) * 9200n);
  });
}
