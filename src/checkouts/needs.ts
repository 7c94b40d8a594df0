import type { Payment } from '../payments/payment.ts';
import type { Checkout } from './checkout.ts';

/** What the checkouts room asks of a store. */
export interface CheckoutStore {
  addCheckout(checkout: Checkout): Promise<void>;
  /** Its id is all that a browser has; the row tells whose it is. */
  checkout(id: string): Promise<Checkout | null>;
  /** Kept only on the revision before it; false: somebody was faster. */
  saveCheckout(checkout: Checkout): Promise<boolean>;
  /** The payments and registrations that were tried with it, the newest first. */
  attempts(merchantId: string, checkoutId: string): Promise<readonly Payment[]>;
  /** Checkouts whose `callAt` has passed, the longest overdue first. */
  callsDue(now: number, limit: number): Promise<readonly Checkout[]>;
  /** Forgets checkouts that ended before the instant; answers how many. */
  forgetCheckouts(before: number): Promise<number>;
}

/** One file of a build of the widget, under the name by which it is served. */
export type Asset = { readonly build: string; readonly name: string; readonly type: string; readonly bytes: Uint8Array };

/** Builds of all nodes: a checkout that began with one of them ends with it, whichever node is asked. */
export interface AssetStore {
  putAssets(assets: readonly Asset[], at: number): Promise<void>;
  asset(build: string, name: string): Promise<Asset | null>;
  /** Forgets builds that no node has put since the instant. */
  forgetAssets(before: number): Promise<number>;
}
