import type { Amount } from '../money/amount.ts';
import type { mandateStates } from '../spec/areas/stored.ts';

/** A direct debit mandate as pages show it. Days are `yyyy-MM-dd`. */

/** One collection by a mandate. */
export type MandateCollection = {
  readonly paymentId: string;
  readonly amount: Amount;
  readonly dueOn: string;
  /** FRST, RCUR, OOFF or FNAL. */
  readonly sequence: string;
  /** The payer must have been informed by the end of this day. */
  readonly noticeBy: string;
};

/** `ended`: by its last collection, or by hand. `lapsed`: nothing was collected for too long. */
type MandateState = (typeof mandateStates)[number];

export type KnownMandate = {
  /** As the payer signed it, unique for the account. */
  readonly id: string;
  readonly merchantId: string;
  readonly scheme: 'CORE' | 'B2B';
  readonly signedOn: string;
  readonly state: MandateState;
  readonly createdAt: number;
  /** When it was ended by hand; null: it was not. */
  readonly endedAt: number | null;
  /** The last day on which something can be collected by it. */
  readonly lapsesOn: string;
  /** Collections that were made of it. */
  readonly uses: number;
  /** The newest collections, the newest first. */
  readonly collections: readonly MandateCollection[];
  /** Of the collections, the next one to come; null: there is none. */
  readonly next: MandateCollection | null;
  /** The day of the last one before today. */
  readonly lastDueOn: string | null;
  readonly creditorId: string;
  readonly creditorName: string;
  /** The end of the payer's account number. */
  readonly last4: string | null;
  /** The merchant's own id of the payer. */
  readonly customerId: string | null;
  /** The stored payment details that hold it. */
  readonly registrationId: string | null;
};

/** A position in a list, from the newest on. */
type MandateCursor = { readonly createdAt: number; readonly id: string };

/** The mandates of one account. */
export interface MandateBook {
  /** The mandates of a merchant, the newest first. */
  list(
    merchantId: string,
    page: { readonly limit: number; readonly before: MandateCursor | null },
  ): Promise<readonly KnownMandate[]>;
  find(merchantId: string, mandateId: string): Promise<KnownMandate | null>;
  /** Nothing more is collected by it. Null: there is no such mandate. */
  end(merchantId: string, mandateId: string): Promise<KnownMandate | null>;
}

/** The mandates of one account, by the name of the account. */
export type NamedBook = { readonly account: string; readonly book: MandateBook };

/** A mandate and the account that collects by it. */
export type AccountMandate = { readonly account: string; readonly mandate: KnownMandate };

/** A position in the list of all accounts of a merchant. */
export type AccountMandateCursor = { readonly createdAt: number; readonly account: string; readonly mandateId: string };

/** Absent members do not filter. */
type MandateFilters = {
  readonly mandateId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly last4?: string | undefined;
  readonly state?: MandateState | undefined;
  /** Only those with a collection to come. */
  readonly isUpcoming?: boolean | undefined;
};

type MandatePart = { readonly found: readonly AccountMandate[]; readonly next: AccountMandateCursor | null };

/** Rows that one page may scan: it ends there with a cursor to continue from. */
const LOOKED_MAX = 5_000;
const PORTION = 200;

/** Mandates of a merchant by id, payer, account number and state; the newest first. */
export async function findMandates(
  books: readonly NamedBook[],
  merchantId: string,
  query: { readonly filters: MandateFilters; readonly after: AccountMandateCursor | null; readonly limit: number },
): Promise<MandatePart> {
  const { filters, limit } = query;
  if (filters.mandateId !== undefined) return { found: await named(books, merchantId, filters), next: null };
  const found: AccountMandate[] = [];
  let after = query.after;
  for (let looked = 0; looked < LOOKED_MAX; looked += PORTION) {
    const portion = await newest(books, merchantId, after);
    for (const one of portion) {
      after = cursorOf(one);
      if (fits(one.mandate, filters)) found.push(one);
      if (found.length === limit) return { found, next: after };
    }
    if (portion.length < PORTION) return { found, next: null };
  }
  return { found, next: after };
}

const cursorOf = ({ account, mandate }: AccountMandate): AccountMandateCursor => ({
  createdAt: mandate.createdAt,
  account,
  mandateId: mandate.id,
});

async function named(
  books: readonly NamedBook[],
  merchantId: string,
  filters: MandateFilters,
): Promise<readonly AccountMandate[]> {
  const found = await Promise.all(
    books.map(async ({ account, book }) => ({ account, mandate: await book.find(merchantId, filters.mandateId ?? '') })),
  );
  return found.flatMap(({ account, mandate }) => (mandate && fits(mandate, filters) ? [{ account, mandate }] : []));
}

/** The next batch of all accounts together. At the same instant the accounts come in the order of their names. */
async function newest(
  books: readonly NamedBook[],
  merchantId: string,
  after: AccountMandateCursor | null,
): Promise<readonly AccountMandate[]> {
  const portions = await Promise.all(
    books.map(async ({ account, book }) => {
      const found = await book.list(merchantId, { limit: PORTION, before: after && cursorFor(account, after) });
      return found.map((mandate) => ({ account, mandate }));
    }),
  );
  return portions.flat().toSorted(inOrder).slice(0, PORTION);
}

/** Mandates of one account stay in its own order. */
function inOrder(one: AccountMandate, other: AccountMandate): number {
  const later = other.mandate.createdAt - one.mandate.createdAt;
  if (later !== 0 || one.account === other.account) return later;
  return one.account < other.account ? -1 : 1;
}

/** Where the list of one account goes on behind a position in the list of all. */
function cursorFor(account: string, { createdAt, account: reached, mandateId }: AccountMandateCursor) {
  if (account === reached) return { createdAt, id: mandateId };
  return { createdAt: account < reached ? createdAt : createdAt + 1, id: '' };
}

function fits({ customerId, last4, state, next }: KnownMandate, filters: MandateFilters): boolean {
  return (
    (filters.customerId === undefined || filters.customerId === customerId) &&
    (filters.last4 === undefined || filters.last4 === last4) &&
    (filters.state === undefined || filters.state === state) &&
    (filters.isUpcoming !== true || next !== null)
  );
}
