import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { RESULT_FIELD, STEP_FIELD } from '../../payments/shopperStep.ts';
import { declineWithoutCard } from '../kind.ts';
import { type ResultReading, readResult } from './answers.ts';
import { reversalOf } from './cancellation.ts';
import { type AdyenParts, failureAnswer, NoAnswer } from './client.ts';
import { authorisationAnswer, declinedBy, eventsOf, isAuthorised, isWhole, type KeptEvent } from './events.ts';
import { askDetails, beginSteps, completeStep, contextOf, isInitial, nextStep, sendPostedAgain } from './native.ts';
import { moneyOf, paymentRequest } from './requests.ts';
import { TEST_HOST } from './settings.ts';
import { isAtComponent } from './steps.ts';

/** A partial authorisation is given back, and the payment fails because the rest is missing. */
const PARTLY = '800.100.155';

/** A payment of its own: authorisation, debit, verification of a card. */
export async function sendPayment(parts: AdyenParts, attempt: Attempt): Promise<AcquirerAnswer> {
  const { needs, settings, post } = parts;
  const { payment } = attempt;
  if (payment.mode === 'LIVE' && URL.parse(settings.url)?.hostname === TEST_HOST) {
    needs.alarm('a live payment cannot be sent to the test environment of Adyen: set "url" of the account', {});
    return { is: 'declined', code: '900.100.310', details: {} };
  }
  const nothing = declineWithoutCard(attempt);
  if (nothing) return nothing;
  const composed = paymentRequest(attempt, settings, needs.returnUrl(payment));
  const money = moneyOf(payment, settings);
  if (composed.is === 'impossible') return { is: 'declined', code: composed.code, details: {} };
  if (money === null) return { is: 'declined', code: '800.100.174', details: {} };
  const { path, body } = composed;
  const reply = await post({ step: 'pay', path, body, key: acquirerKey(payment) });
  if (reply.is !== 'ok') return failureAnswer(reply, needs);
  return answerTo(parts, payment, readResult(reply.body, contextOf(parts, payment, money)));
}

async function answerTo(parts: AdyenParts, payment: Payment, reading: ResultReading): Promise<AcquirerAnswer> {
  switch (reading.is) {
    case 'answer':
      return reading.answer;
    case 'step':
      return beginSteps(parts, payment, reading);
    case 'partly':
      await reversalOf(parts, payment, reading.pspReference, 0);
      return { is: 'waiting', reference: reading.pspReference };
    case 'foreign':
    case 'unreadable':
      throw new NoAnswer();
  }
}

/** Adyen has no lookup by reference: its notifications are the answer. A result of the shopper without an answer is sent again. */
export async function inquirePayment(parts: AdyenParts, { payment }: Inquiry): Promise<AcquirerAnswer> {
  const known = await outcomeOf(parts, payment);
  return known.is === 'waiting' && isAtComponent(payment) ? sendPostedAgain(parts, payment, known) : known;
}

/** The answer by the notifications. */
async function outcomeOf(parts: AdyenParts, payment: Payment): Promise<AcquirerAnswer> {
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

/**
 * The shopper is back, or the page of a native authentication has a result. The browser's data completes the payment at Adyen; only an
 * answer that names this payment counts.
 */
export async function completePayment(
  parts: AdyenParts,
  { payment }: Inquiry,
  parameters: ReadonlyMap<string, string>,
): Promise<AcquirerAnswer> {
  const known = await outcomeOf(parts, payment);
  if (known.is === 'approved' || known.is === 'declined') return known;
  const token = parameters.get(STEP_FIELD);
  if (token !== undefined) return completeStep(parts, payment, { token, result: parameters.get(RESULT_FIELD) ?? '' });
  const name = ['redirectResult', 'payload'].find((one) => parameters.has(one));
  const result = name === undefined ? '' : (parameters.get(name) ?? '');
  if (name === undefined || result === '' || result.length > RESULT_CHARACTERS_MAX) return known;
  const { reading } = await askDetails(parts, payment, { [name]: result });
  // A result that Adyen does not accept says nothing about the payment: it may be another shopper's.
  if (reading === null || reading.is === 'unreadable' || reading.is === 'foreign') return { is: 'waiting' };
  if (!isAtComponent(payment)) return reading.is === 'step' ? { is: 'waiting' } : answerTo(parts, payment, reading);
  return nextStep(parts, payment, reading);
}
