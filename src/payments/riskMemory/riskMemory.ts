import type { WindowEvent } from '../../risk/ports.ts';
import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import { isOpen, type Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory, PaymentStore, World } from '../ports.ts';
import { factsAbout, isJudged, outcomeOf } from '../screen.ts';
import type { CountedEventLog } from './countedEvents.ts';

/** Keeps the velocity counters of this process complete: they also count stored payments and payments of other nodes. */
export interface RiskMemory {
  /**
   * The caller runs it twice a second. A call continues where the last one ended. A new run takes over from one that still waits for the
   * store: the older one then rejects, so that two runs never move the same cursors.
   */
  run(): Promise<void>;
  /** Whether the replay of stored payments has ended. */
  isComplete(): boolean;
}

type RiskMemoryParts = {
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

/** How long before the start each interval begins. It ends where the previous one begins. */
const INTERVALS_MS: readonly number[] = [
  MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  ...Array.from({ length: 31 }, (_, day) => (day + 1) * DAY_MS),
];

const PAYMENTS_MAX = 200_000;
/** The velocity counters keep 50,000 keys of a kind; further keys evict the first ones. */
const KEYS_MAX = 40_000;

/** The cursor before all payments of an instant. */
const cursorAt = (createdAt: number): PaymentCursor => ({ createdAt, merchantId: '', id: '' });

type Replay = {
  begin(now: number): void;
  readPages(pages: number): Promise<void>;
  isOver(): boolean;
};

type ReplayParts = {
  readonly history: PaymentHistory;
  /** Payments on a page. */
  readonly limit: number;
  readonly recordAll: (payments: readonly Payment[], startedAt: number) => Promise<void>;
};

/**
 * Counts the stored payments of 31 days once after a start: the last minute first, then the rest of ten minutes, of the hour, of the day,
 * and day by day. The rules against card testing read windows of an hour and less, and a restart must not reset them for minutes. Within an
 * interval the oldest come first, as the store returns them. The replay ends when further keys would evict the newest, or at its limit.
 */
function createReplay({ history, limit, recordAll }: ReplayParts): Replay {
  let startedAt = 0;
  let interval = 0;
  let after: PaymentCursor | null = null;
  let count = 0;
  const [cards, emails] = [new Set<string>(), new Set<string>()];
  const isFull = (): boolean => count >= PAYMENTS_MAX || cards.size >= KEYS_MAX || emails.size >= KEYS_MAX;
  const end = (): void => {
    interval = INTERVALS_MS.length;
    cards.clear();
    emails.clear();
  };
  const countKeys = ({ merchantId, fingerprint, fields }: Payment): void => {
    count += 1;
    if (fingerprint !== null) cards.add(`${merchantId} ${fingerprint}`);
    const email = fields['customer.email'];
    if (email !== undefined) emails.add(`${merchantId} ${email}`);
  };
  const isOver = (): boolean => interval >= INTERVALS_MS.length;
  return {
    begin(now) {
      startedAt = now;
    },
    async readPages(pages) {
      for (let page = 0; page < pages && !isOver(); page += 1) {
        const from = cursorAt(startedAt - (INTERVALS_MS[interval] as number));
        const before = startedAt - (INTERVALS_MS[interval - 1] ?? 0);
        const found = await history.history({ after: after ?? from, before, merchantId: null, limit });
        for (const payment of found) countKeys(payment);
        await recordAll(found, startedAt);
        after = found.at(-1) ?? null;
        if (found.length < limit) {
          interval += 1;
          after = null;
        }
        if (isFull() || isOver()) end();
      }
    },
    isOver,
  };
}
