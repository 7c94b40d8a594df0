import { createHmac } from 'node:crypto';
import { acquirerKey, type Payment, RESULT_FIELD, type ShopperStep, STEP_FIELD } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { declineWithoutCard } from '../kind.ts';
import {
  authorisationAnswer,
  declinedBy,
  eventsOf,
  isAuthorised,
  isWhole,
  type KeptEvent,
  type ResultContext,
  type ResultReading,
  readResult,
} from './answers.ts';
import { type AdyenParts, type AdyenReply, failureAnswer, NoAnswer } from './client.ts';
import { reversalOf } from './modifications.ts';
import { isSame } from './notifications.ts';
import { moneyOf, paymentRequest, referenceText } from './requests.ts';
import { TEST_HOST } from './settings.ts';
import {
  actionStep,
  componentPath,
  findStep,
  isAtComponent,
  type KeptStep,
  keepStep,
  type PostedStep,
  STEPS_MAX,
  shownStep,
} from './steps.ts';

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

const NATIVE_CHARACTERS_MAX = 50_000;
const TRIES_MAX = 4;
const WAITING: AcquirerAnswer = { is: 'waiting' };

type Answered = Exclude<ResultReading, { is: 'foreign' | 'unreadable' }>;
type StepReading = Extract<ResultReading, { is: 'step' }>;

/** The shopper goes to the gateway's page, which shows the stored step. */
function atPage(parts: AdyenParts, payment: Payment, reference: string | null): AcquirerAnswer {
  const redirect = { url: componentPath(payment), method: 'GET', parameters: [] } as const;
  return { is: 'redirected', redirect, until: shopperUntil(parts, payment), ...(reference !== null && { reference }) };
}

/** The first action of a payment. Without a record of it there is nothing to show, and the payment counts as one without an answer. */
async function beginSteps(parts: AdyenParts, payment: Payment, { action, reference }: StepReading): Promise<AcquirerAnswer> {
  if (!(await keepStep(parts.needs, payment, null, actionStep(parts.needs, 1, action)))) throw new NoAnswer();
  return atPage(parts, payment, reference);
}

/** The step that the page shows to the shopper; null: the payment is elsewhere. */
export async function shopperStep({ needs, settings }: AdyenParts, { payment }: Inquiry): Promise<ShopperStep | null> {
  const kept = isAtComponent(payment) ? await findStep(needs, payment) : null;
  return kept && shownStep(kept, settings, payment);
}

/** Base64 in either alphabet. */
const isResult = (text: string): boolean => text.length <= NATIVE_CHARACTERS_MAX && /^[A-Za-z0-9+/_=-]{4,}$/.test(text);

/**
 * The page has a result. It counts for the action that the page has shown, and the first one counts: a second one, of the same page or of
 * another tab, only makes the first be sent again under its own key. A result that is none, or that Adyen refuses, leaves the action as
 * it was, and the shopper may try again.
 */
async function completeStep(
  parts: AdyenParts,
  payment: Payment,
  { token, result }: { readonly token: string; readonly result: string },
): Promise<AcquirerAnswer> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const kept = isAtComponent(payment) ? await findStep(parts.needs, payment) : null;
    if (!kept || (kept.step.kind !== 'action' && kept.step.kind !== 'posted') || !isSame(token, kept.step.token)) return WAITING;
    if (kept.step.kind === 'posted') return sendPosted(parts, payment, { ...kept, step: kept.step });
    const { number, action } = kept.step;
    if (!isResult(result)) {
      if (await keepStep(parts.needs, payment, kept, { ...kept.step, wasRefused: true })) return WAITING;
    } else {
      const step: PostedStep = { kind: 'posted', number, token, action, result };
      if (await keepStep(parts.needs, payment, kept, step))
        return sendPosted(parts, payment, { ...kept, revision: kept.revision + 1, step });
    }
  }
  return WAITING;
}

/** A result that Adyen has not answered. `known`: the answer without one. */
async function sendPostedAgain(parts: AdyenParts, payment: Payment, known: AcquirerAnswer): Promise<AcquirerAnswer> {
  const kept = await findStep(parts.needs, payment);
  return kept?.step.kind === 'posted' ? sendPosted(parts, payment, { ...kept, step: kept.step }) : known;
}

async function sendPosted(parts: AdyenParts, payment: Payment, kept: KeptStep<PostedStep>): Promise<AcquirerAnswer> {
  const { number, token, action, result } = kept.step;
  const { reply, reading } = await askDetails(parts, payment, { threeDSResult: result });
  // Adyen has looked at the result and does not take it, or it belongs to another payment.
  const isUnusable = reply.is === 'refused' && (reply.status === 400 || reply.status === 422);
  if (isUnusable || reading?.is === 'foreign') {
    await keepStep(parts.needs, payment, kept, { kind: 'action', number, token, action, wasRefused: true });
    return WAITING;
  }
  // No answer that counts: the result stays, and inquiries send it again.
  if (reading === null || reading.is === 'unreadable') {
    if (reply.is === 'refused')
      parts.needs.alarm('Adyen refused a request', { errorCode: reply.errorCode, status: String(reply.status) });
    return WAITING;
  }
  return keepNext(parts, payment, kept, reading);
}

/** The next step after an answer that came back from elsewhere, for a payment on the gateway's page. */
async function nextStep(parts: AdyenParts, payment: Payment, reading: Answered): Promise<AcquirerAnswer> {
  return keepNext(parts, payment, await findStep(parts.needs, payment), reading);
}

/** A further step is kept for the page; a decision leaves nothing behind. When another request was faster, its record is the same. */
async function keepNext(parts: AdyenParts, payment: Payment, kept: KeptStep | null, reading: Answered): Promise<AcquirerAnswer> {
  const { needs } = parts;
  const number = (kept && kept.step.kind !== 'over' ? kept.step.number : 0) + 1;
  const isFurther = reading.is === 'step' || (reading.is === 'answer' && reading.answer.is === 'redirected');
  if (!isFurther || number > STEPS_MAX) await keepStep(needs, payment, kept, { kind: 'over' });
  if (reading.is === 'partly') {
    await reversalOf(parts, payment, reading.pspReference, 0);
    return { is: 'waiting', reference: reading.pspReference };
  }
  if (isFurther && number > STEPS_MAX) return WAITING;
  if (reading.is === 'step') {
    await keepStep(needs, payment, kept, actionStep(needs, number, reading.action));
    return atPage(parts, payment, reading.reference);
  }
  const { answer } = reading;
  if (answer.is !== 'redirected') return answer;
  await keepStep(needs, payment, kept, { kind: 'redirect', number, redirect: answer.redirect });
  return atPage(parts, payment, answer.reference ?? null);
}

const MASTERCARD: ReadonlySet<string | null> = new Set(['MASTER', 'MASTERDEBIT', 'MAESTRO']);

const isInitial = ({ fields }: Payment): boolean =>
  fields['standingInstruction.mode'] === 'INITIAL' || fields.recurringType === 'INITIAL';

type Money = NonNullable<ReturnType<typeof moneyOf>>;

/** By which an answer about a payment is read. */
function contextOf({ needs, settings }: AdyenParts, payment: Payment, money: Money): ResultContext {
  return {
    reference: referenceText(payment, money.value),
    ...money,
    isMastercard: MASTERCARD.has(payment.paymentBrand),
    isInitial: isInitial(payment),
    until: shopperUntil({ needs, settings }, payment),
    mustName: false,
    takesSteps: settings.clientKey !== '',
  };
}

/** Until when a shopper may pay elsewhere. */
const shopperUntil = ({ needs, settings }: Pick<AdyenParts, 'needs' | 'settings'>, { merchantId }: Payment): number =>
  needs.clockOf(merchantId).now() + settings.shopperMinutes * MINUTE_MS;

/**
 * Sends the result from a browser. The same result has the same key, so Adyen processes it only once. `reading` is null
 * without an answer of Adyen to it.
 */
async function askDetails(
  parts: AdyenParts,
  payment: Payment,
  details: Readonly<Record<string, string>>,
): Promise<{ readonly reply: AdyenReply; readonly reading: ResultReading | null }> {
  const money = moneyOf(payment, parts.settings);
  if (money === null) return { reply: { is: 'unknown' }, reading: null };
  const digest = createHmac('sha256', payment.id).update(Object.values(details).join()).digest('hex').slice(0, 16);
  const reply = await parts.post({
    step: 'details',
    path: '/payments/details',
    body: { details },
    key: `${acquirerKey(payment)}-d${digest}`,
  });
  if (reply.is !== 'ok') return { reply, reading: null };
  const context = { ...contextOf(parts, payment, money), mustName: { pspReference: payment.reference } };
  return { reply, reading: readResult(reply.body, context) };
}
