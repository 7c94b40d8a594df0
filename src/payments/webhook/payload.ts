import { FEW_FIELDS, nestInSlices } from '../../form/nest.ts';
import { amountText, NO_CURRENCY } from '../../money/amount.ts';
import { namesOf } from '../../runtime/json.ts';
import { instantText } from '../../spec/formats/dates.ts';
import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Payment } from '../payment.ts';
import type { NewOutboxEvent, World } from '../ports.ts';
import { type Base, project, projectNested, projectRegistration, sourceOf } from '../reply/project.ts';
import type { ScheduleEventDetail } from '../schedule.ts';
import { withOpenProof } from '../threeDS/steps.ts';

/** An outbox event of a transaction, as its commit stored it. */
export type OutboxEventSummary = Pick<NewOutboxEvent, 'id' | 'type' | 'action'> & {
  readonly merchantId: string;
  /** The payment, registration or schedule. */
  readonly subjectId: string;
  /** The transaction that changed it; null: the subject itself. */
  readonly transactionId: string | null;
  readonly detail: ScheduleEventDetail | null;
  /** Its result code at that moment. */
  readonly code: string;
  readonly createdAt: number;
};

/** The decrypted body of a webhook call (facts 7.4). */
export type WebhookPayload = {
  readonly type: NewOutboxEvent['type'];
  readonly action?: NonNullable<NewOutboxEvent['action']>;
  readonly payload: Readonly<Record<string, unknown>>;
};

type Surroundings = {
  readonly store: Pick<World['store'], 'payment' | 'registration'>;
  readonly channel: World['channel'];
  /** Waits for a tick of the event loop between two slices of long work; absent: the work is done without a pause. */
  readonly rest?: (() => Promise<void>) | undefined;
} & Pick<World, 'vault' | 'alarm'>;

/**
 * The payload of an outbox event: the transaction as it is read now, in the state that the event records. Every attempt gets the same
 * payload. Null when the transaction no longer exists.
 */
export async function payloadFor(
  world: Surroundings,
  event: OutboxEventSummary,
  { buildNumber }: Pick<Base, 'buildNumber'>,
): Promise<WebhookPayload | null> {
  const payment = await transactionOf(world, event);
  if (!payment) return null;
  const base = { buildNumber, timestamp: instantText(event.createdAt), ndc: payment.ndc };
  const atEvent = asAtEvent(payment, event);
  const recorded = atEvent.threeDS?.sealedProof ? await withOpenProof(world, atEvent) : atEvent;
  const own = await ownBody(world, recorded, base);
  const body = event.type === 'REGISTRATION' ? await storedBody(world, recorded, { base, own }) : own;
  const payload = arrangePayload(body, { payment: recorded, event, channelName: world.channel(payment.entityId)?.name });
  return { type: event.type, ...(event.action && { action: event.action }), payload };
}

/** An event of a registration from before events named their transaction is about the payment that made the registration. */
async function transactionOf(
  { store }: Surroundings,
  { merchantId, subjectId, transactionId, type }: OutboxEventSummary,
): Promise<Payment | null> {
  const payment = await store.payment(merchantId, transactionId ?? subjectId);
  if (payment || type !== 'REGISTRATION') return payment;
  const stored = await store.registration(merchantId, subjectId);
  return stored && store.payment(merchantId, stored.registration.paymentId);
}

const isPending = ({ code }: Pick<OutboxEventSummary, 'code'>): boolean =>
  Object.hasOwn(resultCodes, code) && resultCodes[code as keyof typeof resultCodes].means === 'pending';

/** An event of an open transaction reports it as it was then, without later results. */
function asAtEvent(payment: Payment, event: Pick<OutboxEventSummary, 'code'>): Payment {
  if (!isPending(event)) return payment;
  return { ...payment, phase: { at: 'acquirer', dueAt: 0 }, details: {}, threeDS: null };
}

type Body = Readonly<Record<string, unknown>>;

const noRest = async (): Promise<void> => {};

/** A transaction as it is read. One with many fields is nested in slices, and requests come in between. */
async function ownBody({ rest = noRest }: Pick<Surroundings, 'rest'>, payment: Payment, base: Base): Promise<Body> {
  const names = namesOf(payment.fields);
  if (names.length <= FEW_FIELDS) return project(payment, base).body;
  const nested = await nestInSlices(payment.fields, names, rest);
  return projectNested(payment, nested, { base, origin: '', family: null }).body;
}

/** A registration under its own id, with the result of the transaction that created or changed it. */
async function storedBody(
  { store }: Pick<Surroundings, 'store'>,
  payment: Payment,
  { base, own }: { readonly base: Base; readonly own: Body },
): Promise<Body> {
  const id = payment.registrationId ?? payment.id;
  const registered = await store.registration(payment.merchantId, id);
  const risk = own.risk ?? { score: '' };
  // A refused registration was never stored: it has the id of its transaction.
  if (!registered) return { ...own, ...ofNoPayment, id, risk };
  const storedBy = payment.paymentType === 'RG' ? payment : null;
  return { ...projectRegistration(registered.registration, base, storedBy).body, result: own.result, risk };
}

const ofNoPayment = {
  referencedId: undefined,
  registrationId: undefined,
  paymentType: undefined,
  amount: undefined,
  currency: undefined,
  descriptor: undefined,
};

type PayloadParts = { readonly payment: Payment; readonly event: OutboxEventSummary; readonly channelName: string | undefined };

const FIRST = ['id', 'referencedId', 'registrationId', 'paymentType', 'paymentBrand'] as const;
const LAST = ['buildNumber', 'timestamp', 'ndc'] as const;
/** The fields with a fixed position. All other fields of the reply are in the middle. */
const placed: ReadonlySet<string> = new Set([
  ...FIRST,
  ...['amount', 'currency', 'descriptor', 'merchantTransactionId', 'result', 'resultDetails', 'authentication'],
  ...['customParameters', 'redirect', 'risk', 'brandResult', ...LAST, 'standingInstruction'],
]);

/** The fields of the API reply and those of payloads only, keys in the order of facts 7.4. */
function arrangePayload(
  body: Readonly<Record<string, unknown>>,
  { payment, event, channelName }: PayloadParts,
): Record<string, unknown> {
  const payload: Record<string, unknown> = {};
  const take = (names: readonly string[]): void => {
    for (const name of names) payload[name] = body[name];
  };
  take(FIRST);
  if (event.type === 'PAYMENT') take(['amount', 'currency']);
  Object.assign(payload, presentation(payment, event));
  if (event.type === 'PAYMENT') take(['descriptor']);
  take(['merchantTransactionId']);
  payload.result = {
    ...(body.result as object),
    [`randomField${digitsOf(event.id)}`]: 'names that are not known are to be passed over',
  };
  take(['resultDetails']);
  if (event.detail) payload.schedule = event.detail;
  payload.authentication = { entityId: payment.entityId };
  take(Object.keys(body).filter((name) => !placed.has(name)));
  take(['customParameters']);
  // The redirect is part of the API reply only.
  payload.redirect = { parameters: [] };
  take(['risk', 'brandResult', ...LAST]);
  payload.merchantAccountId = payment.merchantId;
  payload.channelName = channelName;
  payload.source = sourceOf(payment);
  payload.paymentMethod = payment.paymentType === RISK_CHECK ? 'RM' : payment.method;
  payload.shortId = payment.shortId;
  take(['standingInstruction']);
  return payload;
}

/** The requested amount, also of a declined payment. */
function presentation({ amount, currency }: Payment, { type }: OutboxEventSummary): Record<string, string> {
  if ((type !== 'PAYMENT' && type !== 'SCHEDULE') || currency === NO_CURRENCY) return {};
  return { presentationAmount: amountText(amount), presentationCurrency: currency };
}

/** Six digits that look random and are the same in every attempt. */
const digitsOf = (id: string): string => String(Number.parseInt(id.slice(-8), 16) % 1_000_000).padStart(6, '0');
