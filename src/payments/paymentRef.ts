/** A payment in an address without an access token: the merchant is part of it. */
export type PaymentRef = { readonly merchantId: string; readonly paymentId: string };

const NAME = /^([0-9a-f]{32})\.([0-9a-f]{32})$/;

export const paymentRefText = ({ merchantId, id }: { readonly merchantId: string; readonly id: string }): string =>
  `${merchantId}.${id}`;

/** The payment of a path segment; null when the segment is not one. */
export function parsePaymentRef(segment: string | null): PaymentRef | null {
  const [, merchantId, paymentId] = NAME.exec(segment ?? '') ?? [];
  return merchantId !== undefined && paymentId !== undefined ? { merchantId, paymentId } : null;
}
