/** A payment by the name it has in addresses that carry no token: whoever speaks of it says whose it is. */
export type PaymentRef = { readonly merchantId: string; readonly paymentId: string };

const NAME = /^([0-9a-f]{32})\.([0-9a-f]{32})$/;

export const paymentRefText = ({ merchantId, id }: { readonly merchantId: string; readonly id: string }): string =>
  `${merchantId}.${id}`;

/** Whom a segment of an address names; null when it names nobody. */
export function parsePaymentRef(segment: string | null): PaymentRef | null {
  const [, merchantId, paymentId] = NAME.exec(segment ?? '') ?? [];
  return merchantId !== undefined && paymentId !== undefined ? { merchantId, paymentId } : null;
}
