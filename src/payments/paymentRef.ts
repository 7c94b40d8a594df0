/** A payment in an address without an access token: the merchant is part of it. */
export type PaymentRef = { readonly merchantId: string; readonly paymentId: string };

const NAME = /^([0-9a-f]{32})\.([0-9a-f]{32})$/;

export const paymentRefText = ({ merchantId, id }: { readonly merchantId: string; readonly id: string }): string =>
  `${merchantId}.${id}`;

/**
 * The reference of a payment at its acquirer, for idempotency keys: the id, and after other accounts the number of the attempt.
 * Two accounts may be of one acquirer, which must not take the second request for the first.
 */
export const acquirerKey = ({ id, earlier = [] }: { readonly id: string; readonly earlier?: readonly unknown[] }): string =>
  earlier.length === 0 ? id : `${id}-${earlier.length + 1}`;

const KEY = /^([0-9a-f]{32})(?:-[2-9])?$/;

/** The payment that a reference at an acquirer names; null: it names none. */
export const paymentIdIn = (key: string): string | null => KEY.exec(key)?.[1] ?? null;

/** The payment of a path segment; null when the segment is not one. */
export function parsePaymentRef(segment: string | null): PaymentRef | null {
  const [, merchantId, paymentId] = NAME.exec(segment ?? '') ?? [];
  return merchantId !== undefined && paymentId !== undefined ? { merchantId, paymentId } : null;
}
