import { amountText } from '../../money/amount.ts';
import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt } from '../../payments/ports.ts';
import type { PaymentType, TransactionType } from '../../spec/paymentTypes.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { amountFor } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { idIn, MISCONFIGURED, meaningOf, NOTHING_BOOKED, readPayment } from './answers.ts';
import { type Api, type ApiRequest, NO_TOKEN, NOT_ALLOWED, textAt } from './client.ts';
import { type Conclude, type Mirror, type Search, silence } from './inquiries.ts';
import { type RequestContext, requestFor } from './requests.ts';

type SendNeeds = Pick<AccountNeeds, 'alarm' | 'clockOf' | 'sleep' | 'returnUrl'> & {
  readonly api: Api;
  readonly conclude: Conclude;
  readonly mirror: Mirror | null;
  readonly testMode: RequestContext['testMode'];
  readonly answerMs: number;
  /** The platform books a request once, however often it comes. */
  readonly isRepeatable: boolean;
};

/** Before each try. */
const PAUSES_MS = [0, 500, 2_000] as const;

/** Steps that the operator must take before anything can be sent. */
const notSentAlarms: Readonly<Record<string, string>> = {
  [NO_TOKEN]: 'the account has no access token',
  [NOT_ALLOWED]: 'the address of the platform is inside a private network: name its host in CONNECTOR_PRIVATE_HOSTS',
};

const declined = (code: NegativeCode): AcquirerAnswer => ({ is: 'declined', code, details: {} });

/** Sends an attempt to the platform. Rejects when its outcome is not known. */
export function createSend(needs: SendNeeds): (attempt: Attempt) => Promise<AcquirerAnswer> {
  const { alarm, mirror, testMode, returnUrl } = needs;

  /** Null: the referenced payment has no id at the platform. */
  async function contextFor({ payment, referenced, registration }: Attempt): Promise<RequestContext | null> {
    if (referenced && referenced.reference === undefined) return null;
    return {
      testMode,
      returnUrl: returnUrl(payment),
      referencedId: referenced?.reference ?? null,
      registrationId: registration && mirror ? await mirror.idOf(registration.id) : null,
      isStoring: mirror !== null && registration === null && payment.registrationId !== null,
    };
  }

  return async (attempt) => {
    const { payment } = attempt;
    // A transaction that only stores details has no amount and no currency.
    const isExact = payment.paymentType === 'RG' || amountFor(payment.amount, payment.currency) !== undefined;
    if (!isExact) return declined('100.550.303');
    const context = await contextFor(attempt);
    if (context !== null) return post(needs, requestFor(attempt, context), payment);
    alarm('the id of a referenced payment at the platform is not known', { paymentId: payment.id });
    return declined(MISCONFIGURED);
  };
}

/**
 * A request of which no byte left, and one that the platform was too busy for, is sent again. One that may have arrived is sent again only
 * where the platform books it once; then only an answer about the payment itself counts.
 */
async function post(
  { api, alarm, sleep, clockOf, conclude, answerMs, isRepeatable }: SendNeeds,
  request: ApiRequest,
  payment: Payment,
): Promise<AcquirerAnswer> {
  const withinMs = isRepeatable ? Math.ceil(answerMs / PAUSES_MS.length) : answerMs;
  let mayHaveArrived = false;
  let failure: NegativeCode = '900.100.600';
  for (const pauseMs of PAUSES_MS) {
    if (pauseMs > 0) await sleep(pauseMs);
    const reply = await api(request, withinMs);
    if (reply.is === 'answered') {
      const reading = readPayment(reply.json, payment, clockOf(payment.merchantId).now());
      if (mayHaveArrived && idIn(reply.json) === null) continue;
      if (reading.is !== 'throttled') return conclude({ reading, json: reply.json }, payment);
      failure = '800.120.100';
    } else if (reply.is === 'unanswered') {
      if (!isRepeatable) throw silence(reply.reason);
      mayHaveArrived = true;
    } else if (Object.hasOwn(notSentAlarms, reply.reason)) {
      alarm(notSentAlarms[reply.reason] ?? '', { paymentId: payment.id });
      return declined(MISCONFIGURED);
    }
  }
  if (mayHaveArrived) throw silence('not even when the request was repeated');
  return declined(failure);
}

/** How a booking is taken back: a reversal, and a refund where the platform's day is over. A refund and a reversal cannot be taken back. */
const UNDO: Readonly<Partial<Record<TransactionType, readonly PaymentType[]>>> = {
  PA: ['RV'],
  DB: ['RV', 'RF'],
  CD: ['RV', 'RF'],
  CP: ['RV', 'RF'],
};

/** The reference of what takes a payment back. Webhooks about it are not about the payment. */
const undoReference = (payment: Payment): string => `${acquirerKey(payment)}-undo`;

type UndoNeeds = Pick<AccountNeeds, 'alarm'> & {
  readonly api: Api;
  readonly search: Search;
  readonly withinMs: number;
  /** The fields that every request about the payment has. */
  fieldsFor(payment: Payment): Readonly<Record<string, string>>;
};

const WAITING: AcquirerAnswer = { is: 'waiting' };

/**
 * Takes back what the platform has booked under this id. The answer is `cancelled` only when the platform has confirmed it; a request whose
 * answer was lost is found by its reference the next time, and not sent again.
 */
export function createUndo({ api, search, withinMs, alarm, fieldsFor }: UndoNeeds) {
  return async (payment: Payment, reference: string): Promise<AcquirerAnswer> => {
    const cancelled: AcquirerAnswer = { is: 'cancelled', reference };
    if (payment.paymentType === 'RG') return (await deregister(reference)) ? cancelled : WAITING;
    const steps = UNDO[payment.paymentType] ?? [];
    const earlier = (await search.named(undoReference(payment))).map((json) => ({
      type: textAt(json, 'paymentType'),
      meaning: meaningOf(textAt(json, 'result', 'code') ?? ''),
    }));
    if (earlier.some(({ meaning }) => meaning === 'approved' || meaning === 'review')) return cancelled;
    if (earlier.some(({ meaning }) => meaning === 'pending' || meaning === 'uncertain')) return WAITING;
    for (const step of steps) {
      if (earlier.some(({ type }) => type === step)) continue;
      switch (await take(payment, reference, step)) {
        case 'done':
          return cancelled;
        case 'open':
          return WAITING;
        case 'refused':
      }
    }
    alarm('a payment that the platform booked too late cannot be taken back', { paymentId: payment.id, reference });
    return WAITING;
  };

  async function take(payment: Payment, reference: string, step: PaymentType): Promise<'done' | 'open' | 'refused'> {
    const { amount, currency } = payment;
    const fields = {
      ...fieldsFor(payment),
      paymentType: step,
      ...(step === 'RF' && { amount: amountText(amount), currency }),
      merchantTransactionId: undoReference(payment),
    };
    const idempotencyKey = `${undoReference(payment)}-${step}`;
    const reply = await api(
      { step: 'undo', method: 'POST', path: `/v1/payments/${reference}`, fields, idempotencyKey },
      withinMs,
    );
    if (reply.is !== 'answered') throw new Error(`the platform did not answer: ${reply.reason}`);
    const meaning = meaningOf(reply.code);
    if (meaning === 'approved' || meaning === 'review' || NOTHING_BOOKED.has(reply.code)) return 'done';
    return meaning === 'declined' ? 'refused' : 'open';
  }

  async function deregister(reference: string): Promise<boolean> {
    const reply = await api({ step: 'undo', method: 'DELETE', path: `/v1/registrations/${reference}`, fields: {} }, withinMs);
    if (reply.is !== 'answered') throw new Error(`the platform did not answer: ${reply.reason}`);
    return meaningOf(reply.code) === 'approved';
  }
}
