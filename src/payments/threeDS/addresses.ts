import type { Addresses } from '../../threeds/setup.ts';
import type { Payment } from '../payment.ts';
import { paymentRefText } from '../paymentRef.ts';

type PaymentKey = Pick<Payment, 'merchantId' | 'id'>;

/** Where a payment's authentication goes on: the page that the shopper is sent to. */
export const pagePath = (key: PaymentKey): string => `/v1/3ds/${paymentRefText(key)}`;

export const browserPath = (key: PaymentKey): string => `${pagePath(key)}/browser`;

export const continuePath = (key: PaymentKey): string => `${pagePath(key)}/continue`;

/** Where the outside world finds one authentication. */
export const addressesAt = (origin: string, key: PaymentKey): Addresses => ({
  results: `${origin}${pagePath(key)}/results`,
  notification: `${origin}${pagePath(key)}/return`,
  methodNotification: `${origin}${pagePath(key)}/method`,
});
