import type { Addresses } from '../../threeds/setup.ts';
import type { Payment } from '../payment.ts';
import { nameOf } from '../paymentName.ts';

type Whose = Pick<Payment, 'merchantId' | 'id'>;

/** Where a payment's authentication goes on: the page that the shopper is sent to. */
export const pagePath = (whose: Whose): string => `/v1/3ds/${nameOf(whose)}`;

export const continuePath = (whose: Whose): string => `${pagePath(whose)}/continue`;

/** Where the outside world finds one authentication. */
export const addressesAt = (origin: string, whose: Whose): Addresses => ({
  results: `${origin}${pagePath(whose)}/results`,
  notification: `${origin}${pagePath(whose)}/return`,
  methodNotification: `${origin}${pagePath(whose)}/method`,
});
