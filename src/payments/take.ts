import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { type Charged, refusalOfInstrument } from '../registrations/instrument.ts';
import { usedAgain } from '../registrations/moves.ts';
import { keepable } from '../registrations/stored.ts';
import type { Assessment } from '../risk/assess.ts';
import type { Silence } from '../risk/settings.ts';
import { AUTHENTICATION, RISK_CHECK } from '../spec/paymentTypes.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import { sealedFields } from '../vault/ports.ts';
import { applyScenario, hasScenario } from './applyScenario.ts';
import { isRecordedOrder, planOfRecord, recordedCode } from './bankRecord.ts';
import { commitPayment } from './commitPayment.ts';
import { asking, attemptOf, type Draft, draft } from './draft.ts';
import { takeOut } from './instrument.ts';
import { next, SUCCESS } from './lifecycle.ts';
import type { Order } from './order.ts';
import { eventFor } from './outboxEvent.ts';
import type { Family, Payment, Phase } from './payment.ts';
import type { ScheduleChange } from './plan.ts';
import type { Attempt, IdempotencyKey, World } from './ports.ts';
import { type Reference, type Refusal, referencedIn, refusalOfReference, reversible, UNKNOWN_REFERENCE } from './refusal.ts';
import { codeOfCheck, judgedBy, noteOutcome } from './risk.ts';
import { isPaidElsewhere, type Route, route } from './route.ts';
import { changeBy } from './storing.ts';
import { authenticationFor } from './threeDS/authenticate.ts';

export type Request = {
  readonly order: Order;
  readonly channel: Channel;
  readonly claim: IdempotencyKey | null;
  /** The plan for which it is taken. */
  readonly plan?: ScheduleChange | null;
  /** Which attempt of the same payment it is, where somebody has counted. */
  readonly attempt?: number;
};

/** `taken`: committed, and now ours to drive. `replayed`: the key was claimed before, this is the payment it stands for. */
export type Taken =
  | { readonly is: 'taken'; readonly payment: Payment; readonly version: number; readonly attempt: Attempt }
  | { readonly is: 'replayed'; readonly payment: Payment }
  | { readonly is: 'otherBody' }
  /** The wallet token has paid before; nothing was kept. */
  | { readonly is: 'spent' }
  /** Another payment of the same checkout is open or has succeeded; nothing was kept. */
  | { readonly is: 'busy' }
  /** The plan, or what else it was decided on, has moved on; nothing was kept, and whoever runs plans looks again. */
  | { readonly is: 'overtaken' }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** An order is judged once, however often it has to be decided anew; undefined: not yet. */
type Tried = Request & { readonly risk?: Assessment | null };
type Moved = { readonly is: 'moved'; readonly risk: Assessment | null };

/** A family that moves on under our hands more often than this is being fought over by many nodes. */
const TRIES_MAX = 64;

/**
 * The first door: read the family once, all refusals, then commit the intent. When the family has moved on in between, the decision
 * is taken anew on what it has become.
 */
export async function take(world: World, asked: Request): Promise<Taken> {
  let request: Tried = asked;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await tryTake(world, request);
    if (taken.is !== 'moved') return taken;
    if (asked.plan) return { is: 'overtaken' };
    request = { ...request, risk: taken.risk, order: await looked(world, request.order) };
  }
  throw new Error(`what ${asked.order.referencedId ?? asked.order.registration?.id} belongs to did not hold still`);
}

/** The order with the stored details as they are now. */
async function looked(world: World, order: Order): Promise<Order> {
  if (order.registration === null) return order;
  const { registration, refusal } = await takeOut(world, order.merchantId, order.registration.id);
  // What is deleted by now must not be sealed with the refusal.
  return { ...order, registration, refusal, secrets: refusal === null ? order.secrets : {} };
}

async function tryTake(world: World, request: Tried): Promise<Taken | Moved> {
  const { order } = request;
  const family = order.referencedId === null ? null : await world.store.family(order.merchantId, order.referencedId);
  const referenced = family && referencedIn(family, order);
  if (order.practice !== null && order.referencedId !== null && !referenced) {
    const { referencedId } = order;
    return { is: 'faulty', faults: [{ name: 'referenceUuid', value: referencedId, message: 'no transaction has this id' }] };
  }
  const played = hasScenario(request, referenced) ? await applyScenario(world, request, referenced) : order;
  if ('faults' in played) return { is: 'faulty', faults: played.faults };
  const staging = { ...request, order: played };
  return commitIntent(world, staging, { family, referenced, plan: plan(world, staging, { family, referenced }) });
}

type Known = { readonly family: Family | null; readonly referenced: Payment | null };
type Plan = { readonly route: Route | null; readonly amount: bigint; readonly refusal: Refusal | null };

/** All refusals in the order in which they are told, and what is to be moved where. Pure but for the clock. */
export function plan(world: World, { order, channel }: Pick<Request, 'order' | 'channel'>, { family, referenced }: Known): Plan {
  const now = world.clock.now();
  const refuse = (refusal: Refusal): Plan => ({ route: null, amount: order.amount ?? 0n, refusal });
  if (order.isTestInLive) return refuse('600.200.701');
  if (order.refusal !== null) return refuse(order.refusal);
  if (order.paymentType === AUTHENTICATION || order.paymentType === RISK_CHECK) return planAlone(order, now);
  if (isRecordedOrder(order)) return { route: null, ...planOfRecord(order, channel, { family: family?.payments, referenced }) };
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
  if (!referenced && !order.instrument && !isPaidElsewhere(order)) return refuse('100.150.100');
  const refusal = refusalOfAmount(order) ?? refusalOfInstrument(asCharged(order), now);
  return refusal === null ? { route: found, amount: order.amount ?? 0n, refusal } : refuse(refusal);
}

/** An authentication or a risk check without a payment goes to no acquirer; risk can be checked without an instrument. */
function planAlone(order: Order, now: number): Plan {
  const without = order.paymentType === RISK_CHECK ? null : '100.150.100';
  return { route: null, amount: order.amount ?? 0n, refusal: order.instrument ? refusalOfInstrument(order, now) : without };
}

/** A network token outlives the card it stands for: its own expiry counts. */
function asCharged(order: Order): Charged {
  const { instrument, secrets } = order;
  if (instrument?.kind !== 'card' || secrets.networkToken === undefined) return order;
  const { expiryMonth, expiryYear } = secrets.networkToken;
  return { ...order, instrument: { ...instrument, expiryMonth, expiryYear } };
}

/** Nothing is charged for nothing, but a card may be verified by a preauthorization of 0.00. */
function refusalOfAmount({ amount, paymentType, method }: Order): Refusal | null {
  if (amount === null || amount > 0n || paymentType === 'RG') return null;
  return paymentType === 'PA' && (method === 'CC' || method === 'DC') ? null : '100.550.300';
}

async function commitIntent(world: World, request: Tried, known: Known & { readonly plan: Plan }): Promise<Taken | Moved> {
  const { order, channel, claim, plan: planChange = null } = request;
  const { family, referenced, plan: planned } = known;
  const keys = world.vault.ready(order.merchantId);
  if (keys) await keys;
  const making: Draft = {
    order,
    route: planned.route,
    referenced,
    amount: planned.amount,
    phase: firstPhase(world, order, planned),
    channelName: channel.name,
  };
  const drafted = { ...draft(world, making), ...(planChange && { planId: planChange.plan.id }) };
  const beginning = planned.refusal === null ? await before(world, request, drafted) : { intent: drafted };
  if ('faults' in beginning) return { is: 'faulty', faults: beginning.faults };
  const { intent } = beginning;
  // Once more, right before sealing: the right to use a key is good for a moment only, and somebody may have been asked meanwhile.
  const keysAgain = world.vault.ready(order.merchantId);
  if (keysAgain) await keysAgain;
  const attempt = attemptOf(intent, making);
  const payment = decided(world, planned.route, attempt);
  const version = referenced ? (family?.version ?? 0) : 0;
  // Before it can be read by anybody: whoever goes through the store must not count it once more.
  if (payment.risk !== null) world.countedEvents.attempt(payment.id);
  const outcome = await commitPayment(world, {
    payment,
    version,
    sealed: sealedFor(world, payment, order),
    idempotencyKey: claim,
    event: eventFor(world, payment),
    registration: changeBy(world, payment, { order, attempt }),
    tokenUse: planned.route ? order.tokenUse : null,
    schedule: planChange && changedBy(planChange, payment),
  });
  switch (outcome.is) {
    case 'kept':
      if (payment !== intent && payment.phase.at === 'final') planned.route?.connector.book?.(payment);
      if (payment.phase.at === 'authentication')
        world.pendingSecrets.put(payment.id, attempt, payment.createdAt + AUTHENTICATION_MS_MAX);
      await noteUse(world, order);
      await noteOutcome(world, payment);
      return { is: 'taken', payment, version: version + 1, attempt: { ...attempt, payment } };
    case 'moved':
      return { is: 'moved', risk: intent.risk };
    case 'overrun':
      throw new Error(`the store refused the sums of ${payment.paymentType} ${payment.id}: the fold and the table disagree`);
    case 'busy':
      return { is: 'busy' };
    case 'spent':
      return { is: 'spent' };
    case 'claimed':
      return replay(world, order, { ...outcome, bodySent: claim?.bodyHash ?? '' });
  }
}

/** The plan learns only now what its charge is called. */
function changedBy({ plan, dueAt }: ScheduleChange, { id: paymentId }: Payment): ScheduleChange {
  return { plan: plan.charge ? { ...plan, charge: { ...plan.charge, paymentId } } : plan, dueAt };
}

/** Secrets are held no longer than a checkout lives. */
const AUTHENTICATION_MS_MAX = 30 * 60_000;

type Before = { readonly intent: Payment } | { readonly faults: readonly Fault[] };

/** The intent after what comes before the acquirer: the risk checks may end it, and the cardholder may have to be asked first. */
async function before(world: World, { order, channel, risk: known }: Tried, unjudged: Payment): Promise<Before> {
  const isAtEnd = unjudged.phase.at === 'final';
  // What a request lacks is told before it is judged: nothing is kept of it, so it must not count as an attempt.
  const wished = isAtEnd ? null : await authenticationFor(world, unjudged, { order, channel, isAsked: false });
  if (wished?.is === 'faulty') return wished;
  const drafted = { ...unjudged, risk: known === undefined ? await judgedBy(world, unjudged, channel) : known };
  const verdict = drafted.risk?.verdict ?? { is: 'accept' };
  if (order.paymentType === RISK_CHECK) return ended(drafted, codeOfCheck(drafted.risk));
  if (verdict.is === 'decline') return ended(drafted, verdict.code);
  if (wished === null) return { intent: drafted };
  const isDemanded = verdict.is === 'challenge';
  const beginning = isDemanded ? await authenticationFor(world, drafted, { order, channel, isAsked: true }) : wished;
  switch (beginning.is) {
    case 'unasked':
      return unchallenged(drafted, world.risk.unchallenged(channel.risk));
    case 'faulty':
      return beginning;
    case 'stopped':
      return ended(drafted, beginning.code);
    case 'goOn':
      return {
        intent:
          Object.keys(beginning.fields).length === 0
            ? drafted
            : { ...drafted, fields: { ...drafted.fields, ...beginning.fields } },
      };
    case 'begun': {
      const { state, dueAt } = beginning;
      const threeDS = { origin: order.origin, state, sealedProof: null };
      return { intent: { ...drafted, phase: { at: 'authentication', dueAt }, threeDS } };
    }
  }
}

const ended = (drafted: Payment, code: FinalCode): Before => ({ intent: { ...drafted, phase: { at: 'final', code } } });

/** The risk checks wanted the cardholder to be asked, and nobody could be. */
function unchallenged(drafted: Payment, then: Silence): Before {
  if (then === 'decline' || drafted.risk === null) return ended(drafted, '100.400.141');
  return { intent: then === 'review' ? { ...drafted, risk: { ...drafted.risk, asksReview: true } } : drafted };
}

/** Refused at once, stored without asking anybody, or waiting for the acquirer. */
function firstPhase({ clock }: World, order: Order, { route: found, refusal }: Plan): Phase {
  if (refusal === null && order.paymentType === AUTHENTICATION) return { at: 'authentication', dueAt: clock.now() };
  if (refusal === null && order.paymentType === RISK_CHECK) return { at: 'final', code: '000.300.100' };
  if (refusal === null && isRecordedOrder(order)) return { at: 'final', code: recordedCode(order) };
  if (found === null) return { at: 'final', code: refusal ?? '600.100.100' };
  const isAsked = order.paymentType !== 'RG' || found.capability.types.includes('RG');
  return isAsked ? asking(clock.now(), found) : { at: 'final', code: SUCCESS[order.mode] };
}

const isNoPayment = ({ paymentType }: Order): boolean =>
  paymentType === 'RG' || paymentType === AUTHENTICATION || paymentType === RISK_CHECK;

/** Stored details are sealed where they are stored; storing, authenticating and judging are no payments: none needs a copy with it. */
function sealedFor({ vault }: World, { id, merchantId, entityId }: Payment, order: Order): Uint8Array | null {
  if (order.registration !== null || isNoPayment(order)) return null;
  const clear = keepable(order.secrets);
  return clear === null ? null : vault.seal({ merchantId, entityId, recordId: id, field: sealedFields.payment }, clear);
}

async function noteUse({ store, clock }: World, { registration }: Order): Promise<void> {
  const use = registration?.state === 'active' ? usedAgain(registration, clock.now()) : null;
  if (registration && use) await store.touch(registration.merchantId, registration.id, use);
}

/** Nothing leaves the process, so intent and answer are one commit; otherwise the payment stays an intent. */
function decided(world: World, found: Route | null, attempt: Attempt): Payment {
  if (attempt.payment.phase.at !== 'acquirer') return attempt.payment;
  const answer = found?.connector.decide?.(attempt) ?? null;
  if (answer === null) return attempt.payment;
  return { ...next(attempt.payment, answer, world.clock.now()), revision: 1 };
}

/** The payment that a key stands for, if the request is the one that it was used with. */
export async function replay(
  world: World,
  { merchantId }: Pick<Order, 'merchantId'>,
  claimed: { readonly paymentId: string; readonly bodyHash: string; readonly bodySent: string },
): Promise<Taken> {
  if (claimed.bodyHash !== claimed.bodySent) return { is: 'otherBody' };
  const payment = await world.store.payment(merchantId, claimed.paymentId);
  if (!payment) throw new Error(`the key's payment ${claimed.paymentId} is not there`);
  return { is: 'replayed', payment };
}
