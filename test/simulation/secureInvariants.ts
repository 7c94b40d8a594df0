import type { Payment } from '../../src/payments/payment.ts';
import type { Attempt } from '../../src/payments/ports.ts';
import type { Outcome } from '../../src/threeds/outcome.ts';
import { isSuccess } from './invariants.ts';
import type { Issuer, Question } from './issuer.ts';
import { channelOf, secureCards, securityCodeIn } from './shops.ts';
import { breaks, brief, lateMs, note, type Sim, START } from './sim.ts';

/** What was seen of payments whose cardholder is asked first, commit by commit and question by question. */
export type Guard = {
  /** A commit was kept. `text` is all of it. */
  kept(payment: Payment, text: string): void;
  /** The acquirer is asked, over the wire or within the process. */
  asked(attempt: Attempt): void;
  check(): void;
};

type Seen = {
  readonly begunAt: number;
  until: number;
  outcome: Outcome | null;
  endedAt: number | null;
  successes: number;
  /** It has come to the question for the money; the acquirer may be asked from then on. */
  isReleased: boolean;
  isAsked: boolean;
  payment: Payment;
};

const MINUTE_MS = 60_000;
/** From the end of its time, or of the trouble, until nobody may be in doubt any more. */
const RESOLUTION_MS = 45 * MINUTE_MS;
/** What an authentication may take altogether: an hour for a decoupled one, and clocks that are more than an hour apart. */
const WHOLE_MS_MAX = 4 * 60 * MINUTE_MS;

/**
 * Payments whose cardholder is asked first. T1: the acquirer is asked only with the proof that the issuer gave for this very payment,
 * or without one where the issuer's word allows it, and about a card that must be proven never without having asked. T2: believed is
 * only what the issuer has told, once, and what was confirmed stands. T3: the issuer is asked once. T4: what ended before the acquirer
 * was asked is never charged. T5: none is open long after its time. T6: neither the security code nor a proof is written down.
 * T7: it succeeds once at most.
 */
export function createGuard(sim: Sim, issuer: Issuer): Guard {
  const lives = new Map<string, Seen>();
  const begin = (payment: Payment): Seen => {
    const begunAt = sim.scheduler.now();
    const fresh = { begunAt, until: 0, outcome: null, endedAt: null, successes: 0, isReleased: false, isAsked: false, payment };
    lives.set(payment.id, fresh);
    return fresh;
  };
  return {
    kept(payment, text) {
      if (securityCodeIn(text)) breaks(sim, 'T6', `${payment.id} r${payment.revision} has the security code in its commit`);
      if (!payment.threeDS) return;
      const seen = lives.get(payment.id) ?? begin(payment);
      checkTold(sim, { issuer, seen, payment, text });
      // A clock that was set back does not make the time shorter that it had.
      if (payment.phase.at === 'authentication') seen.until = Math.max(seen.until, payment.phase.dueAt);
      else seen.endedAt ??= sim.scheduler.now();
      if (payment.phase.at === 'acquirer') seen.isReleased = true;
      if (isSuccess(payment)) seen.successes += 1;
      if (seen.successes > 1) breaks(sim, 'T7', `${payment.id} succeeded ${seen.successes} times`);
      seen.payment = payment;
    },
    asked(attempt) {
      const seen = lives.get(attempt.payment.id);
      if (seen) seen.isAsked = true;
      if (seen && !seen.isReleased) breaks(sim, 'T4', `the acquirer is asked for ${attempt.payment.id}, which came to nothing`);
      checkProof(sim, { attempt, issuer, outcome: seen?.outcome ?? null });
    },
    check() {
      for (const [id, { sent }] of issuer.book) {
        if (sent > 1) breaks(sim, 'T3', `the issuer was asked ${sent} times for ${id}`);
      }
      for (const seen of lives.values()) checkEnd(sim, seen, issuer.book.get(seen.payment.id));
    },
  };
}

type AuthenticatedPayment = { readonly issuer: Issuer; readonly seen: Seen; readonly payment: Payment; readonly text: string };

/** T2, T6 */
function checkTold(sim: Sim, { issuer, seen, payment, text }: AuthenticatedPayment): void {
  const phase = payment.threeDS?.state.phase;
  const told = issuer.book.get(payment.id)?.told ?? [];
  if (told.some(({ proof }) => proof !== null && text.includes(proof)))
    breaks(sim, 'T6', `${payment.id} r${payment.revision} has its proof in clear`);
  if (phase?.at !== 'done') {
    if (seen.outcome) breaks(sim, 'T2', `the authentication of ${payment.id} was over and goes on`);
    return;
  }
  const { outcome } = phase;
  const { transStatus: status } = outcome;
  const before = seen.outcome;
  seen.outcome = outcome;
  if (before) {
    if (before.kind !== outcome.kind || before.transStatus !== status)
      breaks(sim, 'T2', `${payment.id} was ${before.kind} and is ${outcome.kind}`);
    return;
  }
  note(sim, `authentication of ${brief(payment.id)}: ${outcome.kind}`);
  if (status !== null && !told.some((one) => one.status === status && one.reason === outcome.transStatusReason))
    breaks(sim, 'T2', `${payment.id} believes ${status}, which its issuer has not said`);
  // Whoever says yes without having been told anything has made it up.
  if (status === null && ['authenticated', 'attempted', 'informational', 'notEnrolled'].includes(outcome.kind))
    breaks(sim, 'T2', `${payment.id} is ${outcome.kind} by nobody's word`);
}

const NOT_ENROLLED = '13';

type Sent = { readonly attempt: Attempt; readonly issuer: Issuer; readonly outcome: Outcome | null };

/** T1 */
function checkProof(sim: Sim, { attempt, issuer, outcome }: Sent): void {
  const { payment, secrets } = attempt;
  const { id } = payment;
  const { verificationId: proof } = secrets;
  if (proof !== undefined && payment.threeDS === null) {
    // Fetched by the merchant and sent with the payment: it passes as it came.
    if (issuer.givenFor(proof) === null) breaks(sim, 'T1', `${id} was sent with a proof that nobody gave`);
    return;
  }
  if (proof !== undefined) {
    const isOwn = issuer.book.get(id)?.told.some((one) => one.proof === proof && one.status === outcome?.transStatus) ?? false;
    if (!isOwn) breaks(sim, 'T1', `${id} was sent with a proof of ${issuer.givenFor(proof) ?? 'nobody'} after ${outcome?.kind}`);
    sim.tally.hit('secure: charged with its proof', 'secure');
    return;
  }
  if (!mustBeProven(attempt)) return;
  const told = issuer.book.get(id)?.told.find(({ status }) => status === outcome?.transStatus);
  const mayGoOn = told?.status === 'I' || (told?.status === 'U' && told.reason === NOT_ENROLLED);
  if (!mayGoOn) breaks(sim, 'T1', `${id} was sent without a proof after ${outcome?.kind ?? 'nothing was asked'}`);
  sim.tally.hit('secure: charged without a proof', 'secure');
}

/** A card that its issuer wants to see authenticated, at a shop that does so, and the shopper is there. */
function mustBeProven({ payment, secrets }: Attempt): boolean {
  const card = secureCards.find(({ number }) => number === secrets.number);
  const isFirst = payment.referencedId === null && payment.fields['standingInstruction.mode'] === undefined;
  const isCharge = payment.paymentType === 'PA' || payment.paymentType === 'DB';
  const isSecure = channelOf(payment.entityId)?.threeDSecure === true;
  return card?.isEnrolled === true && isFirst && isCharge && isSecure;
}

/** T2, T4, T5 */
function checkEnd(sim: Sim, { payment, outcome, endedAt, begunAt, until, isAsked }: Seen, question: Question | undefined): void {
  const { id, phase } = payment;
  const healedAt = START + sim.weather.chaosMs;
  for (const { transStatus } of question?.confirmed ?? []) {
    if (outcome?.transStatus !== transStatus)
      breaks(sim, 'T2', `${id} confirmed ${transStatus} and ended ${outcome?.transStatus ?? 'without a word'}`);
  }
  const end = endedAt ?? sim.scheduler.now();
  const openMs = Math.max(end - Math.max(until, healedAt) - RESOLUTION_MS, end - Math.max(begunAt, healedAt) - WHOLE_MS_MAX);
  if (openMs > lateMs(sim)) breaks(sim, 'T5', `${id} was open ${Math.round(openMs / MINUTE_MS)} minutes too long`);
  if (phase.at !== 'final' || isAsked || payment.paymentType === '3D') return;
  sim.tally.hit(phase.code === '800.400.200' ? 'secure: ends because its secrets are lost' : 'secure: ends unproven', 'secure');
  if (isSuccess(payment)) breaks(sim, 'T4', `${id} succeeds and nobody was asked for the money`);
}
