/**
 * A session of the payment widget: what the merchant has prepared, for half an hour. Its id alone lets a shopper's browser pay, so it is
 * random and nothing is told about it that a shopper may not see.
 */
export type Checkout = {
  /** 32 upper-case hex digits, a dot and the name of the node. */
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** Nothing is charged: the details are stored. */
  readonly isRegistering: boolean;
  /** What the merchant has sent, by the names that were sent; never a secret. */
  readonly fields: Readonly<Record<string, string>>;
  /** Under which address the gateway was asked, and which build of the widget goes with it: both decide the bytes of its script. */
  readonly origin: string;
  readonly build: string;
  /** When pay was first clicked; null: not yet. */
  readonly clickedAt: number | null;
  /** When the merchant last asked what became of it. */
  readonly askedAt: number | null;
  /** When the merchant is to be told to ask; null: he need not, or was. */
  readonly callAt: number | null;
};

export const CHECKOUT_MS = 30 * 60_000;
/** A merchant who has not asked by then is told to, while it can still be asked. */
export const CALL_AFTER_MS = 29 * 60_000;

export const isOver = ({ expiresAt }: Pick<Checkout, 'expiresAt'>, now: number): boolean => now >= expiresAt;
