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
  /** Whether the items of carts are of no use to the caller; otherwise a page whose payments are too long is refused. */
  readonly isBrief?: boolean;
};

/** `known`: payments of the merchant that were read a moment ago, by their ids. */
export type FamilyRequest = Pick<QueryPageRequest, 'isBrief'> & { readonly known?: ReadonlyMap<string, Payment> };

/** One page, the oldest payment first, and how many payments all pages have. */
export type PageFound = { readonly payments: readonly Payment[]; readonly count: number };

/** A payment as a list shows it: the items of its cart apart from its other fields, as the JSON of a list in slices. */
export type ListedPayment = { readonly payment: Payment; readonly items: readonly string[] };

/**
 * The store as queries read it. Long payments come without the items of their carts. The cost of a page grows neither with its number nor
 * with what stands beside the list.
 */
export interface QueryStore {
  /** The payments with this reference of the merchant's own. */
  named(listing: Listing, merchantTransactionId: string, page: QueryPageRequest): Promise<PageFound>;
  /** The payments that were begun in this time. A short id is searched for among all of them. */
  within(listing: Listing, range: TimeRange, page: QueryPageRequest): Promise<PageFound>;
  /** All payments of these families, the oldest first. A long one that was read before is not read again. */
  families(merchantId: string, familyIds: readonly string[], page?: FamilyRequest): Promise<readonly Payment[]>;
  /** A payment with or without the items of its cart; null: it is gone. */
  listed(merchantId: string, id: string, withItems: boolean): Promise<ListedPayment | null>;
}

/** The result code of an approved payment that is flagged for manual review. */
export const REVIEW_CODE = '000.400.000';
/** The collection of decisions about such payments, each under the id of its payment. */
export const REVIEW_COLLECTION = 'review';

/** Queries of the back office about payments other than lists of all of them; the newest first. */
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
