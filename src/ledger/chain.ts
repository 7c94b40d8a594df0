import { createHash, hash } from 'node:crypto';
import type { Amount } from '../money/amount.ts';
import { type Account, accounts, type Block, type Holding, holdingsOf, holdingsText, readLine } from './entry.ts';
import type { LedgerStore } from './ports.ts';

/** Adds up balances by mode and currency. */
type Sum = { add(mode: string, currency: string, amounts: readonly Amount[]): void; holdings(): readonly Holding[] };

export function sumOf(before: readonly Holding[]): Sum {
  const rows = new Map<string, { readonly mode: string; readonly currency: string; readonly sums: Amount[] }>();
  const rowOf = (mode: string, currency: string) => {
    const key = `${mode} ${currency}`;
    const row = rows.get(key) ?? { mode, currency, sums: accounts.map(() => 0n) };
    rows.set(key, row);
    return row;
  };
  const add: Sum['add'] = (mode, currency, amounts) => {
    const { sums } = rowOf(mode, currency);
    amounts.forEach((amount, at) => {
      if (amount !== 0n) sums[at] = (sums[at] ?? 0n) + amount;
    });
  };
  for (const { mode, currency, accounts: held } of before) {
    add(
      mode,
      currency,
      accounts.map((account) => held[account]),
    );
  }
  return {
    add,
    holdings: () =>
      [...rows.values()].map(({ mode, currency, sums }) => ({
        mode,
        currency,
        accounts: Object.fromEntries(accounts.map((account, at) => [account, sums[at]])) as Record<Account, Amount>,
      })),
  };
}

/** Builds the block of these lines after another. A damaged line counts as zero here; the verification reports it. */
export function blockOf(previous: Block | null, merchantId: string, lines: readonly string[]): Block {
  const sum = sumOf(previous ? holdingsOf(previous.balances) : []);
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    const { at, mode, currency, amounts } = readLine(line);
    firstAt = Math.min(firstAt, at);
    lastAt = Math.max(lastAt, at);
    if (amounts) sum.add(mode, currency, amounts);
  }
  const before = previous?.throughAt ?? firstAt;
  const block: Omit<Block, 'hash'> = {
    merchantId,
    number: (previous?.number ?? 0) + 1,
    count: lines.length,
    firstAt,
    lastAt,
    throughAt: Math.max(before, lastAt),
    lateMs: Math.max(previous?.lateMs ?? 0, before - firstAt),
    balances: holdingsText(sum.holdings()),
    previous: previous?.hash ?? '',
  };
  return { ...block, hash: hashOf(block, lines) };
}

function hashOf(block: Omit<Block, 'hash'>, lines: readonly string[]): string {
  const { previous, merchantId, number, count, firstAt, lastAt, throughAt, lateMs, balances } = block;
  const head = [previous, merchantId, number, count, firstAt, lastAt, throughAt, lateMs, balances].join('\n');
  return createHash('sha256')
    .update(`${head}\n${lines.join('\n')}`)
    .digest('hex');
}

/** The hash of one posting, for comparing many of them without storing them. */
export const digestOf = (merchantId: string, line: string): Buffer => hash('sha256', `${merchantId}|${line}`, 'buffer');

/** The balances of a merchant at an instant, included: those of a block, plus the postings after it. */
export async function balancesAt(
  store: Pick<LedgerStore, 'blockThrough' | 'sumsBehind'>,
  merchantId: string,
  at: number,
): Promise<readonly Holding[]> {
  const block = await store.blockThrough(merchantId, at);
  const sum = sumOf(block ? holdingsOf(block.balances) : []);
  for (const { mode, currency, accounts: held } of await store.sumsBehind({ merchantId, number: block?.number ?? 0, at })) {
    sum.add(
      mode,
      currency,
      accounts.map((account) => held[account]),
    );
  }
  return sum.holdings().toSorted((one, other) => (`${one.mode} ${one.currency}` < `${other.mode} ${other.currency}` ? -1 : 1));
}

/** The most postings of one block. */
const BLOCK_MAX = 1_000;

/**
 * Seals all postings without a block, merchant by merchant; returns their number. Several nodes may run it at the same time: of two blocks
 * with the same number one is written, and the postings of the other wait for the next run.
 */
export async function sealBooks(store: LedgerStore, blockMax = BLOCK_MAX): Promise<number> {
  let sealed = 0;
  for (const merchantId of await store.unsealedMerchants()) sealed += await sealMerchant(store, merchantId, blockMax);
  return sealed;
}

async function sealMerchant(store: LedgerStore, merchantId: string, blockMax: number): Promise<number> {
  for (let sealed = 0; ; ) {
    // The last block is read first: if another node seals in between, the number of this block is taken.
    const last = await store.lastBlock(merchantId);
    const lines = await store.unsealed(merchantId, blockMax);
    if (lines.length === 0 || !(await store.seal(blockOf(last, merchantId, lines), lines))) return sealed;
    sealed += lines.length;
    if (lines.length < blockMax) return sealed;
  }
}

/** Compares two sets of postings without storing them: postings in both sets cancel out, part by part. */
export interface Tally {
  add(merchantId: string, line: string): void;
  subtract(merchantId: string, line: string): void;
  /** The parts in which the sets differ. */
  differing(): readonly number[];
}

const PARTS = 65_536;
const WORDS = 3;

/** The part of a posting. */
export const partOf = (merchantId: string, line: string): number => digestOf(merchantId, line).readUInt16LE(0);

/** Each part is the sum of 96 bits of the hashes in it. A single different posting shows in its part, and only that part is searched. */
export function createTally(): Tally {
  const sums = new Uint32Array(PARTS * WORDS);
  const count = (merchantId: string, line: string, sign: 1 | -1) => {
    const digest = digestOf(merchantId, line);
    const from = digest.readUInt16LE(0) * WORDS;
    for (let word = 0; word < WORDS; word += 1) {
      sums[from + word] = (sums[from + word] ?? 0) + sign * digest.readUInt32LE(2 + word * 4);
    }
  };
  return {
    add: (merchantId, line) => count(merchantId, line, 1),
    subtract: (merchantId, line) => count(merchantId, line, -1),
    differing: () => {
      const parts = new Set<number>();
      sums.forEach((sum, at) => {
        if (sum !== 0) parts.add(Math.floor(at / WORDS));
      });
      return [...parts];
    },
  };
}
