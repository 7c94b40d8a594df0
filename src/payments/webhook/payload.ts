import { amountText, NO_CURRENCY } from '../../money/amount.ts';
import { instantText } from '../../spec/dates.ts';
import { RISK_CHECK, scheduleTypes } from '../../spec/paymentTypes.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Payment } from '../payment.ts';
import type { NewOutboxEvent, World } from '../ports.ts';
import { type Base, project, projectRegistration } from '../project.ts';

/** One thing that happened to a transaction, as it was written down in its commit. */
export type OutboxEventSummary = Pick<NewOutboxEvent, 'id' | 'type' | 'action'> & {
  readonly merchantId: string;
  /** The transaction. */
  readonly subjectId: string;
  /** Its result code at that moment. */
  readonly code: string;
  readonly createdAt: number;
};

/** What a merchant is told (facts 7.4). */
export type WebhookPayload = {
  readonly type: NewOutboxEvent['type'];
  readonly action?: NonNullable<NewOutboxEvent['action']>;
  readonly payload: Readonly<Record<string, unknown>>;
};

type Surroundings = {
  readonly store: Pick<World['store'], 'payment' | 'registration'>;
  readonly channel: World['channel'];
};

/**
 * The payload of an outbox event, made of the transaction as it is read now and of the state that the event records. It is
 * the same in every try. Null when the transaction is not there any more.
 */
export async function payloadFor(
  world: Surroundings,
  event: OutboxEventSummary,
  { buildNumber }: Pick<Base, 'buildNumber'>,
): Promise<WebhookPayload | null> {
  const payment = await transactionOf(world, event);
  if (!payment) return null;
  const base = { buildNumber, timestamp: instantText(event.createdAt), ndc: payment.ndc };
  const told = asAtEvent(payment, event);
  const body = event.type === 'REGISTRATION' ? await storedBody(world, told, base) : project(told, base).body;
  const payload = arrangePayload(body, { payment: told, event, channelName: world.channel(payment.entityId)?.name });
  return { type: event.type, ...(event.action && { action: event.action }), payload };
}

/** Events of stored details that a payment made are known by these, and not by the payment. */
async function transactionOf(
  { store }: Surroundings,
  { merchantId, subjectId, type }: OutboxEventSummary,
): Promise<Payment | null> {
  const payment = await store.payment(merchantId, subjectId);
  if (payment || type !== 'REGISTRATION') return payment;
  const stored = await store.registration(merchantId, subjectId);
  return stored && store.payment(merchantId, stored.registration.paymentId);
}

const isPending = ({ code }: Pick<OutboxEventSummary, 'code'>): boolean =>
  Object.hasOwn(resultCodes, code) && resultCodes[code as keyof typeof resultCodes].means === 'pending';

/** A transaction that has moved on since is told as it was when it was open: without what was learnt later. */
function asAtEvent(payment: Payment, event: Pick<OutboxEventSummary, 'code'>): Payment {
  if (!isPending(event)) return payment;
  return { ...payment, phase: { at: 'acquirer', dueAt: 0 }, details: {}, threeDS: null };
}

/** Stored details under their own id, with the result of the transaction that made or changed them. */
async function storedBody(
  { store }: Pick<Surroundings, 'store'>,
  payment: Payment,
  base: Base,
): Promise<Readonly<Record<string, unknown>>> {
  const id = payment.registrationId ?? payment.id;
  const registered = await store.registration(payment.merchantId, id);
  const own = project(payment, base).body;
  const risk = own.risk ?? { score: '' };
  // What was refused before it was stored is known by its transaction alone.
  if (!registered) return { ...own, ...ofNoPayment, id, risk };
  return { ...projectRegistration(registered.registration, base).body, result: own.result, risk };
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
/** Those that have a place of their own; whatever else an answer has stands in the middle. */
const placed: ReadonlySet<string> = new Set([
  ...FIRST,
  ...['amount', 'currency', 'descriptor', 'merchantTransactionId', 'result', 'resultDetails', 'authentication'],
  ...['customParameters', 'redirect', 'risk', 'brandResult', ...LAST, 'standingInstruction'],
]);

/** The fields of an answer and those that only notices have, keys in the order of facts 7.4. */
function arrangePayload(
  body: Readonly<Record<string, unknown>>,
  { payment, event, channelName }: PayloadParts,
): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  const take = (names: readonly string[]): void => {
    for (const name of names) told[name] = body[name];
  };
  take(FIRST);
  if (event.type === 'PAYMENT' && !isPending(event)) take(['amount', 'currency']);
  Object.assign(told, presentation(payment, event));
  if (event.type === 'PAYMENT') take(['descriptor']);
  take(['merchantTransactionId']);
  told.result = {
    ...(body.result as object),
    [`randomField${digitsOf(event.id)}`]: 'names that are not known are to be passed over',
  };
  take(['resultDetails']);
  told.authentication = { entityId: payment.entityId };
  take(Object.keys(body).filter((name) => !placed.has(name)));
  take(['customParameters']);
  // The redirect is part of the API reply only.
  told.redirect = { parameters: [] };
  take(['risk', 'brandResult', ...LAST]);
  told.merchantAccountId = payment.merchantId;
  told.channelName = channelName;
  told.source = sourceOf(payment);
  told.paymentMethod = payment.paymentType === RISK_CHECK ? 'RM' : payment.method;
  told.shortId = payment.shortId;
  take(['standingInstruction']);
  return told;
}

/** What was asked for, whether or not it came about. */
function presentation({ amount, currency }: Payment, { type }: OutboxEventSummary): Record<string, string> {
  if ((type !== 'PAYMENT' && type !== 'SCHEDULE') || currency === NO_CURRENCY) return {};
  return { presentationAmount: amountText(amount), presentationCurrency: currency };
}

/** Six digits that look random and are the same in every try. */
const digitsOf = (id: string): string => String(Number.parseInt(id.slice(-8), 16) % 1_000_000).padStart(6, '0');

/** The origin of a transaction: a client of the API, a schedule, or the gateway itself. */
export function sourceOf({ paymentType, scheduleId, recordedBy }: Payment): 'OPP' | 'SCHEDULER' | 'SYSTEM' {
  if (scheduleId !== undefined || Object.hasOwn(scheduleTypes, paymentType)) return 'SCHEDULER';
  return paymentType === 'TK' || recordedBy !== undefined ? 'SYSTEM' : 'OPP';
}
