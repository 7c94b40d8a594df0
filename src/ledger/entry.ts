import type { Amount } from '../money/amount.ts';
import type { Mode } from '../registrations/registration.ts';

/**
 * The accounts that every merchant has, in each mode and currency. What is positive is owed to the account, what is negative it owes;
 * what a posting does to all of them adds up to nothing.
 *
 * `shopper`: asked for and not decided yet. `reserve`: authorised, and may be captured. `contra` stands against these two, which are no
 * money yet. `merchant`: what is still to be paid out. `acquirer`: what it took from shoppers, as a debt, until it has paid. `fees`: what
 * it kept for itself. `chargebacks`: what banks took back.
 */
export const accounts = ['shopper', 'reserve', 'contra', 'merchant', 'acquirer', 'fees', 'chargebacks'] as const;

export type Account = (typeof accounts)[number];

/** What happens to the accounts at once; an account that is not named stays as it is. */
export type Entries = Readonly<Partial<Record<Account, Amount>>>;

/** One event in the books: a change of a payment, or a line of a settlement. */
export type Posting = {
  readonly merchantId: string;
  /** The payment, or the settlement's record. */
  readonly subjectId: string;
  readonly revision: number;
  readonly kind: 'payment' | 'settlement';
  readonly at: number;
  readonly currency: string;
  readonly mode: Mode;
  readonly entries: Entries;
};

/** What stands on the accounts of a merchant in one mode and currency. */
export type Holding = {
  readonly mode: string;
  readonly currency: string;
  readonly accounts: Readonly<Record<Account, Amount>>;
};

/** Some postings of one merchant, sealed for good: each block carries the hash of the one before. */
export type Block = {
  readonly merchantId: string;
  /** From 1, without a gap. */
  readonly number: number;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The latest instant of any posting in this block or in one before. */
  readonly throughAt: number;
  /** How far any block up to this one reaches back behind `throughAt` of the block before it: postings are sealed as they come. */
  readonly lateMs: number;
  /** What stands on the accounts after it, as text; see `holdingsText`. */
  readonly balances: string;
  /** Empty for the first one. */
  readonly previous: string;
  readonly hash: string;
};

/** A posting as it is hashed, without its merchant: the columns of the table in their order. The databases write the same text. */
export function lineOf({ subjectId, revision, kind, at, currency, mode, entries }: Posting): string {
  const amounts = accounts.map((account) => entries[account] ?? 0n).join('|');
  return `${subjectId}|${revision}|${kind}|${at}|${currency}|${mode}|${amounts}`;
}

/** The columns in front of the amounts. */
const HEAD = 6;

/** A line as it is read again. What was damaged may be of any form: null when an amount is none. */
export type ReadLine = {
  readonly subjectId: string;
  readonly revision: number;
  readonly kind: string;
  readonly at: number;
  readonly currency: string;
  readonly mode: string;
  /** In the order of `accounts`. */
  readonly amounts: readonly Amount[] | null;
};

export function readLine(line: string): ReadLine {
  const cells = line.split('|');
  const [subjectId = '', revision = '', kind = '', at = '', currency = '', mode = ''] = cells;
  const texts = cells.slice(HEAD);
  const isWhole = texts.length === accounts.length && texts.every((text) => /^-?[0-9]{1,19}$/.test(text));
  return {
    subjectId,
    kind,
    currency,
    mode,
    revision: Number(revision),
    at: Number(at),
    amounts: isWhole ? texts.map((text) => (text === '0' ? 0n : BigInt(text))) : null,
  };
}

const inOrder = (one: Holding, other: Holding): number =>
  one.mode === other.mode ? (one.currency < other.currency ? -1 : 1) : one.mode < other.mode ? -1 : 1;

/** What stands on the accounts, in one way only. */
export const holdingsText = (holdings: readonly Holding[]): string =>
  JSON.stringify(
    holdings
      .toSorted(inOrder)
      .map(({ mode, currency, accounts: sums }) => [mode, currency, ...accounts.map((account) => String(sums[account]))]),
  );

export const holdingsOf = (text: string): readonly Holding[] =>
  (JSON.parse(text) as readonly (readonly string[])[]).map(([mode = '', currency = '', ...sums]) => ({
    mode,
    currency,
    accounts: Object.fromEntries(accounts.map((account, at) => [account, BigInt(sums[at] ?? '0')])) as Holding['accounts'],
  }));
