import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { isIncrement } from './balance.ts';
import { asking, attemptOf, type Draft, draft } from './draft.ts';
import { keepable, refusalOfInstrument } from './instrument.ts';
import { next } from './lifecycle.ts';
import type { Attempt, Claim, Message, World } from './needs.ts';
import type { Order } from './order.ts';
import type { Family, Payment } from './payment.ts';
import { type Reference, type Refusal, refusalOfReference, reversible, UNKNOWN_REFERENCE } from './refusal.ts';
import { type Route, route } from './route.ts';

export type Request = { readonly order: Order; readonly channel: Channel; readonly claim: Claim | null };

/** `taken`: committed, and now ours to drive. `replayed`: the key was claimed before, this is the payment it stands for. */
export type Taken =
  | { readonly is: 'taken'; readonly payment: Payment; readonly version: number; readonly attempt: Attempt }
  | { readonly is: 'replayed'; readonly payment: Payment }
  | { readonly is: 'otherBody' }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** A family that moves on under our hands more often than this is being fought over by many nodes. */
const TRIES_MAX = 64;

/**
 * The first door: read the family once, all refusals, then commit the intent. When the family has moved on in between, the decision
 * is taken anew on what it has become.
 */
export async function take(world: World, request: Request): Promise<Taken> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await tryTake(world, request);
    if (taken) return taken;
  }
  throw new Error(`the family of ${request.order.referencedId} did not hold still`);
}

async function tryTake(world: World, request: Request): Promise<Taken | null> {
  const { order } = request;
  const family = order.referencedId === null ? null : await world.store.family(order.merchantId, order.referencedId);
  const referenced = family && referencedIn(family, order);
  if (order.practice !== null && order.referencedId !== null && !referenced) {
    const { referencedId } = order;
    return { is: 'faulty', faults: [{ name: 'referenceUuid', value: referencedId, message: 'no transaction has this id' }] };
  }
  return commitIntent(world, request, { family, referenced, plan: plan(world, request, { family, referenced }) });
}

/** An increment has no life of its own: what is said of it is said of the authorisation it raised. */
function referencedIn({ payments }: Family, order: Order): Payment | null {
  const named = payments.find((payment) => payment.id === order.referencedId) ?? null;
  const isAboutTotal = order.paymentType === 'CP' || order.practice === 'INCREMENTAL_AUTH';
  return named && isIncrement(named) && isAboutTotal ? (payments.find(({ id }) => id === named.referencedId) ?? named) : named;
}

type Known = { readonly family: Family | null; readonly referenced: Payment | null };
type Plan = { readonly route: Route | null; readonly amount: bigint; readonly refusal: Refusal | null };

/** All refusals in the order in which they are told, and what is to be moved where. Pure but for the clock. */
function plan(world: World, { order, channel }: Request, { family, referenced }: Known): Plan {
  const now = world.clock.now();
  const refuse = (refusal: Refusal): Plan => ({ route: null, amount: order.amount ?? 0n, refusal });
  if (order.isTestInLive) return refuse('600.200.701');
  if (order.referencedId !== null && !referenced) return refuse(UNKNOWN_REFERENCE[order.paymentType] ?? '700.100.100');
  const isFollowUp = referenced !== null && order.practice === null;
  const method = referenced && !order.instrument ? referenced.method : order.method;
  const found = route({ ...order, method }, channel, (name) => world.connector(name));
  if (typeof found === 'string') return refuse(found);
  if (referenced && family) {
    const reference: Reference = { family: family.payments, payment: referenced, capability: found.capability, now };
    const refusal = refusalOfReference(order, reference);
    if (refusal !== null) return refuse(refusal);
    if (isFollowUp) return { route: found, amount: order.amount ?? reversible(reference), refusal: null };
  }
  if (!referenced && !order.instrument) return refuse('100.150.100');
  const refusal = refusalOfAmount(order) ?? refusalOfInstrument(order, now);
  return refusal === null ? { route: found, amount: order.amount ?? 0n, refusal } : refuse(refusal);
}

/** Nothing is charged for nothing, but a card may be verified by a preauthorization of 0.00. */
function refusalOfAmount({ amount, paymentType, method }: Order): Refusal | null {
  if (amount === null || amount > 0n) return null;
  return paymentType === 'PA' && (method === 'CC' || method === 'DC') ? null : '100.550.300';
}

async function commitIntent(world: World, request: Request, known: Known & { readonly plan: Plan }): Promise<Taken | null> {
  const { order, channel, claim } = request;
  const { family, referenced, plan: planned } = known;
  const phase = planned.route
    ? asking(world.clock.now(), planned.route)
    : ({ at: 'final', code: planned.refusal ?? '600.100.100' } as const);
  const making: Draft = { order, route: planned.route, referenced, amount: planned.amount, phase, channelName: channel.name };
  const intent = draft(world, making);
  const attempt = attemptOf(intent, making);
  const payment = decided(world, planned.route, attempt);
  const clear = keepable(order.secrets);
  const sealed =
    clear === null ? null : world.vault.seal({ entityId: order.entityId, recordId: payment.id, field: 'instrument' }, clear);
  const version = referenced ? (family?.version ?? 0) : 0;
  const outcome = await world.store.commit({ payment, version, sealed, claim, message: messageOf(world, payment) });
  switch (outcome.is) {
    case 'kept':
      if (payment.phase.at === 'final' && planned.route) planned.route.connector.book?.(payment);
      return { is: 'taken', payment, version: version + 1, attempt: { ...attempt, payment } };
    case 'moved':
      return null;
    case 'overrun':
      throw new Error(`the store refused the sums of ${payment.paymentType} ${payment.id}: the fold and the table disagree`);
    case 'claimed':
      return replay(world, order, { ...outcome, bodySent: claim?.bodyHash ?? '' });
  }
}

/** Nothing leaves the process, so intent and answer are one commit; otherwise the payment stays an intent. */
function decided(world: World, found: Route | null, attempt: Attempt): Payment {
  const answer = found?.connector.decide?.(attempt) ?? null;
  if (answer === null) return attempt.payment;
  return { ...next(attempt.payment, answer, world.clock.now()), revision: 1 };
}

async function replay(
  world: World,
  order: Order,
  claimed: { readonly paymentId: string; readonly bodyHash: string; readonly bodySent: string },
): Promise<Taken> {
  if (claimed.bodyHash !== claimed.bodySent) return { is: 'otherBody' };
  const payment = await world.store.payment(order.merchantId, claimed.paymentId);
  if (!payment) throw new Error(`the key's payment ${claimed.paymentId} is not there`);
  return { is: 'replayed', payment };
}

/** The news that goes with a payment as it now is. */
export function messageOf(world: World, payment: Payment): Message {
  return { id: world.ids.next(), type: 'PAYMENT', code: codeOf(payment) };
}

/** The result code of a payment: its own when at rest, pending while a question is open. */
export const codeOf = (payment: Payment) => (payment.phase.at === 'final' ? payment.phase.code : ('000.200.000' as const));
