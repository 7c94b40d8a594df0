import type { Amount } from '../money/amount.ts';
import type { Mode } from '../registrations/registration.ts';

/**
 * The accounts of every merchant, in each mode and currency. A positive balance is owed to the account, a negative one is owed by it. The
 * entries of a posting add up to zero.
 *
 * `shopper`: requested and not decided yet. `reserve`: authorised, and may be captured. `contra` balances these two, which are no money
 * yet. `merchant`: to be paid out. `acquirer`: collected from shoppers and not paid out yet, as a debt. `fees`: kept by the acquirer.
 * `chargebacks`: taken back by banks.
 */
export const accounts = ['shopper', 'reserve', 'contra', 'merchant', 'acquirer', 'fees', 'chargebacks'] as const;

export type Account = (typeof accounts)[number];

/** Simultaneous changes of accounts; absent accounts do not change. */
export type Entries = Readonly<Partial<Record<Account, Amount>>>;

/** One event in the ledger: a change of a payment, or a settlement record. */
export type Posting = {
  readonly merchantId: string;
  /** The payment or the settlement record. */
  readonly subjectId: string;
  readonly revision: number;
  readonly kind: 'payment' | 'settlement';
  readonly at: number;
  readonly currency: string;
  readonly mode: Mode;
  readonly entries: Entries;
};

/** The balances of a merchant in one mode and currency. */
export type Holding = {
  readonly mode: string;
  readonly currency: string;
  readonly accounts: Readonly<Record<Account, Amount>>;
};

/** Sealed postings of one merchant. Each block contains the hash of the one before. */
export type Block = {
  readonly merchantId: string;
  /** From 1, without gaps. */
  readonly number: number;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The latest instant of all postings up to this block. */
  readonly throughAt: number;
  /** How far any block up to this one reaches back before `throughAt` of its predecessor: postings are sealed as they arrive. */
  readonly lateMs: number;
  /** The balances after it, as text; see `holdingsText`. */
  readonly balances: string;
  /** Empty for the first one. */
  readonly previous: string;
  readonly hash: string;
};

/** The hashed text of a posting, without its merchant: the columns of the table in their order. The databases write the same text. */
export function lineOf({ subjectId, revision, kind, at, currency, mode, entries }: Posting): string {
  const amounts = accounts.map((account) => entries[account] ?? 0n).join('|');
  return `${subjectId}|${revision}|${kind}|${at}|${currency}|${mode}|${amounts}`;
}

/** A parsed line. A damaged line may have any values; its amounts are null when one of them is no amount. */
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

const isAmount = (text: string): boolean => text === '0' || /^-?[0-9]{1,19}$/.test(text);

export function readLine(line: string): ReadLine {
  const [subjectId = '', revision = '', kind = '', at = '', currency = '', mode = '', ...texts] = line.split('|');
  const isWhole = texts.length === accounts.length && texts.every(isAmount);
  const amounts = isWhole ? texts.map((text) => (text === '0' ? 0n : BigInt(text))) : null;
  return { subjectId, revision: Number(revision), kind, at: Number(at), currency, mode, amounts };
}

const inOrder = (one: Holding, other: Holding): number =>
  one.mode === other.mode ? (one.currency < other.currency ? -1 : 1) : one.mode < other.mode ? -1 : 1;

/** The canonical text of balances. */
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
