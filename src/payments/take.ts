import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { usedAgain } from '../registrations/moves.ts';
import { paymentSecretsText } from '../registrations/registration.ts';
import type { Assessment } from '../risk/assess.ts';
import { AUTHENTICATION, RISK_CHECK } from '../spec/paymentTypes.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { sealedFields } from '../vault/ports.ts';
import { applyScenario, hasScenario } from './applyScenario.ts';
import { withdrawn } from './callbacks.ts';
import { isRecordedOrder } from './chargebacks/bankRecord.ts';
import { commitPayment, eventFor } from './commitPayment.ts';
import { mayFallBack } from './connector/fallback.ts';
import type { Route } from './connector/routing.ts';
import { type Decision, decide, firstPhase } from './decide.ts';
import { attemptOf, type Draft, draft, withKnownFields } from './draft.ts';
import { drive } from './drive.ts';
import { openRegistration, openToken, paysByToken, tokenFault } from './instrument.ts';
import { nextWithIntent } from './lifecycle.ts';
import { type Environment, echoInSlices, type Order, orderOf, type Purpose } from './order.ts';
import type { Family, Payment } from './payment.ts';
import type { Attempt, CommitOutcome, FamilyQueue, IdempotencyKey, ScheduleChange, World } from './ports.ts';
import { familyFault, referencedIn } from './refusal.ts';
import { registrationChangeBy } from './registration/registrationChange.ts';
import { noteOutcome, noteUnkept, type Screened, screen } from './screen.ts';
import { endOf } from './stage.ts';
import { withValidity } from './validity.ts';

/**
 * From the checked request to the payment. `perform` makes the order, takes it and drives it; `take` decides about the order and commits
 * the intent.
 */

export type PaymentRequest = {
  readonly channel: Channel;
  readonly environment: Environment;
  readonly checked: Checked;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The payment that a capture, reversal or refund names. */
  readonly referencedId: string | null;
  /** It was named by `referenceUuid`. */
  readonly isReferenceSent?: boolean;
  /** The stored details named in the path of a payment. */
  readonly registrationId?: string | null;
  /** The address under which the request reached the gateway. */
  readonly origin?: string;
  /** The checkout in which it is made. */
  readonly checkoutId?: string | null;
  readonly purpose?: Purpose;
  /** Which attempt of the same payment it is, from 1, where the caller counts them. */
  readonly attempt?: number;
};

/** A run of a schedule. The id of its charge is filled in. */
type ScheduledRequest = PaymentRequest & { readonly schedule: ScheduleChange };

type PaymentResult =
  /** `isReplayed`: the idempotency key was used before, and this is its payment. */
  | { readonly is: 'payment'; readonly payment: Payment; readonly isReplayed?: true }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] }
  /** The token of a wallet cannot pay: nothing was kept. */
  | { readonly is: 'badToken'; readonly faults: readonly Fault[] }
  /** Another payment of the same checkout is open or has succeeded: nothing was kept. */
  | { readonly is: 'busy' }
  | { readonly is: 'otherBody' };

/** Order, take, drive. */
export const perform = (world: World, request: PaymentRequest): Promise<PaymentResult> => performOrder(world, request, null);

/** The same for a schedule, which may have changed meanwhile. */
export const chargeSchedule = (world: World, request: ScheduledRequest): Promise<ScheduledOutcome> =>
  performOrder(world, request, request.schedule);

type ScheduledOutcome = PaymentResult | { readonly is: 'overtaken' };

/** Only a schedule can be overtaken. */
function performOrder(world: World, request: PaymentRequest, schedule: null): Promise<PaymentResult>;
function performOrder(world: World, request: PaymentRequest, schedule: ScheduleChange): Promise<ScheduledOutcome>;
async function performOrder(world: World, request: PaymentRequest, schedule: ScheduleChange | null): Promise<ScheduledOutcome> {
  const { channel, environment, checked, idempotencyKey, referencedId, registrationId = null, attempt } = request;
  const wallet = paysByToken(checked) ? await openToken(world, checked, channel) : null;
  if (wallet?.is === 'refused') return (await replayed(world, request)) ?? { is: 'badToken', faults: wallet.faults };
  const stored = registrationId === null ? null : await openRegistration(world, channel.merchantId, registrationId);
  const issuerCountry = (bin: string) => world.risk.lookups.issuer(bin)?.country ?? null;
  const charged = { stored, wallet: wallet?.payment ?? null };
  const echo = checked.rest && (await echoInSlices(checked, checked.rest, charged));
  const { isReferenceSent, origin, checkoutId, purpose } = request;
  const ordered = orderOf(checked, {
    channel,
    environment,
    referencedId,
    isReferenceSent,
    origin,
    checkoutId,
    purpose,
    stored: charged.stored,
    wallet: charged.wallet,
    issuerCountry,
    echo,
  });
  if (ordered.is === 'faulty') return ordered;
  const { order } = ordered;
  const work = () => take(world, { order, channel, idempotencyKey, schedule, ...(attempt !== undefined && { attempt }) });
  const taken = await (order.referencedId === null
    ? work()
    : world.families.run(`${order.merchantId}/${order.referencedId}`, work));
  switch (taken.is) {
    case 'taken':
      if (taken.payment.phase.at === 'final') return { is: 'payment', payment: taken.payment };
      return { is: 'payment', payment: await driveTaken(world, taken) };
    case 'replayed':
      return { is: 'payment', payment: taken.payment, isReplayed: true };
    case 'tokenUsed':
      return { is: 'badToken', faults: [tokenFault(checked, 'has been used for another payment')] };
    default:
      return taken;
  }
}

const driveTaken = (world: World, { payment, version, attempt }: Extract<Taken, { is: 'taken' }>): Promise<Payment> =>
  world.driveOnMain?.({ payment, version }, attempt) ?? drive(world, { payment, version }, attempt);

/** The token of a retry may have expired; its idempotency key still finds the payment. */
async function replayed(world: World, { channel, idempotencyKey }: PaymentRequest): Promise<PaymentResult | null> {
  const held =
    idempotencyKey && (await world.store.idempotencyKey(channel.merchantId, idempotencyKey.entityId, idempotencyKey.key));
  if (!idempotencyKey || !held) return null;
  const taken = await replay(world, channel, { ...held, bodySent: idempotencyKey.bodyHash });
  return taken.is === 'replayed' ? { is: 'payment', payment: taken.payment, isReplayed: true } : { is: 'otherBody' };
}

/**
 * Requests that reference the same payment decide one after the other within a node. The family's version keeps them right without
 * this; the queue keeps them from deciding in vain.
 */
export function createFamilyQueue(): FamilyQueue {
  const latest = new Map<string, Promise<unknown>>();
  return {
    async run(family, work) {
      const result = (latest.get(family) ?? Promise.resolve()).then(work, work);
      latest.set(family, result);
      try {
        return await result;
      } finally {
        if (latest.get(family) === result) latest.delete(family);
      }
    },
  };
}

type TakeRequest = {
  readonly order: Order;
  readonly channel: Channel;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The schedule that is charged. */
  readonly schedule?: ScheduleChange | null;
  /** Which attempt of the same payment it is, where the caller counts them. */
  readonly attempt?: number;
};

/** `taken`: committed, to be driven by the caller. `replayed`: the key was used before, and this is its payment. */
type Taken =
  | { readonly is: 'taken'; readonly payment: Payment; readonly version: number; readonly attempt: Attempt }
  | { readonly is: 'replayed'; readonly payment: Payment }
  | { readonly is: 'otherBody' }
  /** The wallet token has paid before; nothing was kept. */
  | { readonly is: 'tokenUsed' }
  /** Another payment of the same checkout is open or has succeeded; nothing was kept. */
  | { readonly is: 'busy' }
  /** The schedule, or what else the charge was decided on, has changed; nothing was kept, and the schedule's next run decides again. */
  | { readonly is: 'overtaken' }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** An order is judged once, however often it is decided; undefined: not yet. */
type Try = TakeRequest & { readonly risk?: Assessment | null };
type Moved = { readonly is: 'moved'; readonly risk: Assessment | null };

/** Only many nodes at work on one family change it more often than this between a read and a commit. */
const TRIES_MAX = 64;

/**
 * Reads the family once, decides, screens, and commits the intent. When the family has changed in between, the order is decided again on
 * its current state. `drive` does the rest.
 */
export async function take(world: World, request: TakeRequest): Promise<Taken> {
  let current: Try = request;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await tryTake(world, current);
    if (taken.is !== 'moved') return taken;
    if (request.schedule) return { is: 'overtaken' };
    current = { ...current, risk: taken.risk, order: await withCurrentRegistration(world, current.order) };
  }
  throw new Error(`the family of ${request.order.referencedId ?? request.order.registration?.id} changed ${TRIES_MAX} times`);
}

async function withCurrentRegistration(world: World, order: Order): Promise<Order> {
  if (order.registration === null) return order;
  const { registration, refusal } = await openRegistration(world, order.merchantId, order.registration.id);
  // The secrets of a deleted registration must not be sealed with the refusal.
  return { ...order, registration, refusal, secrets: refusal === null ? order.secrets : {} };
}

type Referred = { readonly family: Family | null; readonly referenced: Payment | null };

async function tryTake(world: World, request: Try): Promise<Taken | Moved> {
  const { order } = request;
  const read = order.referencedId === null ? null : await world.store.family(order.merchantId, order.referencedId);
  const named = read && referencedIn(read, order);
  const family = named && order.paymentType === 'RV' ? await withdrawn(world, order, read, named) : read;
  const referenced = family && referencedIn(family, order);
  if (order.isReferenceSent && order.referencedId !== null && !referenced) {
    const { referencedId } = order;
    return { is: 'faulty', faults: [{ name: 'referenceUuid', value: referencedId, message: 'no transaction has this id' }] };
  }
  const tooLong = family && !isRecordedOrder(order) ? familyFault(family, order) : null;
  if (tooLong) return (await usedBefore(world, request)) ?? { is: 'faulty', faults: [tooLong] };
  const played = hasScenario(request, referenced) ? await applyScenario(world, request, referenced) : null;
  if (played?.is === 'faulty') return played;
  return decideAndCommit(world, played ? { ...request, order: played.order } : request, { family, referenced });
}

/** One try, stage by stage. */
async function decideAndCommit(world: World, request: Try, { family, referenced }: Referred): Promise<Taken | Moved> {
  const { order, channel, schedule = null } = request;
  const { connector, clock, vault } = world;
  const decision = decide(order, { channel, family, referenced, connector, now: clock.now(), routing: world });
  await endOf('decision');

  const keys = vault.ready(order.merchantId);
  if (keys) await keys;
  const making: Draft = {
    order,
    route: decision.route,
    referenced,
    family: family?.payments,
    amount: decision.amount,
    phase: firstPhase(order, decision, clock.now()),
    channelName: channel.name,
    fields: withKnownFields(order, channel, world.risk.lookups),
    remark: decision.remark,
  };
  const plain = draft(world, making);
  const scheduled = schedule ? { ...plain, ...scheduledBy(schedule) } : plain;
  const drafted = decision.route ? withValidity(scheduled, decision.route.capability, channel) : scheduled;
  await endOf('draft');

  const screened = decision.refusal === null ? await screen(world, request, drafted) : null;
  if (screened?.is === 'faulty') return screened;
  const intent = screened?.intent ?? drafted;
  await endOf('screening');

  // Checked again right before sealing: a data key may only be used shortly after this check, and a 3DS look-up may have taken a while.
  const keysAgain = vault.ready(order.merchantId);
  if (keysAgain) await keysAgain;
  const attempt = attemptOf(intent, making);
  const payment = answerInProcess(world, decision.route, attempt);
  // Counted before others can read it from the store: a node that reads it must not count it once more.
  if (payment.risk !== null) world.countedEvents.attempt(payment.id);
  const sealed = sealedFor(world, payment, order);
  await endOf('sealing');

  const version = referenced ? (family?.version ?? 0) : 0;
  return commitIntent(world, request, { decision, screened, intent, attempt, payment, version, sealed });
}

/** The intent, and the payment: the same, or with the answer of a connector in the process. */
type Intent = {
  readonly decision: Decision;
  readonly screened: Extract<Screened, { readonly is: 'screened' }> | null;
  readonly intent: Payment;
  readonly attempt: Attempt;
  readonly payment: Payment;
  readonly version: number;
  readonly sealed: Uint8Array | null;
};

async function commitIntent(world: World, request: Try, made: Intent): Promise<Taken | Moved> {
  const { order, channel, idempotencyKey, schedule = null } = request;
  const { decision, screened, intent, attempt, payment, version, sealed } = made;
  const outcome = await commitPayment(world, {
    payment,
    version,
    sealed,
    idempotencyKey,
    event: eventFor(world, payment, null),
    registration: registrationChangeBy(world, payment, { order, attempt }),
    tokenUse: decision.route ? order.tokenUse : null,
    schedule: schedule && withCharge(schedule, payment),
  });
  if (screened && endsUnkept(outcome, schedule)) await noteUnkept(world, screened, channel);
  switch (outcome.is) {
    case 'kept':
      if (payment !== intent && payment.phase.at === 'final') decision.route?.connector.book?.(payment);
      if (payment.phase.at === 'authentication')
        world.pendingSecrets.put(payment.id, attempt, payment.createdAt + AUTHENTICATION_MS_MAX);
      if (payment.phase.at === 'final' && payment.risk !== null) await noteOutcome(world, payment, screened?.facts);
      if (order.registration !== null) await noteUse(world, order);
      return { is: 'taken', payment, version: version + 1, attempt: { ...attempt, payment } };
    case 'moved':
      return { is: 'moved', risk: intent.risk };
    case 'overrun':
      throw new Error(`the store refused the sums of ${payment.paymentType} ${payment.id}: the fold and the table disagree`);
    case 'busy':
      return { is: 'busy' };
    case 'tokenUsed':
      return { is: 'tokenUsed' };
    case 'keyUsed':
      return replay(world, order, { ...outcome, bodySent: idempotencyKey?.bodyHash ?? '' });
  }
}

/** The attempt was judged, and no payment of it is kept. A moved order is decided again on the same verdict, except a schedule's run. */
const endsUnkept = ({ is }: CommitOutcome, schedule: ScheduleChange | null): boolean =>
  is === 'moved' ? schedule !== null : is === 'busy' || is === 'tokenUsed' || is === 'keyUsed';

/** The schedule is given the id of its charge, which is known only now. */
function withCharge({ schedule, ...change }: ScheduleChange, { id: paymentId }: Payment): ScheduleChange {
  return { ...change, schedule: schedule.charge ? { ...schedule, charge: { ...schedule.charge, paymentId } } : schedule };
}

function scheduledBy({ schedule: { id, charge } }: ScheduleChange): Pick<Payment, 'scheduleId' | 'scheduledRun'> {
  return { scheduleId: id, ...(charge && { scheduledRun: { dueAt: charge.dueAt, attempt: charge.tries } }) };
}

/** Secrets are held no longer than a checkout lives. */
const AUTHENTICATION_MS_MAX = 30 * MINUTE_MS;

const isNoPayment = ({ paymentType }: Order): boolean =>
  paymentType === 'RG' || paymentType === AUTHENTICATION || paymentType === RISK_CHECK;

/** Stored details are sealed where they are stored; storing, authenticating and judging are no payments: none needs a copy with it. */
function sealedFor({ vault }: World, { id, merchantId, entityId }: Payment, order: Order): Uint8Array | null {
  if (order.registration !== null || isNoPayment(order)) return null;
  const clear = paymentSecretsText(order.secrets);
  return clear === null ? null : vault.seal({ merchantId, entityId, recordId: id, field: sealedFields.payment }, clear);
}

/** The payment is stored and is answered in any case: a use that could not be noted is noted by the next one. */
async function noteUse({ store, clock }: World, { registration }: Order): Promise<void> {
  const use = registration?.state === 'active' ? usedAgain(registration, clock.now()) : null;
  if (registration && use) await store.touch(registration.merchantId, registration.id, use).catch(() => {});
}

/** A connector that touches nothing outside the process answers here, so intent and answer are one commit; otherwise the intent stays. */
function answerInProcess(world: World, route: Route | null, attempt: Attempt): Payment {
  if (attempt.payment.phase.at !== 'acquirer') return attempt.payment;
  const answer = route?.connector.decide?.(attempt) ?? null;
  if (answer === null) return attempt.payment;
  world.watch?.answered(attempt.payment, answer);
  // Another account may follow: the intent comes first.
  if (attempt.others && answer.is === 'declined' && mayFallBack(attempt, answer)) return attempt.payment;
  return nextWithIntent(attempt.payment, answer, world.clock.now());
}

/** The payment of a repeated request, which counts before a rule that did not hold at the first one. */
async function usedBefore(world: World, { order, idempotencyKey }: Try): Promise<Taken | null> {
  if (idempotencyKey === null) return null;
  const held = await world.store.idempotencyKey(order.merchantId, idempotencyKey.entityId, idempotencyKey.key);
  return held && replay(world, order, { ...held, bodySent: idempotencyKey.bodyHash });
}

/** The payment of an idempotency key, if the request is the one that the key was used with. */
export async function replay(
  world: World,
  { merchantId }: Pick<Order, 'merchantId'>,
  used: { readonly paymentId: string; readonly bodyHash: string; readonly bodySent: string },
): Promise<Taken> {
  if (used.bodyHash !== used.bodySent) return { is: 'otherBody' };
  const payment = await world.store.payment(merchantId, used.paymentId);
  if (!payment) throw new Error(`the key's payment ${used.paymentId} is not there`);
  return { is: 'replayed', payment };
}
