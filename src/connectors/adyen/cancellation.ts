import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Inquiry } from '../../payments/ports.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import type { AdyenParts, AdyenReply } from './client.ts';
import { authorisationAnswer, declinedBy, eventsOf, isAuthorised, type KeptEvent } from './events.ts';
import { isPspReference, moneyOf, referenceText } from './requests.ts';
import { forgetStep } from './steps.ts';

/** A notification of the payment would have come so long after Adyen said that it found none. */
const SETTLED_MS = 5 * MINUTE_MS;
/** A reversal that failed so often needs a person. */
const REVERSALS_MAX = 10;

/** Asks Adyen to cancel or refund, whichever is possible. `failures`: of earlier reversals, which used up their keys. */
export function reversalOf(
  { post, settings: { merchantAccount } }: AdyenParts,
  payment: Payment,
  pspReference: string,
  failures: number,
): Promise<AdyenReply> {
  return post({
    step: 'modify',
    path: `/payments/${pspReference}/reversals`,
    body: { merchantAccount, reference: `${payment.merchantId}.${payment.id}.0` },
    key: `${acquirerKey(payment)}-r${failures}`,
  });
}

/**
 * Makes sure that a payment is never booked. Adyen only receives such requests and reports their outcome by notification, which is kept:
 * a later call finds it. With an id of Adyen the payment is reversed; without one it is cancelled by our reference.
 */
export async function cancelPayment(parts: AdyenParts, { payment }: Inquiry): Promise<AcquirerAnswer> {
  // A step that the shopper did not finish is of no use any more.
  if (payment.fields.shopperResultUrl !== undefined) await forgetStep(parts.needs, payment);
  const events = await eventsOf(parts.needs, payment);
  const of = (eventCode: string, success: 'true' | 'false'): KeptEvent | undefined =>
    events.findLast((event) => event.eventCode === eventCode && event.success === success);
  const technical = of('TECHNICAL_CANCEL', 'true');
  if (technical) return { is: 'cancelled', reference: technical.originalReference || technical.pspReference };
  const reversed = of('CANCEL_OR_REFUND', 'true') ?? of('CANCELLATION', 'true');
  if (reversed) return { is: 'cancelled', reference: reversed.originalReference || reversed.pspReference };
  const notFound = of('TECHNICAL_CANCEL', 'false');
  const psp = events.find(isAuthorised)?.pspReference ?? payment.reference ?? notFound?.originalReference;
  if (!events.some(isAuthorised)) {
    const refused = of('AUTHORISATION', 'false');
    if (refused) return authorisationAnswer(refused, false) ?? { is: 'waiting' };
    const closed = of('OFFER_CLOSED', 'true');
    if (closed) return declinedBy('100.396.103', closed);
  }
  if (isPspReference(psp)) return reverse(parts, payment, psp, events);
  return cancelByReference(parts, payment, notFound);
}

async function reverse(
  parts: AdyenParts,
  payment: Payment,
  pspReference: string,
  events: readonly KeptEvent[],
): Promise<AcquirerAnswer> {
  const failures = events.filter(({ eventCode, success }) => eventCode === 'CANCEL_OR_REFUND' && success === 'false').length;
  if (failures >= REVERSALS_MAX) return { is: 'waiting', reference: pspReference };
  const reply = await reversalOf(parts, payment, pspReference, failures);
  if (reply.is === 'refused')
    parts.needs.alarm('Adyen refused to reverse a payment', { paymentId: payment.id, pspReference, errorCode: reply.errorCode });
  // A late approval of a final payment is acknowledged once its reversal is under way: Adyen sends notifications in order, and that of the
  // reversal would wait behind the approval for ever. A reversal that fails is an alarm.
  if (reply.is === 'ok' && payment.phase.at === 'final') return { is: 'cancelled', reference: pspReference };
  return { is: 'waiting', reference: pspReference };
}

async function cancelByReference(
  { needs, settings, post }: AdyenParts,
  payment: Payment,
  notFound: KeptEvent | undefined,
): Promise<AcquirerAnswer> {
  const money = moneyOf(payment, settings);
  if (money === null) return { is: 'cancelled' };
  if (notFound) {
    const isSettled = needs.clockOf(payment.merchantId).now() >= notFound.receivedAt + SETTLED_MS;
    return isSettled ? { is: 'cancelled' } : { is: 'waiting' };
  }
  const reference = referenceText(payment, money.value);
  const reply = await post({
    step: 'cancel',
    path: '/cancels',
    body: { merchantAccount: settings.merchantAccount, paymentReference: reference, reference },
    key: `${acquirerKey(payment)}-c`,
  });
  if (reply.is === 'refused')
    needs.alarm('Adyen refused to cancel a payment', { paymentId: payment.id, errorCode: reply.errorCode });
  return { is: 'waiting' };
}
