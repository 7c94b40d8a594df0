import { isApproval, isNegative } from '../spec/resultCodes.ts';
import { commitPayment, eventFor } from './commitPayment.ts';
import { createUnsentTime, fallbackAfter, isPassedOver, UNSENT } from './connector/fallback.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import { isMisdated, type Payment } from './payment.ts';
import type { AcquirerAnswer, Attempt, Connector, Inquiry, Question, RegistrationChange, Uncertainty, World } from './ports.ts';
import { registrationChangeAfter } from './registration/registrationChange.ts';
import { noteOutcome } from './screen.ts';
import { canStep, nextStep } from './threeDS/steps.ts';

export type VersionedPayment = { readonly payment: Payment; readonly version: number };

/** Enough for acquirer → doubt → cancelling → final; the sweeper does the rest. */
const TURNS_MAX = 8;
const RECORD_TRIES_MAX = 64;

/**
 * Asks the one open question, records the answer, and repeats. The intent is durable before the first byte leaves, no
 * transaction is open across a call, and a move is committed only on the revision it was decided on. `attempt` carries the secrets of
 * a fresh request; without it nothing is ever sent, only asked about.
 */
export async function drive(world: World, started: VersionedPayment, attempt: Attempt | null): Promise<Payment> {
  let driven = started;
  const unsentTime = createUnsentTime(world);
  let fresh = attempt && unsentTime.begin(attempt);
  for (let turn = 0; turn < TURNS_MAX && isDue(world, driven.payment, fresh); turn += 1) {
    const answer = await ask(world, driven.payment, fresh);
    const fallback = fresh?.others ? fallbackAfter(world, fresh, answer) : null;
    const event: PaymentEvent = fallback?.event ?? answer;
    fresh = null;
    const moved = next(driven.payment, event, world.clock.now());
    if (moved === driven.payment) return driven.payment;
    const recorded = await record(world, driven, moved);
    if (recorded.payment !== moved) return recorded.payment;
    driven = recorded;
    alarmOpenCancellation(world, moved);
    if (event.is === 'proven') fresh = takePendingSecrets(world, moved);
    if (fallback) {
      unsentTime.end();
      fresh = { ...fallback.attempt, payment: moved };
    }
    if (fresh) fresh = unsentTime.begin(fresh);
  }
  return driven.payment;
}

/** Tries of a cancellation after which the operator hears of it: after about a minute, and then about every six hours. */
const CANCEL_TRIES_ALARM = 6;
const CANCEL_TRIES_REMINDER = 480;

function alarmOpenCancellation({ alarm }: World, { id, phase }: Payment): void {
  if (phase.at !== 'cancelling') return;
  const { tries } = phase;
  if (tries !== CANCEL_TRIES_ALARM && (tries === 0 || tries % CANCEL_TRIES_REMINDER !== 0)) return;
  alarm('a cancellation is not confirmed by the acquirer: the payment is not taken back yet', {
    paymentId: id,
    tries: `${tries}`,
  });
}

/** At rest there is nothing to ask; with a fresh attempt the question is due immediately, otherwise when its time has come. */
function isDue(world: World, payment: Payment, fresh: Attempt | null): boolean {
  const { phase } = payment;
  if (phase.at === 'final') return false;
  const now = world.clock.now();
  if (phase.dueAt <= now || isMisdated(payment, now)) return true;
  return phase.at === 'authentication' ? canStep(world, payment) : fresh !== null;
}

/** The secrets that were held for the acquirer, for the one request that needs them. */
function takePendingSecrets({ pendingSecrets }: World, payment: Payment): Attempt | null {
  const attempt = pendingSecrets.get(payment.id);
  pendingSecrets.drop(payment.id);
  return attempt && { ...attempt, payment };
}

/** Never rejects: whatever a connector throws, and an answer that does not come in time, is silence. */
export async function ask(world: World, payment: Payment, fresh: Attempt | null): Promise<PaymentEvent> {
  if (payment.phase.at === 'authentication') return nextStep(world, payment).catch(() => SILENCE);
  return askConnector(world, payment, (connector) => {
    switch (payment.phase.at) {
      case 'acquirer':
        // A node that slept past the time of the request must not send it any more: others ask about it by now.
        if (!fresh || world.clock.now() >= payment.phase.dueAt) return null;
        return isPassedOver(world, fresh, connector) ? Promise.resolve(UNSENT) : connector.send(fresh);
      case 'cancelling':
        return inquiryFor(world, payment).then((inquiry) => connector.cancel(inquiry));
      default:
        return inquiryFor(world, payment).then((inquiry) => connector.inquire(inquiry));
    }
  });
}

const SILENCE: PaymentEvent = { is: 'silence' };

/** One question to the connector of a payment. Never rejects; null asks nothing. */
export async function askConnector(
  world: World,
  payment: Payment,
  question: (connector: Connector) => Promise<AcquirerAnswer> | null,
): Promise<PaymentEvent> {
  const connector = world.connector(payment.connector, payment.entityId);
  if (!connector) return SILENCE;
  const { watch } = world;
  if (!watch) return askOnce(world, { payment, connector }, question);
  return watch.question({ payment, question: questionAt(payment) }, () => askOnce(world, { payment, connector }, question));
}

const questionAt = ({ phase: { at } }: Payment): Question =>
  at === 'acquirer' ? 'send' : at === 'cancelling' ? 'cancel' : 'inquire';

type Asking = { readonly payment: Payment; readonly connector: Connector };

async function askOnce(
  world: World,
  { payment, connector }: Asking,
  question: (connector: Connector) => Promise<AcquirerAnswer> | null,
): Promise<PaymentEvent> {
  try {
    const asked = question(connector);
    if (asked === null) return SILENCE;
    const event = eventFromAnswer(await world.timers.within(connector.answerMsMax, asked));
    return believed(event, payment, connector.uncertainty, world.clock.now());
  } catch {
    return SILENCE;
  }
}

/** The data with which a connector asks about a payment. */
export async function inquiryFor({ store }: World, payment: Payment): Promise<Inquiry> {
  const { merchantId, referencedId } = payment;
  return { payment, referenced: referencedId === null ? null : await store.payment(merchantId, referencedId) };
}

/** Only a well-formed `AcquirerAnswer`, with codes of its kind, counts as an answer; anything else is silence. */
export function eventFromAnswer(answer: AcquirerAnswer): PaymentEvent {
  switch (answer?.is) {
    case 'approved':
      return answer.code === undefined || isApproval(answer.code) ? answer : { is: 'silence' };
    case 'declined':
      return isNegative(answer.code) ? answer : { is: 'silence' };
    case 'redirected':
      return isRedirect(answer) ? answer : { is: 'silence' };
    case 'waiting':
    case 'absent':
    case 'cancelled':
      return answer;
    default:
      return { is: 'silence' };
  }
}

function isRedirect({ redirect, until }: Extract<AcquirerAnswer, { readonly is: 'redirected' }>): boolean {
  return Number.isSafeInteger(until) && typeof redirect?.url === 'string' && Array.isArray(redirect.parameters);
}

/** A registration ends with the payment that makes it, in the same commit. */
async function registrationChangeFor(world: World, payment: Payment): Promise<RegistrationChange | null> {
  if (payment.registrationId === null || payment.phase.at !== 'final') return null;
  const registered = await world.store.registration(payment.merchantId, payment.registrationId);
  return registered && registrationChangeAfter(world, payment, registered.registration);
}

/**
 * Commits the move. When only the rest of the family or a registration has changed, the same move is committed on their current state;
 * when the payment itself has changed, another node drove it, and what that node recorded stays.
 */
export async function record(world: World, from: VersionedPayment, moved: Payment): Promise<VersionedPayment> {
  let { version } = from;
  for (let tries = 0; tries < RECORD_TRIES_MAX; tries += 1) {
    const outcome = await commitPayment(world, {
      payment: moved,
      version,
      event: eventFor(world, moved, from.payment),
      registration: await registrationChangeFor(world, moved),
    });
    if (outcome.is === 'kept') {
      await noteOutcome(world, moved);
      return { payment: moved, version: version + 1 };
    }
    if (outcome.is !== 'moved') throw new Error(`recording ${moved.id} ended ${outcome.is}`);
    const family = await world.store.family(moved.merchantId, moved.id);
    const current = family?.payments.find(({ id }) => id === moved.id);
    if (!family || !current) throw new Error(`payment ${moved.id} is gone`);
    if (current.revision !== from.payment.revision) return { payment: current, version: family.version };
    version = family.version;
  }
  throw new Error(`the family of ${moved.id} changed too often`);
}

const WAITING: PaymentEvent = { is: 'waiting' };

/**
 * The part of an answer that counts by its connector's declaration. A request that was sent may arrive late or be found late: until its
 * declared lifetime is over, "not found" is no answer, and a cancellation that found nothing is none either. A cancellation that names
 * the acquirer's reference has found the payment, and counts immediately.
 */
export function believed(event: PaymentEvent, payment: Payment, uncertainty: Uncertainty, now: number): PaymentEvent {
  if (event.is !== 'absent' && event.is !== 'cancelled') return event;
  const { lateMs, cancelBindsLate, absenceIsProof } = uncertainty;
  if (cancelBindsLate) return event;
  const isOver = now >= sentBy(payment) + lateMs;
  if (event.is === 'absent') return isOver ? event : WAITING;
  const isFound = event.reference !== undefined || payment.reference !== undefined;
  return isFound || (absenceIsProof && isOver) ? event : WAITING;
}

/** No byte of the request left later. A clock that was put back may have left an instant ahead of it; the wait is then longer. */
function sentBy({ phase, movedAt, createdAt }: Payment): number {
  if (phase.at === 'doubt' || phase.at === 'cancelling') return phase.since ?? createdAt;
  return movedAt;
}
