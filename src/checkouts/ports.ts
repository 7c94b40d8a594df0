import type { Entity } from '../merchants/directory.ts';
import type { ListQuery } from '../merchants/listing.ts';
import type { DueQuery } from '../merchants/merchantFilter.ts';
import type { Environment } from '../payments/order.ts';
import type { Payment } from '../payments/payment.ts';
import type { IdempotencyKey, World } from '../payments/ports.ts';
import type { SecretStore } from '../vault/ports.ts';
import type { Checkout } from './checkout.ts';
import type { HeldCodes } from './heldCodes.ts';

/** The store of checkouts. */
export interface CheckoutStore {
  addCheckout(checkout: Checkout): Promise<void>;
  /** Its id is all that a browser has; the row has the merchant. */
  checkout(id: string): Promise<Checkout | null>;
  /** Kept only on the revision before it; false: another request was faster. */
  saveCheckout(checkout: Checkout): Promise<boolean>;
  /**
   * Adds a checkout (its first revision) or saves it, with the idempotency key in the same commit. `moved`: the stored revision is not the
   * one before. `keyUsed`: the key belongs to another request, of a checkout or of a payment. Only `kept` has written anything.
   */
  saveCheckoutWithKey(checkout: Checkout, idempotencyKey: IdempotencyKey, at: number): Promise<'kept' | 'moved' | 'keyUsed'>;
  /** The payments and registrations that were tried with it, the newest first, at most `ATTEMPTS_MAX`. */
  attempts(merchantId: string, checkoutId: string): Promise<readonly Payment[]>;
  /** Checkouts whose `callAt` has passed, the longest overdue first. */
  callsDue(asked: DueQuery): Promise<readonly Checkout[]>;
  /** Forgets checkouts that ended before the instant; answers how many. */
  deleteCheckouts(before: number): Promise<number>;
}

/** One file of a build of the widget, under the name by which it is served. */
export type Asset = { readonly build: string; readonly name: string; readonly type: string; readonly bytes: Uint8Array };

/** Builds of all nodes: a checkout that began with one of them ends with it, whichever node is asked. */
export interface AssetStore {
  putAssets(assets: readonly Asset[], at: number): Promise<void>;
  asset(build: string, name: string): Promise<Asset | null>;
  /** Forgets builds that no node has put since the instant. */
  deleteAssets(before: number): Promise<number>;
}

/** The files of the widget, of this node's build and of builds that other nodes serve or served not long ago. */
export interface WidgetFiles {
  readonly build: string;
  file(build: string, name: string): Promise<Asset | null>;
  /** The script of one checkout; null when its build is unknown. */
  loader(checkout: Pick<Checkout, 'id' | 'build' | 'origin' | 'isRegistering'>): Promise<string | null>;
  /** Every script and style of this build with what a browser may compare it with. */
  inventory(): readonly { readonly name: string; readonly integrity: string; readonly bytes: number }[];
}

/** Posts JSON over TLS with a certificate of ours, to public addresses alone. Rejects when no JSON comes back in time. */
export type PostAs = (credentials: {
  readonly cert: string;
  readonly key: string;
}) => (
  url: string,
  json: object,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly json: unknown }>;

/** The ports of checkouts. */
export type CheckoutService = {
  readonly world: World;
  readonly environment: Environment;
  readonly store: CheckoutStore;
  readonly files: WidgetFiles;
  /** The hash with which a browser compares a script. */
  readonly integrityOf: (bytes: Uint8Array | string) => string;
  readonly entity: (id: string) => Entity | null;
  /** Stands in the ids of this node's checkouts: letters, digits and hyphens, at most 15. */
  readonly nodeName: string;
  /** The private keys by which shops prove themselves to wallets. */
  readonly secrets: Pick<SecretStore, 'secret'>;
  readonly postAs: PostAs;
  readonly heldCodes: HeldCodes;
  /** Waits for a tick of the event loop between two slices of long work. */
  readonly rest: () => Promise<void>;
};

type CheckoutListQuery = ListQuery & {
  /** Only those whose time is not over at this instant; null: all. */
  readonly livingAt: number | null;
};

/** The store of lists of checkouts. */
export interface CheckoutLists {
  checkoutsListed(asked: CheckoutListQuery): Promise<readonly Checkout[]>;
}
