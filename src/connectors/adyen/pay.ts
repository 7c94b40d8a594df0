import { createHmac } from 'node:crypto';
import type { Payment } from '../../payments/payment.ts';
import { acquirerKey } from '../../payments/paymentRef.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { type ResultContext, readResult } from './answers.ts';
import { reversalOf } from './cancellation.ts';
import { authorisationAnswer, declinedBy, eventsOf, isAuthorised, isWhole, type KeptEvent } from './events.ts';
import { type AdyenParts, failureAnswer, NoAnswer } from './parts.ts';
import { referenceText } from './references.ts';
import { moneyOf, paymentRequest } from './requests.ts';
import { TEST_HOST } from './settings.ts';

const MASTERCARD: ReadonlySet<string | null> = new Set(['MASTER', 'MASTERDEBIT', 'MAESTRO']);
/** Money for a part of what was asked is given back, and the payment fails for want of the rest. */
const PARTLY = '800.100.155';

const isInitial = ({ fields }: Payment): boolean =>
  fields['standingInstruction.mode'] === 'INITIAL' || fields.recurringType === 'INITIAL';

type Money = NonNullable<ReturnType<typeof moneyOf>>;

function contextOf({ needs, settings }: AdyenParts, payment: Payment, money: Money): ResultContext {
  return {
    reference: referenceText(payment, money.value),
    ...money,
    isMastercard: MASTERCARD.has(payment.paymentBrand),
    isInitial: isInitial(payment),
    until: needs.clockOf(payment.merchantId).now() + settings.shopperMinutes * MINUTE_MS,
    mustName: false,
  };
}

/** A payment of its own: authorisation, debit, verification of a card. */
export async function sendPayment(parts: AdyenParts, attempt: Attempt): Promise<AcquirerAnswer> {
  const { needs, settings, post } = parts;
  const { payment } = attempt;
  if (payment.mode === 'LIVE' && URL.parse(settings.url)?.hostname === TEST_HOST) {
    needs.alarm('a live payment cannot be sent to the test environment of Adyen: set "url" of the account', {});
    return { is: 'declined', code: '900.100.310', details: {} };
  }
  const composed = paymentRequest(attempt, settings, needs.returnUrl(payment));
  const money = moneyOf(payment, settings);
  if (composed.is === 'impossible') return { is: 'declined', code: composed.code, details: {} };
  if (money === null) return { is: 'declined', code: '800.100.174', details: {} };
  const { path, body } = composed;
  const reply = await post({ path, body, key: acquirerKey(payment) });
  if (reply.is !== 'ok') return failureAnswer(reply, needs);
  return answerTo(parts, payment, readResult(reply.body, contextOf(parts, payment, money)));
}

async function answerTo(parts: AdyenParts, payment: Payment, reading: ReturnType<typeof readResult>): Promise<AcquirerAnswer> {
  switch (reading.is) {
    case 'answer':
      return reading.answer;
    case 'partly':
      await reversalOf(parts, payment, reading.pspReference, 0);
      return { is: 'waiting', reference: reading.pspReference };
    case 'unreadable':
      throw new NoAnswer();
  }
}

/** Adyen has no lookup by reference: its notifications are the answer. */
export async function inquirePayment(parts: AdyenParts, { payment }: Inquiry): Promise<AcquirerAnswer> {
  const events = await eventsOf(parts.needs, payment);
  const whole = events.find((event) => isAuthorised(event) && isWhole(event));
  const undone = events.find(isUndone);
  if (undone) return declinedBy(PARTLY, undone);
  if (whole) return authorisationAnswer(whole, isInitial(payment)) ?? { is: 'waiting' };
  const part = events.find(isAuthorised);
  if (part) {
    const failures = events.filter(isReversalFailed).length;
    await reversalOf(parts, payment, part.pspReference, failures);
    return { is: 'waiting', reference: part.pspReference };
  }
  const refused = events.findLast(({ eventCode }) => eventCode === 'AUTHORISATION');
  if (refused) return authorisationAnswer(refused, false) ?? { is: 'waiting' };
  const closed = events.find(({ eventCode }) => eventCode === 'OFFER_CLOSED');
  if (closed) return declinedBy('100.396.103', closed);
  // With an id, or with a shopper on the way, Adyen knows the payment and will decide it.
  return payment.reference !== undefined || payment.phase.at === 'shopper' ? { is: 'waiting' } : { is: 'absent' };
}

const isUndone = ({ eventCode, success }: KeptEvent): boolean =>
  success === 'true' && ['CANCEL_OR_REFUND', 'CANCELLATION', 'TECHNICAL_CANCEL'].includes(eventCode);

const isReversalFailed = ({ eventCode, success }: KeptEvent): boolean => success === 'false' && eventCode === 'CANCEL_OR_REFUND';

const RESULT_CHARACTERS_MAX = 20_000;

/** The shopper is back. What the browser brings completes the payment at Adyen; only an answer that names this payment counts. */
export async function completePayment(
  parts: AdyenParts,
  inquiry: Inquiry,
  parameters: ReadonlyMap<string, string>,
): Promise<AcquirerAnswer> {
  const { payment } = inquiry;
  const known = await inquirePayment(parts, inquiry);
  if (known.is === 'approved' || known.is === 'declined') return known;
  const name = ['redirectResult', 'payload'].find((one) => parameters.has(one));
  const result = name === undefined ? '' : (parameters.get(name) ?? '');
  const money = moneyOf(payment, parts.settings);
  if (name === undefined || result === '' || result.length > RESULT_CHARACTERS_MAX || money === null) return known;
  const digest = createHmac('sha256', payment.id).update(result).digest('hex').slice(0, 16);
  const reply = await parts.post({
    path: '/payments/details',
    body: { details: { [name]: result } },
    key: `${acquirerKey(payment)}-d${digest}`,
  });
  // A result that Adyen does not accept says nothing about the payment: it may be another shopper's.
  if (reply.is !== 'ok') return { is: 'waiting' };
  const context = { ...contextOf(parts, payment, money), mustName: { pspReference: payment.reference } };
  const reading = readResult(reply.body, context);
  return reading.is === 'unreadable' ? { is: 'waiting' } : answerTo(parts, payment, reading);
}
