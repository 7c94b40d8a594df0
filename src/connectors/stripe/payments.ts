import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { UNSENT_CODE } from '../../spec/routing.ts';
import { declineWithoutCard } from '../kind.ts';
import { declinedBy, declinedUnsent, objectFrom, stateOf } from './answers.ts';
import type { ApiReply, FormFields, StepName } from './client.ts';
import { cancelIntent, collectionOf, createIntent, findIntent, isIntentId, retrieveIntent } from './intents.ts';
import { type Intent, readIntent, readRefund } from './objects.ts';
import { confirmForm, instrumentForm, isSetup } from './requests.ts';
import { ISSUER_MS, isId, METADATA_PAYMENT, metadataOf, type Session, Silence, STEP_MS, unitsIn, waiting } from './session.ts';

/** PA, DB and RG: an intent is created, then confirmed with the instrument. */

const declined = (code: NegativeCode, reference?: string): AcquirerAnswer => ({
  is: 'declined',
  code,
  details: {},
  ...(reference !== undefined && { reference }),
});

/** Before the confirmation nothing can be booked: with a step that has no answer, the payment was not sent. */
function beforeConfirmation(session: Session, reply: Exclude<ApiReply, { is: 'object' }>, reference?: string): AcquirerAnswer {
  switch (reply.is) {
    case 'error':
      return declinedBy(session, reply, reference);
    case 'notExecuted':
      return declinedUnsent(reply, reference);
    case 'unknown':
      return declined(UNSENT_CODE, reference);
  }
}

export async function sendPayment(session: Session, attempt: Attempt): Promise<AcquirerAnswer> {
  const { payment } = attempt;
  const nothing = declineWithoutCard(attempt);
  if (nothing) return nothing;
  const units = unitsIn(session, payment);
  if (units.is === 'refused' && !isSetup(payment)) return declined(units.code);
  const created = await createIntent(session, payment, units.is === 'units' ? units.units : 0n);
  if (created.is !== 'object') return beforeConfirmation(session, created);
  const intent = readIntent(created.value);
  if (intent === null || !isIntentId(intent.id)) return declined('900.100.200');
  const method = await chargedMethod(session, attempt, intent);
  if (method.is === 'refused') return declined(method.code, intent.id);
  if (method.is === 'failed') return beforeConfirmation(session, method.reply, intent.id);
  return confirm(session, attempt, { intent, method });
}

type Prepared = { readonly intent: Intent; readonly method: Extract<ChargedMethod, { is: 'method' }> };

async function confirm(session: Session, attempt: Attempt, { intent, method }: Prepared): Promise<AcquirerAnswer> {
  const { payment } = attempt;
  const { id } = intent;
  const { settings, needs } = session;
  const options = { paymentMethod: method.id, settings, returnUrl: needs.returnUrl(payment), isKept: method.isKept };
  const reply = await session.client.call({
    step: 'confirm',
    method: 'POST',
    path: `${collectionOf(payment)}/${id}/confirm`,
    form: confirmForm(attempt, options),
    key: `${acquirerKey(payment)}-confirm`,
    withinMs: ISSUER_MS,
  });
  switch (reply.is) {
    case 'object': {
      const confirmed = readIntent(reply.value);
      if (confirmed?.id !== id) return waiting(id);
      const answer = await answerAfterConfirmation(session, payment, confirmed);
      if (answer.is === 'approved') await keepMethod(session, attempt, confirmed);
      return answer;
    }
    case 'error':
      // A refusal of the card is the answer to the confirmation itself; another error on a repeated request says nothing about the first.
      return reply.status === 402 || reply.isCertain ? declinedBy(session, reply, id) : waiting(id);
    case 'notExecuted':
      // No byte has left, or the acquirer was too busy: it may have kept the request.
      return reply.why === 'busy' ? unlessBooked(session, id, declinedUnsent(reply, id)) : declinedUnsent(reply, id);
    case 'unknown':
      return waiting(id);
  }
}

async function answerAfterConfirmation(session: Session, payment: Payment, intent: Intent): Promise<AcquirerAnswer> {
  const state = stateOf(intent, payment, session.now());
  switch (state.is) {
    case 'unsupported':
      return unlessBooked(session, intent.id, declined('300.100.100', intent.id));
    case 'unconfirmed':
    case 'cancelled':
    case 'absent':
      return waiting(intent.id);
    default:
      return state;
  }
}

/** The answer, once the intent is cancelled and a confirmation can no longer arrive. */
async function unlessBooked(session: Session, id: string, answer: AcquirerAnswer): Promise<AcquirerAnswer> {
  const intent = await cancelIntent(session, { id }).catch(() => null);
  return intent?.status === 'canceled' ? answer : waiting(id);
}

export async function inquirePayment(session: Session, { payment }: Inquiry): Promise<AcquirerAnswer> {
  const result = await findIntent(session, payment);
  if (result.is === 'none') return { is: 'absent' };
  const { intent } = result;
  const state = stateOf(intent, payment, session.now());
  switch (state.is) {
    case 'unconfirmed':
      return { is: 'absent' };
    case 'unsupported':
      return unlessBooked(session, intent.id, declined('300.100.100', intent.id));
    default:
      return state;
  }
}

/** Cancels the intent, or refunds a booked amount. A cancelled intent refuses a confirmation that arrives later. */
export async function cancelPayment(session: Session, { payment }: Inquiry): Promise<AcquirerAnswer> {
  const result = await findIntent(session, payment);
  if (result.is === 'none') return { is: 'cancelled' };
  const { intent } = result;
  const reference = intent.id;
  const isOver = intent.status === 'canceled' || intent.status === 'succeeded';
  const { status } = isOver ? intent : await cancelIntent(session, intent);
  // A verified card cost nothing: there is nothing to pay back.
  if (status === 'canceled' || (status === 'succeeded' && isSetup(payment))) return { is: 'cancelled', reference };
  if (status !== 'succeeded') return waiting(reference);
  return (await refundWhole(session, payment, reference)) ? { is: 'cancelled', reference } : waiting(reference);
}

/** Whether everything that was booked is paid back. */
async function refundWhole(session: Session, payment: Payment, id: string): Promise<boolean> {
  const { charge } = await retrieveIntent(session, id);
  if (charge?.isRefunded) return true;
  const form = { payment_intent: id, metadata: { [`${METADATA_PAYMENT}_undo`]: metadataOf(payment)[METADATA_PAYMENT] } };
  const key = `${acquirerKey(payment)}-undo`;
  const reply = await session.client.call({ step: 'refund', method: 'POST', path: 'refunds', form, key, withinMs: STEP_MS });
  if (reply.is === 'error') throw new Silence(reply.error.code ?? reply.error.type);
  const refund = objectFrom(reply, readRefund);
  if (refund.status === 'failed')
    session.needs.alarm('a payment that failed is booked and cannot be refunded', { paymentId: payment.id });
  return refund.status === 'succeeded';
}

/** The payment method that is confirmed with. `isKept`: it belongs to a customer and is kept for later payments. */
type ChargedMethod =
  | { readonly is: 'method'; readonly id: string; readonly isKept: boolean }
  | { readonly is: 'refused'; readonly code: NegativeCode }
  | { readonly is: 'failed'; readonly reply: Exclude<ApiReply, { is: 'object' }> };

type Step = { readonly is: 'id'; readonly id: string } | Extract<ChargedMethod, { is: 'failed' }>;

/** A request of the payment that makes or changes an object, which has its own key. */
async function step(
  session: Session,
  payment: Payment,
  request: { step: StepName; path: string; form: FormFields; name: string },
): Promise<Step> {
  const { step: of, path, form, name } = request;
  const reply = await session.client.call({
    step: of,
    method: 'POST',
    path,
    form,
    key: `${acquirerKey(payment)}-${name}`,
    withinMs: STEP_MS,
  });
  if (reply.is !== 'object') return { is: 'failed', reply };
  const { id } = reply.value;
  return typeof id === 'string' ? { is: 'id', id } : { is: 'failed', reply: { is: 'unknown' } };
}

type Stored = { readonly customer: string; readonly method: string };

const documentId = (merchantId: string, registrationId: string): string => `method/${merchantId}.${registrationId}`;

async function findStored({ needs }: Session, merchantId: string, registrationId: string): Promise<Stored | null> {
  const body = (await needs.documents.find(documentId(merchantId, registrationId)))?.body;
  if (!isRecord(body) || typeof body.customer !== 'string' || typeof body.method !== 'string') return null;
  return { customer: body.customer, method: body.method };
}

/** The transaction makes a registration. */
const isStoring = ({ settings }: Session, { payment, registration }: Attempt): boolean =>
  settings.storeCredentials && payment.registrationId !== null && registration === null;

/**
 * The stored method of a registration, so that the acquirer links the payments of a series; otherwise one made of the instrument in the
 * request. A security code can only be sent with a new one.
 */
async function chargedMethod(session: Session, attempt: Attempt, intent: Intent): Promise<ChargedMethod> {
  const { payment, registration, secrets } = attempt;
  const isStored = session.settings.storeCredentials && registration !== null && secrets.cvv === undefined;
  const stored =
    isStored && intent.kind === 'payment_intent' ? await findStored(session, payment.merchantId, registration.id) : null;
  if (stored) return withCustomer(session, payment, intent, { ...stored, isKept: false });
  const instrument = instrumentForm(attempt);
  if (instrument.is === 'refused') return instrument;
  const made = await step(session, payment, { step: 'method', path: 'payment_methods', form: instrument.form, name: 'pm' });
  if (made.is === 'failed') return made;
  if (!isId(made.id, 'pm')) return { is: 'failed', reply: { is: 'unknown' } };
  if (!isStoring(session, attempt) || intent.kind === 'setup_intent') return { is: 'method', id: made.id, isKept: false };
  const customer = await makeCustomer(session, payment);
  if (customer.is === 'failed') return customer;
  return withCustomer(session, payment, intent, { customer: customer.id, method: made.id, isKept: true });
}

const makeCustomer = (session: Session, payment: Payment): Promise<Step> =>
  step(session, payment, {
    step: 'customer',
    path: 'customers',
    form: { metadata: { turnpike_registration: payment.registrationId ?? payment.id } },
    name: 'customer',
  });

type Chosen = Stored & { readonly isKept: boolean };

async function withCustomer(
  session: Session,
  payment: Payment,
  intent: Intent,
  { customer, method, isKept }: Chosen,
): Promise<ChargedMethod> {
  const updated = await step(session, payment, {
    step: 'update',
    path: `payment_intents/${intent.id}`,
    form: { customer },
    name: 'update',
  });
  return updated.is === 'failed' ? updated : { is: 'method', id: method, isKept };
}

/** Keeps the acquirer's ids of stored details. Without them later payments send the details again, so a failure only costs the link. */
async function keepMethod(session: Session, attempt: Attempt, { kind, paymentMethod, customer: named }: Intent): Promise<void> {
  const { payment } = attempt;
  if (!isStoring(session, attempt) || !isId(paymentMethod ?? undefined, 'pm') || paymentMethod === null) return;
  const customer = kind === 'payment_intent' ? named : await attach(session, payment, paymentMethod);
  if (customer === null || payment.registrationId === null) return;
  const id = documentId(payment.merchantId, payment.registrationId);
  await session.needs.documents
    .save([{ id, group: payment.merchantId, at: session.now(), revision: 1, body: { customer, method: paymentMethod } }])
    .catch(() => false);
}

async function attach(session: Session, payment: Payment, method: string): Promise<string | null> {
  const customer = await makeCustomer(session, payment);
  if (customer.is === 'failed') return null;
  const attached = await step(session, payment, {
    step: 'attach',
    path: `payment_methods/${method}/attach`,
    form: { customer: customer.id },
    name: 'attach',
  });
  return attached.is === 'failed' ? null : customer.id;
}
