import { accounts, type Block, type Holding } from '../ledger/entry.ts';
import type { Commit } from '../payments/needs.ts';
import type { Cell } from './rows.ts';

/** The accounts that a payment's own postings can touch: fees come with settlements only. */
export const paymentAccounts = accounts.filter((account) => account !== 'fees');

/** The cells of what a commit does to the books, null where it does nothing; see `isSum`. */
export const postingCells = [
  'posting_at',
  'posting_shopper',
  'posting_reserve',
  'posting_contra',
  'posting_merchant',
  'posting_acquirer',
  'posting_chargebacks',
] as const;

/** Of these a null is a 0 in the table: what is left out of a commit need not be sent. */
export const isSum = (cell: string): boolean => cell.startsWith('posting_') && cell !== 'posting_at';

const nothing: readonly null[] = postingCells.map(() => null);

export function postingCellsOf({ posting }: Pick<Commit, 'posting'>): readonly Cell[] {
  if (!posting) return nothing;
  const { at, entries } = posting;
  return [at, ...paymentAccounts.map((account) => entries[account] ?? null)];
}

/** A row of the blocks as it is read. 64-bit columns come as text from PostgreSQL. */
export type BlockRow = {
  readonly merchant_id: string;
  readonly number: string | number;
  readonly count: string | number;
  readonly first_at: string | number;
  readonly last_at: string | number;
  readonly through_at: string | number;
  readonly late_ms: string | number;
  readonly balances: string;
  readonly previous: string;
  readonly hash: string;
};

export const blockOf = (row: BlockRow): Block => ({
  merchantId: row.merchant_id,
  number: Number(row.number),
  count: Number(row.count),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
  throughAt: Number(row.through_at),
  lateMs: Number(row.late_ms),
  balances: row.balances,
  previous: row.previous,
  hash: row.hash,
});

export const blockCells = (block: Block) =>
  [
    block.merchantId,
    block.number,
    block.count,
    block.firstAt,
    block.lastAt,
    block.throughAt,
    block.lateMs,
    block.balances,
    block.previous,
    block.hash,
  ] as const;

/** Sums come as text from both databases. */
export type SumRow = { readonly mode: string; readonly currency: string } & Readonly<Record<keyof Holding['accounts'], string>>;

export const holdingOf = (row: SumRow): Holding => ({
  mode: row.mode,
  currency: row.currency,
  accounts: Object.fromEntries(accounts.map((account) => [account, BigInt(row[account])])) as Holding['accounts'],
});

/** The keys of lines, for a statement that finds their rows. */
export const keysOf = (lines: readonly string[]): string =>
  JSON.stringify(
    lines.map((line) => {
      const [subjectId, revision] = line.split('|', 2);
      return { subject_id: subjectId, revision: Number(revision) };
    }),
  );
