import type { ListQuery } from '../merchants/listing.ts';
import type { Checkout } from './checkout.ts';

export type CheckoutListQuery = ListQuery & {
  /** Only those whose time is not over at this instant; null: all. */
  readonly livingAt: number | null;
};

/** What lists of checkouts need of a store. */
export interface CheckoutLists {
  checkoutsListed(asked: CheckoutListQuery): Promise<readonly Checkout[]>;
}
