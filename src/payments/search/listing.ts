import type { ListCursor, ListQuery } from '../../merchants/listing.ts';
import type { Mode } from '../../registrations/registration.ts';
import type { Payment } from '../payment.ts';

/** Whose payments a list is made of, and which of them. Null: all. */
export type Listing = {
  readonly merchantId: string;
  /** A channel. */
  readonly entityId: string | null;
  /** Types and methods of two characters each. */
  readonly types: readonly string[] | null;
  readonly methods: readonly string[] | null;
  readonly mode: Mode | null;
  readonly shortId: string | null;
};

/** From an instant on and strictly before another. */
export type TimeRange = { readonly from: number; readonly before: number };

/** Pages count from 1. */
export type QueryPageRequest = {
  readonly pageNo: number;
  readonly limit: number;
  /** Whether long payments may come without the items of their carts; otherwise a page too long for the memory is refused. */
  readonly isBrief?: boolean;
};

/** One page, the oldest payment first, and how many payments all pages have. */
export type PageFound = { readonly payments: readonly Payment[]; readonly count: number };

/** What queries need of the store. The cost of a page grows neither with its number nor with what stands beside the list. */
export interface QueryStore {
  /** The payments with this reference of the merchant's own. */
  named(listing: Listing, merchantTransactionId: string, page: QueryPageRequest): Promise<PageFound>;
  /** The payments that were begun in this time. A short id is looked for among all of them. */
  within(listing: Listing, range: TimeRange, page: QueryPageRequest): Promise<PageFound>;
  /** All payments of these families, the oldest first. Long ones come without the items of their carts, unless they are to be whole. */
  families(merchantId: string, familyIds: readonly string[], isWhole?: boolean): Promise<readonly Payment[]>;
}

/** The result code of an approved payment that is flagged for manual review. */
export const REVIEW_CODE = '000.400.000';
/** The collection of decisions about such payments, each under the id of its payment. */
export const REVIEW_COLLECTION = 'review';

/** What the back office asks about payments beside lists of all of them; the newest first. */
export interface FollowUpLists {
  /** Payments with these stored details. */
  usesOf(asked: {
    readonly merchantId: string;
    readonly registrationId: string;
    readonly before: ListCursor | null;
    readonly limit: number;
  }): Promise<readonly Payment[]>;
  /** Payments that wait for a manual review. */
  reviewsWaiting(asked: ListQuery): Promise<readonly Payment[]>;
  /** How many wait, up to a limit. */
  countReviews(asked: Pick<ListQuery, 'scope' | 'limit'>): Promise<number>;
}
