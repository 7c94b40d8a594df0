import type { WindowEvent } from '../../risk/ports.ts';
import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { isOpen, type Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory, PaymentStore, World } from '../ports.ts';
import { factsAbout, isJudged, outcomeOf } from '../risk.ts';
import type { CountedEventLog } from './countedEvents.ts';
import { createReplay, cursorAt } from './replay.ts';

/** Keeps the velocity counters of this process complete: they also count stored payments, and those of other nodes. */
export interface RiskMemory {
  /**
   * The caller runs it twice a second. A call continues where the last one ended. A new run takes over from one that still waits for the
   * store: the older one then rejects, so that two runs never move the same cursors.
   */
  run(): Promise<void>;
  /** Whether the replay of stored payments has ended. */
  isComplete(): boolean;
}

export type RiskMemoryParts = {
  readonly world: Pick<World, 'clock' | 'risk' | 'channel'> & { readonly store: Pick<PaymentStore, 'payment'> };
  readonly history: PaymentHistory;
  /** The log that `noteOutcome` and `take` use too. */
  readonly countedEvents: CountedEventLog;
  /** No other process takes payments into this store: there is no other node to follow. */
  readonly isAlone: boolean;
  /** Yields to other work of the process. */
  readonly rest: () => Promise<void>;
};

/** Payments of other nodes are counted as soon as they are seen. So far back they are read again at each run: clocks differ a little. */
const OVERLAP_MS = 250;
/** The distance at which payments of other nodes are read a second time: a commit takes less. */
const NEAR_MS = 2_000;
/**
 * The distance at which everything is read a last time. A payment that was screened or authenticated before its first commit appears
 * late and with the time at which it began, and the clocks of nodes differ: the readings before miss it.
 */
const FAR_MS = 120_000;

const PAGE = 250;
/** Counting costs some 30 µs: requests wait no longer than a few milliseconds. */
const NOTED_AT_ONCE = 50;
const PAGES_AT_ONCE = 40;
const LOOKS_AT_ONCE = 500;

/** Counts every attempt and every outcome once: `countedEvents` says whether it is the first time. */
function createRecorder({ world, countedEvents }: Pick<RiskMemoryParts, 'world' | 'countedEvents'>) {
  const settle = async (payment: Payment, note: (is: WindowEvent['is']) => Promise<void>): Promise<void> => {
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
    // The node that evaluated a payment has counted it as blocked too.
    if (isBlocked && !isNew) return;
    const facts = factsAbout(world, payment, channel.timeZone);
    const note = async (is: WindowEvent['is']) => world.risk.record(facts, channel.risk, is);
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
  /** Counts payments from a cursor on; returns the cursor that it reached. */
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
  let followed: { front: PaymentCursor; near: PaymentCursor; far: PaymentCursor } | null = null;
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
        followed = { front: cursorAt(now), near: cursorAt(now), far: cursorAt(now - FAR_MS) };
        past.begin(now);
      }
      if (!isAlone) {
        const front = await follow(followed.front, now);
        followed.front = front.createdAt < now - OVERLAP_MS ? front : cursorAt(now - OVERLAP_MS);
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
