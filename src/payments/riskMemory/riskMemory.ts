import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { isOpen, type Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory, PaymentStore, World } from '../ports.ts';
import { factsAbout, isJudged, outcomeOf } from '../risk.ts';
import type { CountedEventLog } from './countedEvents.ts';
import { createReplay, cursorAt } from './replay.ts';

/** The windows of the risk checks are the memory of one process. This tells them what they cannot know of themselves. */
export interface RiskMemory {
  /**
   * To be called every second. What is left over is continued next time. A run that begins takes over from one that still waits for the
   * store: that one rejects when it is answered, so that no two of them move the same places.
   */
  run(): Promise<void>;
  /** The past has been gone through as far as it will be. */
  isComplete(): boolean;
}

export type RiskMemoryParts = {
  readonly world: Pick<World, 'clock' | 'risk' | 'channel'> & { readonly store: Pick<PaymentStore, 'payment'> };
  readonly history: PaymentHistory;
  /** The one that the core asks before it tells the windows anything. */
  readonly countedEvents: CountedEventLog;
  /** No other process takes payments into this store: then there is no other node to follow. */
  readonly isAlone: boolean;
  /** Lets others have the processor. */
  readonly rest: () => Promise<void>;
};

/** So far behind now are the payments of others followed: a commit takes less. */
const NEAR_MS = 2_000;
/**
 * So far behind, everything is gone through once more. A payment that was screened or authenticated before it was first written shows up
 * late and with the time at which it began, and the clocks of nodes differ: following only closely would miss it.
 */
const FAR_MS = 120_000;

const PAGE = 250;
/** Counting costs some 30 µs: requests wait no longer than a few milliseconds. */
const NOTED_AT_ONCE = 50;
const PAGES_AT_ONCE = 40;
const LOOKS_AT_ONCE = 500;

/** Every attempt and every outcome is told once: the book says whether it is the first time. */
function createRecorder({ world, countedEvents }: Pick<RiskMemoryParts, 'world' | 'countedEvents'>) {
  const settle = async (payment: Payment, note: (is: 'approved' | 'declined') => Promise<void>): Promise<void> => {
    if (isOpen(payment)) return countedEvents.watch(payment);
    const is = outcomeOf(payment);
    if (is === null) countedEvents.unwatch(payment.id);
    else if (countedEvents.outcome(payment.id)) await note(is);
  };
  /** A payment as the store has it now. */
  return async (payment: Payment): Promise<void> => {
    const { id, entityId, risk } = payment;
    // Without an assessment no node has counted it; a risk check without a payment is no attempt.
    const channel = isJudged(payment) && payment.paymentType !== RISK_CHECK && risk !== null ? world.channel(entityId) : null;
    if (risk === null || channel === null) return;
    const isBlocked = risk.verdict.is === 'decline';
    const isNew = countedEvents.attempt(id);
    // Who judged a payment has told that it was blocked in the same breath.
    if (isBlocked && !isNew) return;
    const facts = factsAbout(world, payment, channel.timeZone);
    const note = (is: 'attempt' | 'approved' | 'declined' | 'blocked') => world.risk.record(facts, channel.risk, is);
    if (isNew) await note('attempt');
    if (!isBlocked) await settle(payment, note);
    else if (countedEvents.outcome(id)) await note('blocked');
  };
}

/** A run that waits for the store while a later run takes over rejects. */
function createTakeover() {
  let turn = 0;
  return {
    takeOver: () => {
      turn += 1;
    },
    async whileMine<T>(answer: Promise<T>): Promise<T> {
      const mine = turn;
      const answered = await answer;
      if (mine !== turn) throw new Error('a later run has taken over');
      return answered;
    },
  };
}

export function createRiskMemory({ world, countedEvents, isAlone, rest, ...parts }: RiskMemoryParts): RiskMemory {
  const { clock } = world;
  const { takeOver, whileMine } = createTakeover();
  const history: PaymentHistory = { history: (asked) => whileMine(parts.history.history(asked)) };
  const recordPayment = createRecorder({ world, countedEvents });
  const recordAll = async (payments: readonly Payment[]): Promise<void> => {
    for (const [at, payment] of payments.entries()) {
      await recordPayment(payment);
      if (at % NOTED_AT_ONCE === NOTED_AT_ONCE - 1) await rest();
    }
    await rest();
  };
  /** Goes on from a place; answers how far it came. */
  const follow = async (from: PaymentCursor, before: number): Promise<PaymentCursor> => {
    let place = from;
    for (let pages = 0; pages < PAGES_AT_ONCE && place.createdAt < before; pages += 1) {
      const page = await history.history({ after: place, before, merchantId: null, limit: PAGE });
      await recordAll(page);
      place = page.at(-1) ?? place;
      // Nothing before the instant is left, but others of the same instant may follow the last one.
      if (page.length < PAGE) return cursorAt(before);
    }
    return place;
  };
  const lookAgain = async (): Promise<void> => {
    for (const { id, merchantId } of countedEvents.due(LOOKS_AT_ONCE)) {
      const payment = await whileMine(world.store.payment(merchantId, id));
      if (payment && !isOpen(payment)) await recordPayment(payment);
    }
  };
  let followed: { near: PaymentCursor; far: PaymentCursor } | null = null;
  const past = createReplay({
    history,
    limit: PAGE,
    async recordAll(payments, startedAt) {
      await recordAll(payments);
      // Payments that ended so long ago are not met again and need no entry; there may be many.
      for (const payment of payments)
        if (!isOpen(payment) && payment.movedAt < startedAt - FAR_MS) countedEvents.drop(payment.id);
    },
  });
  return {
    async run() {
      takeOver();
      const now = clock.now();
      if (followed === null) {
        followed = { near: cursorAt(now), far: cursorAt(now - FAR_MS) };
        past.begin(now);
      }
      if (!isAlone) {
        followed.near = await follow(followed.near, now - NEAR_MS);
        followed.far = await follow(followed.far, Math.min(now - FAR_MS, followed.near.createdAt));
      }
      await lookAgain();
      if (past.isOver()) countedEvents.forget(isAlone ? now - FAR_MS : followed.far.createdAt);
      else await past.readPages(PAGES_AT_ONCE);
    },
    isComplete: past.isOver,
  };
}
