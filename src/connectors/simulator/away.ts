import type { Answer, Attempt } from '../../payments/needs.ts';
import type { Payment } from '../../payments/payment.ts';
import { brands } from '../../spec/brands.ts';
import type { MethodCode } from '../../spec/methods.ts';
import { type Confirmation, ticketOf, ticketText } from './bank/ticket.ts';
import { standsAlone } from './series.ts';
import { type Steering, steeringOf } from './steering.ts';
import type { Verdict } from './verdict.ts';

/** The shopper decides, unless the request decides for him, or he has stored his account. */
export function sendsAway({ payment, registration }: Attempt, verdict: Verdict, steering: Steering): boolean {
  const isBrandAway = brands[payment.paymentBrand ?? '']?.workflow === 'async';
  return isBrandAway && registration === null && standsAlone(payment) && verdict.is === 'approved' && steering.code === undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long a shopper may take: half an hour at his bank or wallet, two weeks for an invoice or a transfer of his own. */
const PATIENCE_MS: Partial<Record<MethodCode, number>> = { IV: 14 * DAY_MS, PP: 14 * DAY_MS };

/** Where to, and for how long. */
export function redirected(payment: Payment): Answer {
  const until = payment.createdAt + (PATIENCE_MS[payment.method] ?? 30 * MINUTE_MS);
  const confirms = (steeringOf(payment).confirm ?? 'before') as Confirmation;
  const url = `/sandbox/bank/${ticketText(ticketOf(payment, until, confirms))}`;
  return { is: 'redirected', redirect: { url, method: 'GET', parameters: [] }, until };
}
