import { type PaymentRef, parsePaymentRef, paymentRefText } from '../../payments/payment.ts';

/**
 * Our reference at Adyen: merchant, payment and the value that was asked for. Adyen signs the reference in its notifications together with
 * the value, so that an approval for less is recognised without the payment. At most 80 characters.
 */
export const referenceText = (payment: { readonly merchantId: string; readonly id: string }, value: bigint): string =>
  `${paymentRefText(payment)}.${value}`;

export type AdyenReference = PaymentRef & { readonly value: string };

const REFERENCE = /^([0-9a-f]{32}\.[0-9a-f]{32})\.([0-9]{1,14})$/;

/** Null: not a reference of this gateway. */
export function parseReference(text: string): AdyenReference | null {
  const [, ref, value] = REFERENCE.exec(text) ?? [];
  const parsed = parsePaymentRef(ref ?? null);
  return parsed && value !== undefined ? { ...parsed, value } : null;
}

/** An id of Adyen: of a payment or of a modification. */
export const isPspReference = (text: unknown): text is string => typeof text === 'string' && /^[A-Z0-9]{16}$/.test(text);
