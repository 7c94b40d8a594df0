import { acquirerKey, type Payment, paymentRefText } from '../../payments/payment.ts';
import { objectFrom } from './answers.ts';
import type { ApiReply } from './client.ts';
import { type Intent, readIntent, readList } from './objects.ts';
import { createForm, isSetup } from './requests.ts';
import { isId, isRepeatable, METADATA_PAYMENT, SEARCH_LAG_MS, type Session, Silence, STEP_MS, unitsIn } from './session.ts';

/** The collection of the intent that a payment is. */
export const collectionOf = (payment: Payment): 'setup_intents' | 'payment_intents' =>
  isSetup(payment) ? 'setup_intents' : 'payment_intents';

export const isIntentId = (text: string | undefined): text is string => isId(text, 'pi') || isId(text, 'seti');

/** Creates the intent without an instrument. Repeated with the same key it returns the first one; it moves no money. */
export const createIntent = (session: Session, payment: Payment, units: bigint): Promise<ApiReply> =>
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
export async function findIntent(session: Session, payment: Payment): Promise<FoundIntent> {
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
