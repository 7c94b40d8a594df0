import type { Amount } from '../../money/amount.ts';
import { tookPlace } from '../../spec/resultCodes.ts';
import { codeOf } from '../outboxEvent.ts';
import type { Payment } from '../payment.ts';

/** Finding payments by what people know of them, the newest first. */

/** One thing that a text can be. A payment is found when it is any of them. */
export type Needle =
  | { readonly is: 'id' | 'shortId' | 'reference'; readonly prefix: string }
  | { readonly is: 'last4'; readonly last4: string }
  /** Keyed hash of the address: nobody reads one out of an index. */
  | { readonly is: 'email'; readonly hash: string }
  /** The beginning of an address, in lower case: looked for in the payments themselves. */
  | { readonly is: 'emailPrefix'; readonly prefix: string }
  | { readonly is: 'amount'; readonly amount: Amount; readonly currency: string | null };

export type SearchState = 'open' | 'approved' | 'declined';

/** What a payment must be as well; null: whatever it is. */
export type SearchFilters = {
  /** From an instant on and strictly before another. */
  readonly from: number | null;
  readonly before: number | null;
  readonly state: SearchState | null;
  readonly types: readonly string[] | null;
  readonly brand: string | null;
  readonly code: string | null;
  readonly currency: string | null;
  readonly amount: Amount | null;
  readonly last4: string | null;
  readonly emailHash: string | null;
};

/** A place in the order of a search: by time, then by id, both falling. */
export type SearchCursor = { readonly createdAt: number; readonly id: string };

export type SearchQuery = SearchFilters & {
  readonly merchantIds: readonly string[];
  /** A channel; null: all of them. */
  readonly entityId: string | null;
  /** Null: everything. None: nothing. */
  readonly needles: readonly Needle[] | null;
  /** Only what comes behind it. */
  readonly after: SearchCursor | null;
  readonly limit: number;
  /** How many payments may be looked at for this answer, so that it comes soon whatever is asked. */
  readonly effort: number;
};

/** `next`: how far was looked; null: to the end. A page may have few payments and still not be the last. */
export type SearchFound = { readonly payments: readonly Payment[]; readonly next: SearchCursor | null };

export interface SearchStore {
  search(asked: SearchQuery): Promise<SearchFound>;
  /** A payment of one of these merchants, by its id. */
  anyPayment(merchantIds: readonly string[], id: string): Promise<Payment | null>;
}

export const noFilters: SearchFilters = {
  from: null,
  before: null,
  state: null,
  types: null,
  brand: null,
  code: null,
  currency: null,
  amount: null,
  last4: null,
  emailHash: null,
};

export function stateOf(payment: Payment): SearchState {
  if (payment.phase.at !== 'final') return 'open';
  return tookPlace(payment.phase.code) ? 'approved' : 'declined';
}

export function last4Of({ instrument }: Payment): string | null {
  return instrument && 'last4Digits' in instrument ? instrument.last4Digits : null;
}

/** The address of whoever pays, as it is compared. */
export const emailOf = ({ fields }: Payment): string | null => fields['customer.email']?.trim().toLowerCase() || null;

/** Whether a payment is what is looked for; its address is known by the hash that was kept with it. */
export function isFound(asked: SearchQuery, payment: Payment, emailHash: string | null): boolean {
  const { from, before, after, needles, types } = asked;
  const { createdAt, id } = payment;
  return (
    asked.merchantIds.includes(payment.merchantId) &&
    (from === null || createdAt >= from) &&
    (before === null || createdAt < before) &&
    (after === null || createdAt < after.createdAt || (createdAt === after.createdAt && id < after.id)) &&
    (types === null || types.includes(payment.paymentType)) &&
    is(asked.entityId, payment.entityId) &&
    is(asked.state, stateOf(payment)) &&
    is(asked.brand, payment.paymentBrand) &&
    is(asked.code, codeOf(payment)) &&
    is(asked.currency, payment.currency) &&
    is(asked.amount, payment.amount) &&
    is(asked.last4, last4Of(payment)) &&
    is(asked.emailHash, emailHash) &&
    (needles === null || needles.some((needle) => isNeedle(needle, payment, emailHash)))
  );
}

const is = <Value>(wanted: Value | null, value: Value | null): boolean => wanted === null || wanted === value;

function isNeedle(needle: Needle, payment: Payment, emailHash: string | null): boolean {
  switch (needle.is) {
    case 'id':
      return payment.id.startsWith(needle.prefix);
    case 'shortId':
      return payment.shortId.startsWith(needle.prefix);
    case 'reference':
      return payment.merchantTransactionId?.startsWith(needle.prefix) ?? false;
    case 'last4':
      return last4Of(payment) === needle.last4;
    case 'email':
      return emailHash === needle.hash;
    case 'emailPrefix':
      return emailOf(payment)?.startsWith(needle.prefix) ?? false;
    case 'amount':
      return payment.amount === needle.amount && is(needle.currency, payment.currency);
  }
}

/** The newest first. */
export const newestFirst = (one: SearchCursor, other: SearchCursor): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
