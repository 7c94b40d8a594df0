import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import { authorisationAnswer, declinedBy, eventsOf, isAuthorised, type KeptEvent } from './answers.ts';
import { type AdyenParts, type AdyenReply, failureAnswer } from './client.ts';
import { adyenValue, type Composed, isPspReference, moneyOf, parseReference, referenceText } from './requests.ts';
import type { AdyenSettings } from './settings.ts';
import { forgetStep } from './steps.ts';

/** A change of a payment at Adyen: it only answers `received`, and an event decides. */
type Modification = {
  readonly path: 'captures' | 'refunds' | 'cancels' | 'reversals' | 'amountUpdates';
  readonly event: string;
  /** The decline without a reason of Adyen's that says more. */
  readonly ours: NegativeCode;
  /** The whole of the payment is meant: no amount is sent. */
  readonly isWhole?: true;
};

const modifications = {
  capture: { path: 'captures', event: 'CAPTURE', ours: '700.400.100' },
  refund: { path: 'refunds', event: 'REFUND', ours: '700.400.200' },
  cancel: { path: 'cancels', event: 'CANCELLATION', ours: '700.400.300', isWhole: true },
  reversal: { path: 'reversals', event: 'CANCEL_OR_REFUND', ours: '700.400.300', isWhole: true },
  adjustment: { path: 'amountUpdates', event: 'AUTHORISATION_ADJUSTMENT', ours: '800.100.152' },
} as const satisfies Record<string, Modification>;

const impossible = (code: NegativeCode) => ({ is: 'impossible', code }) as const;

const isIncrement = ({ industryPractice, paymentType }: Payment): boolean =>
  industryPractice === 'INCREMENTAL_AUTH' && paymentType === 'PA';

/** A modification, and what an adjustment leads to. */
type Planned =
  | { readonly is: 'planned'; readonly modification: Modification; readonly total: bigint | null }
  | { readonly is: 'impossible'; readonly code: NegativeCode };

const planned = (modification: Modification, total: bigint | null = null): Planned => ({ is: 'planned', modification, total });

/** Whether a payment modifies another one at Adyen, and is no payment of its own. */
export const isModification = (payment: Payment): boolean =>
  ['CP', 'RF', 'RV'].includes(payment.paymentType) || isIncrement(payment);

/** The modification that a payment asks for. */
function planModification({ payment, referenced, balance }: Attempt): Planned {
  switch (payment.paymentType) {
    case 'CP':
      return planned(modifications.capture);
    case 'RF':
      return planned(modifications.refund);
    case 'RV':
      return referenced?.paymentType === 'PA' ? planCancel(payment, referenced, balance) : planned(modifications.reversal);
    default: {
      // The new total is sent: it is not known while another increment is open.
      if (balance && balance.available.most !== balance.available.least) return impossible('700.400.570');
      const before = balance?.available.least ?? referenced?.amount ?? 0n;
      return planned(modifications.adjustment, before - (balance?.reversed.least ?? 0n) + payment.amount);
    }
  }
}

/** A cancellation gives up all that is left; a part of it is given up by a lower total, as long as nothing was captured. */
function planCancel(payment: Payment, referenced: Payment, balance: Attempt['balance']): Planned {
  if (isIncrement(referenced)) return impossible('700.400.300');
  if (!balance) return planned(modifications.cancel);
  const rest = balance.available.least - balance.captured.most - balance.reversed.most;
  if (payment.amount === rest) return planned(modifications.cancel);
  return balance.captured.most === 0n ? planned(modifications.adjustment, rest - payment.amount) : impossible('700.400.300');
}

/** The modification of a payment that was sent: `isAdjusted` when a new total was. */
function modificationSent({ payment, referenced }: Inquiry, isAdjusted: boolean): Modification {
  if (isAdjusted || isIncrement(payment)) return modifications.adjustment;
  if (payment.paymentType === 'CP') return modifications.capture;
  if (payment.paymentType === 'RF') return modifications.refund;
  return referenced?.paymentType === 'PA' ? modifications.cancel : modifications.reversal;
}

/** Adyen's id of the payment that a referenced payment belongs to: a capture names it beside its own. */
function paymentPspOf(referenced: Payment | null): string | null {
  const found = referenced?.paymentType === 'CP' ? referenced.details.resultDetails?.ConnectorTxID2 : referenced?.reference;
  return isPspReference(found) ? found : null;
}

/** The request of a modification. `total`: the amount after an adjustment. */
function modificationRequest(
  { payment, referenced }: Inquiry,
  modification: Modification,
  { merchantAccount }: AdyenSettings,
  total: bigint | null,
): Composed {
  const psp = paymentPspOf(referenced);
  if (psp === null || (referenced && isIncrement(referenced))) return impossible('700.400.580');
  const { currency } = payment;
  const value = adyenValue(payment.amount, currency);
  const sent = total === null ? value : adyenValue(total, currency);
  if (value === undefined || sent === undefined) return impossible('800.100.174');
  const reference = referenceText(payment, value);
  // Of all methods only PayPal refunds a certain capture.
  const isOfPayPal = payment.paymentType === 'RF' && referenced?.paymentType === 'CP' && referenced.paymentBrand === 'PAYPAL';
  const capture = isOfPayPal ? referenced.reference : undefined;
  const body = {
    merchantAccount,
    reference,
    ...(modification.isWhole ? {} : { amount: { currency, value: Number(sent) } }),
    ...(isPspReference(capture) && { capturePspReference: capture }),
  };
  return { is: 'request', path: `/payments/${psp}/${modification.path}`, body, reference };
}

/** The answer among the events about a modification; null: none has come yet. */
function modificationAnswer(
  { payment, referenced }: Inquiry,
  modification: Modification,
  events: readonly KeptEvent[],
): AcquirerAnswer | null {
  const event = events.findLast((one) => one.eventCode === modification.event && isAbout(one, payment));
  if (!event) return null;
  if (event.success === 'false') return declinedBy(modification.ours, event);
  const { pspReference } = event;
  const modified = event.originalReference || paymentPspOf(referenced);
  const resultDetails = { ConnectorTxID1: pspReference, ...(modified && { ConnectorTxID2: modified }) };
  return { is: 'approved', reference: pspReference, details: { resultDetails } };
}

/** By the id of the modification, or by our own reference of it where the id was never answered. */
const isAbout = ({ pspReference, merchantReference }: KeptEvent, { id, reference }: Payment): boolean =>
  pspReference === reference || parseReference(merchantReference)?.paymentId === id;

/** Adyen knows an idempotency key for at least seven days: after that a request is not repeated. */
const KEY_LIFE_MS = 6 * DAY_MS;
/** So many inquiries without a notification are about an hour. */
const INQUIRIES_UNTIL_ALARM = 20;

/** The record of an adjustment: its total is needed to repeat it. */
const adjustmentId = (paymentId: string): string => `adjustment/${paymentId}`;

/** Captures, refunds, reversals, adjustments: Adyen receives them, and a notification decides. */
export async function sendModification(parts: AdyenParts, attempt: Attempt): Promise<AcquirerAnswer> {
  const { payment } = attempt;
  const plan = planModification(attempt);
  if (plan.is === 'impossible') return { is: 'declined', code: plan.code, details: {} };
  const composed = modificationRequest(attempt, plan.modification, parts.settings, plan.total);
  if (composed.is === 'impossible') return { is: 'declined', code: composed.code, details: {} };
  if (plan.total !== null) await keepTotal(parts, payment, plan.total);
  const reply = await parts.post({ step: 'modify', path: composed.path, body: composed.body, key: payment.id });
  return reply.is === 'ok' ? received(reply.body) : failureAnswer(reply, parts.needs);
}

async function keepTotal({ needs }: AdyenParts, { id, familyId, createdAt }: Payment, total: bigint): Promise<void> {
  const document = { id: adjustmentId(id), group: familyId, at: createdAt, revision: 1, body: { total: String(total) } };
  await needs.documents.save([document]);
}

async function totalOf({ needs }: AdyenParts, payment: Payment): Promise<bigint | null> {
  const mayAdjust = payment.paymentType === 'RV' || payment.paymentType === 'PA';
  const document = mayAdjust ? await needs.documents.find(adjustmentId(payment.id)) : null;
  const body = document?.body;
  return isRecord(body) && typeof body.total === 'string' ? BigInt(body.total) : null;
}

const received = ({ pspReference }: Readonly<Record<string, unknown>>): AcquirerAnswer => ({
  is: 'waiting',
  ...(isPspReference(pspReference) && { reference: pspReference }),
});

/** The authorisation behind a capture: Adyen may name a refund by it. */
const authorised = (referenced: Payment | null): Pick<Payment, 'merchantId' | 'id'> | null =>
  referenced?.referencedId ? { merchantId: referenced.merchantId, id: referenced.referencedId } : null;

/** The answer among the notifications. A request whose answer was lost is repeated with its key, which returns the first answer. */
export async function inquireModification(parts: AdyenParts, inquiry: Inquiry): Promise<AcquirerAnswer> {
  const { payment, referenced } = inquiry;
  const { needs, settings } = parts;
  const total = await totalOf(parts, payment);
  const modification = modificationSent(inquiry, total !== null);
  const known = modificationAnswer(inquiry, modification, await eventsOf(needs, payment, referenced, authorised(referenced)));
  if (known) return known;
  if (payment.phase.at === 'doubt' && payment.phase.tries === INQUIRIES_UNTIL_ALARM)
    needs.alarm('no notification of Adyen has come for an hour: is the webhook set up?', { paymentId: payment.id });
  const isKeyOver = needs.clockOf(payment.merchantId).now() >= payment.createdAt + KEY_LIFE_MS;
  if (payment.reference !== undefined || isKeyOver) return { is: 'waiting' };
  const composed = modificationRequest(inquiry, modification, settings, total);
  if (composed.is === 'impossible') return { is: 'waiting' };
  const reply = await parts.post({ step: 'modify', path: composed.path, body: composed.body, key: payment.id });
  if (reply.is === 'ok') return received(reply.body);
  // The first request was never accepted, or the key would have returned its answer. Credentials and load say nothing about it.
  return reply.is === 'refused' && ![401, 403].includes(reply.status) ? failureAnswer(reply, needs) : { is: 'waiting' };
}

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
