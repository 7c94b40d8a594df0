import { acquirerKey, type Payment, paymentRefText } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { UNSENT_CODE } from '../../spec/routing.ts';
import { declineWithoutCard } from '../kind.ts';
import { declinedBy, declinedUnsent, objectFrom, stateOf } from './answers.ts';
import type { ApiReply, FormFields, StepName } from './client.ts';
import { type Intent, readIntent, readList, readRefund } from './objects.ts';
import { confirmForm, createForm, instrumentForm, isSetup } from './requests.ts';
import {
  ISSUER_MS,
  isId,
  isRepeatable,
  METADATA_PAYMENT,
  metadataOf,
  SEARCH_LAG_MS,
  type Session,
  Silence,
  STEP_MS,
  unitsIn,
  waiting,
} from './session.ts';

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

/** The collection of the intent that a payment is. */
const collectionOf = (payment: Payment): 'setup_intents' | 'payment_intents' =>
  isSetup(payment) ? 'setup_intents' : 'payment_intents';

const isIntentId = (text: string | undefined): text is string => isId(text, 'pi') || isId(text, 'seti');

/** Creates the intent without an instrument. Repeated with the same key it returns the first one; it moves no money. */
const createIntent = (session: Session, payment: Payment, units: bigint): Promise<ApiReply> =>
  session.client.call({
    step: 'create',
    method: 'POST',
    path: collectionOf(payment),
    form: createForm(payment, units, session.settings),
    key: `${acquirerKey(payment)}-create`,
    withinMs: STEP_MS,
  });

/** The intent as it is now. */
export async function retrieveIntent(session: Session, id: string): Promise<Intent> {
  const isPayment = isId(id, 'pi');
  const reply = await session.client.call({
    step: 'retrieve',
    method: 'GET',
    path: `${isPayment ? 'payment_intents' : 'setup_intents'}/${id}`,
    ...(isPayment && { query: { expand: ['latest_charge'] } }),
    withinMs: STEP_MS,
  });
  return objectFrom(reply, readIntent);
}

/** The intent of a payment. `none`: there is none that was or can be confirmed. */
type FoundIntent = { readonly is: 'found'; readonly intent: Intent } | { readonly is: 'none' };

/**
 * Finds the intent of a payment without its secrets: by the reference; within the lifetime of its idempotency key by repeating the
 * creation, which makes an empty intent at worst; later by search. Throws when the acquirer gives no clear answer.
 */
async function findIntent(session: Session, payment: Payment): Promise<FoundIntent> {
  if (isIntentId(payment.reference)) return found(await checkedIntent(session, payment, payment.reference));
  if (!isRepeatable(payment, session.now())) return searchIntent(session, payment);
  const units = unitsIn(session, payment);
  if (units.is === 'refused' && !isSetup(payment)) return { is: 'none' };
  const reply = await createIntent(session, payment, units.is === 'units' ? units.units : 0n);
  if (reply.is === 'error') {
    if (reply.error.type === 'idempotency_error') return searchIntent(session, payment);
    // No intent can be made of it, so none was ever confirmed. Wrong credentials say nothing.
    if (reply.status === 400 || reply.status === 402) return { is: 'none' };
  }
  const { id } = objectFrom(reply, readIntent);
  if (!isIntentId(id)) throw new Silence('an id of another kind');
  return found(await checkedIntent(session, payment, id));
}

const found = (intent: Intent): FoundIntent => ({ is: 'found', intent });

async function checkedIntent(session: Session, payment: Payment, id: string): Promise<Intent> {
  const intent = await retrieveIntent(session, id);
  if (!isOf(intent, payment)) {
    session.needs.alarm('an intent of the acquirer is not that of the payment', { paymentId: payment.id, intent: id });
    throw new Silence('another payment');
  }
  return intent;
}

const isOf = ({ kind, metadata, currency }: Intent, payment: Payment): boolean =>
  metadata[METADATA_PAYMENT] === paymentRefText(payment) &&
  (kind === 'setup_intent' ? isSetup(payment) : currency === payment.currency.toLowerCase());

/** States in which money moved or may move. */
const LIVELY: ReadonlySet<string> = new Set(['succeeded', 'requires_capture', 'processing', 'requires_action']);

/** Searches by our id. A payment that the search does not find counts as missing only after the search's lag. */
async function searchIntent(session: Session, payment: Payment): Promise<FoundIntent> {
  // Setup intents cannot be searched for. They move no money.
  if (isSetup(payment)) return { is: 'none' };
  const query = { query: `metadata['${METADATA_PAYMENT}']:'${paymentRefText(payment)}'`, limit: 100 };
  const reply = await session.client.call({
    step: 'search',
    method: 'GET',
    path: 'payment_intents/search',
    query,
    withinMs: STEP_MS,
  });
  const intents = objectFrom(reply, readList).items.map((item) => objectFrom({ is: 'object', value: item as never }, readIntent));
  const intent = intents.find(({ status }) => LIVELY.has(status)) ?? intents.find(({ error }) => error !== null) ?? intents[0];
  if (intent) return found(await checkedIntent(session, payment, intent.id));
  if (session.now() < sentBy(payment) + SEARCH_LAG_MS) throw new Silence('the search may lag');
  return { is: 'none' };
}

/** No byte of the request left later. */
const sentBy = ({ phase, movedAt, createdAt }: Payment): number =>
  phase.at === 'doubt' || phase.at === 'cancelling' ? (phase.since ?? createdAt) : movedAt;

/** Asks the acquirer to cancel an intent and returns the state that follows, whatever the answer was. */
export async function cancelIntent(session: Session, { id }: Pick<Intent, 'id'>): Promise<Intent> {
  const collection = isId(id, 'pi') ? 'payment_intents' : 'setup_intents';
  const form = { cancellation_reason: 'abandoned' };
  const reply = await session.client.call({
    step: 'cancel',
    method: 'POST',
    path: `${collection}/${id}/cancel`,
    form,
    withinMs: STEP_MS,
  });
  return reply.is === 'object' ? objectFrom(reply, readIntent) : retrieveIntent(session, id);
}
