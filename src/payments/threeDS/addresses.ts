import type { Addresses } from '../../threeds/setup.ts';
import type { Payment } from '../payment.ts';
import { paymentRefText } from '../paymentRef.ts';

type PaymentKey = Pick<Payment, 'merchantId' | 'id'>;

/** Where a payment's authentication goes on: the page that the shopper is sent to. */
export const pagePath = (whose: PaymentKey): string => `/v1/3ds/${paymentRefText(whose)}`;

export const continuePath = (whose: PaymentKey): string => `${pagePath(whose)}/continue`;

/** Where the outside world finds one authentication. */
export const addressesAt = (origin: string, whose: PaymentKey): Addresses => ({
  results: `${origin}${pagePath(whose)}/results`,
  notification: `${origin}${pagePath(whose)}/return`,
  methodNotification: `${origin}${pagePath(whose)}/method`,
});
