import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { isRecord } from '../../spec/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { ApiReply } from './client.ts';
import type { FormFields } from './form.ts';
import type { Intent } from './objects.ts';
import { instrumentForm } from './requests.ts';
import { isId, type Session, STEP_MS } from './session.ts';
import type { StepName } from './steps.ts';

/** The payment method that is confirmed with. `isKept`: it belongs to a customer and is kept for later payments. */
export type ChargedMethod =
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
export async function chargedMethod(session: Session, attempt: Attempt, intent: Intent): Promise<ChargedMethod> {
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
export async function keepMethod(
  session: Session,
  attempt: Attempt,
  { kind, paymentMethod, customer: named }: Intent,
): Promise<void> {
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
