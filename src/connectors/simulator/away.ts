import type { Answer, Attempt } from '../../payments/needs.ts';
import type { Payment } from '../../payments/payment.ts';
import { brands } from '../../spec/brands.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { kindOf, kinds } from './bank/kinds.ts';
import { type Confirmation, ticketOf, ticketText } from './bank/ticket.ts';
import { standsAlone } from './series.ts';
import { msFor, type Steering, steeringOf } from './steering.ts';
import type { Verdict } from './verdict.ts';

/** The shopper decides, unless the request decides for him, or he has stored his account. */
export function sendsAway({ payment, registration }: Attempt, verdict: Verdict, steering: Steering): boolean {
  const isBrandAway = brands[payment.paymentBrand ?? '']?.workflow === 'async';
  return isBrandAway && registration === null && standsAlone(payment) && verdict.is === 'approved' && steering.code === undefined;
}

/** How long after the shopper a bank that tells afterwards does so. */
const CONFIRM_MS = 2_000;

/** Where to, and for how long. */
export function redirected(payment: Payment): Answer {
  const { paymentBrand, paymentType, createdAt } = payment;
  const until = createdAt + kinds[kindOf({ brand: paymentBrand ?? '', paymentType })].patienceMs;
  const { confirm = 'before', confirmAfter } = steeringOf(payment);
  const confirmation = { confirms: confirm as Confirmation, confirmMs: msFor(confirmAfter, CONFIRM_MS) };
  const url = endpoints.bankPage.path.replace('{id}', ticketText(ticketOf(payment, until, confirmation)));
  return { is: 'redirected', redirect: { url, method: 'GET', parameters: [] }, until };
}
