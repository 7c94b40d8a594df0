import type { Answered, Dimension, Key, Velocity, Window, WindowAnswer, WindowEvent, WindowQuery } from '../ports.ts';
import { type CounterCell, raise, see, serialOf } from './counterArena.ts';
import { hashOf, mixed } from './hashIndex.ts';
import { createKeyCache, type KeyCache } from './keyCache.ts';
import { createKeyHasher } from './keyHashes.ts';
import { columns, keptIn, numberAt, type Tier, tiers } from './tiers.ts';
import { type Feed, feedName, type Plan, planOf } from './windowPlan.ts';
import { answerOf, lookupOf, type Reader, readerOf, SEEN_MS } from './windowRead.ts';

/** The windows in the memory of this process, without promises: what the back-test runs on. */
export type Windows = {
  read(asked: readonly WindowQuery[]): readonly WindowAnswer[];
  note(event: WindowEvent): void;
  /** What is remembered of one request, looked up once to be read and noted. To be used before anything else is. */
  visit(of: Visited): Visit;
  /** How many keys are remembered. */
  size(): number;
};

type Visited = Omit<WindowEvent, 'is'>;

/**
 * The two rule sets of a back-test live in two worlds: of the same attempts each blocks others. Everybody else lives in the first.
 * Answers stand in the order of the windows asked for, which must be among those of the visit; each is looked up when it is wanted,
 * so that they must be taken before anything is noted, and before the same windows are read again.
 */
export type World = 0 | 1;
export type Visit = {
  read(windows: readonly Window[], world: World): Answered<WindowAnswer>;
  /** Raises these counters, all in one go. */
  note(columns: readonly number[]): void;
};

export type WindowLimits = {
  /** Keys of each dimension. A flood of made-up addresses pushes out addresses, not cards. */
  readonly keysMax: number;
  /** Different values that one key is remembered with; `distinct` answers no more than this. */
  readonly distinctMax: number;
  /** A whole number that strangers cannot guess; see hashIndex.ts. */
  readonly seed: number;
};

const usualLimits: WindowLimits = { keysMax: 50_000, distinctMax: 256, seed: 0x2f6b3a15 };

/** A plan, the shelf of each of its feeds, and a reader for each list of windows that was asked for under it. */
type Ready = { readonly plan: Plan; readonly shelves: readonly KeyCache[]; readonly readers: Map<readonly Window[], Reader> };

/**
 * Bounded in keys and in what is kept of each, so in memory. It is this process's own and empty after a start; stored payments can be
 * noted again, with the times they had.
 */
export function createWindows(limits: Partial<WindowLimits> = {}): Windows {
  const { keysMax, distinctMax, seed } = { ...usualLimits, ...limits };
  const shelves = new Map<string, KeyCache>();
  const plans = new WeakMap<readonly Window[], Ready>();
  const shelfOf = (per: Dimension, isSum: boolean): KeyCache => {
    const name = feedName(per, isSum);
    let shelf = shelves.get(name);
    if (!shelf) {
      shelf = createKeyCache({ keysMax, hasAmounts: isSum, seed });
      shelves.set(name, shelf);
    }
    return shelf;
  };
  const numbers: number[] = tiers.map(() => 0);
  const readyFor = (windows: readonly Window[]): Ready => {
    let ready = plans.get(windows);
    if (!ready) {
      const plan = planOf(windows);
      ready = { plan, shelves: plan.feeds.map(({ per, isSum }) => shelfOf(per, isSum)), readers: new Map() };
      plans.set(windows, ready);
    }
    return ready;
  };
  const visit = ({ keys, windows, currency, at, amount }: Visited): Visit => {
    const ready = readyFor(windows);
    const { feeds } = ready.plan;
    const places: (CounterCell | null)[] = [];
    for (let of = 0; of < feeds.length; of += 1) {
      const { keyIn, isSum } = feeds[of] as Feed;
      const key = keyFor(keyIn(keys), isSum, currency);
      places.push(key === null ? null : (ready.shelves[of] as KeyCache).touch(key));
    }
    return visitOf({ ready, places, at, amount }, { numbers, distinctMax });
  };
  return {
    visit,
    note: (event) => visit(event).note(single[event.is]),
    read: (asked) =>
      asked.map(({ window, key, currency, now }) => {
        const isSum = window.measure === 'sum';
        const own = keyFor(key, isSum, currency);
        return own === null
          ? null
          : (answerOf(shelfOf(window.per, isSum).find(own), lookupOf(window), { now, world: 0 }) ?? unseen(window));
      }),
    size: () => [...shelves.values()].reduce((sum, shelf) => sum + shelf.size(), 0),
  };
}

type Standing = {
  readonly ready: Ready;
  readonly places: readonly (CounterCell | null)[];
  readonly at: number;
  readonly amount: bigint;
};
type Shared = { readonly numbers: number[]; readonly distinctMax: number };

/** The visit of one request, whose places are known. What is shared is used by one visit after the other. */
function visitOf({ ready, places, at, amount }: Standing, { numbers, distinctMax }: Shared): Visit {
  const { plan, readers } = ready;
  const { feeds } = plan;
  return {
    read(asked, world) {
      let reader = readers.get(asked);
      if (!reader) {
        reader = readerOf(asked, plan);
        readers.set(asked, reader);
      }
      return reader.begin(places, { now: at, world });
    },
    note(raised) {
      for (let tier = 0; tier < tiers.length; tier += 1) numbers[tier] = numberAt(at, (tiers[tier] as Tier).widthMs);
      const isAttempt = raised[0] === columns.attempt;
      for (let of = 0; of < feeds.length; of += 1) {
        const place = places[of];
        if (!place) continue;
        const { tiers: lists, others } = feeds[of] as Feed;
        for (const list of lists) {
          raise(place, { list, number: numbers[list] as number, kept: keptIn[list] as number, columns: raised, amount });
        }
        if (!isAttempt) continue;
        for (const { list, feed } of others) {
          const other = places[feed];
          if (other)
            see(place, { list, serial: serialOf(other.arena, other.row), number: numberAt(at, SEEN_MS), max: distinctMax });
        }
      }
    },
  };
}

const single = { attempt: [0], approved: [1], declined: [2], blocked: [3] } as const;

/** Sums are of one currency. */
function keyFor(key: Key | null, isSum: boolean, currency: string): Key | null {
  if (key === null || !isSum) return key;
  return typeof key === 'number' ? mixed(key, hashOf(currency, 0)) : `${key} ${currency}`;
}

/** What is answered about a key that nothing is known of. */
const unseen = ({ measure }: Window): WindowAnswer => (measure === 'share' ? null : measure === 'sum' ? 0n : 0);

/** The same behind the interface that a shared memory of several nodes would have. */
export function createVelocity(limits: Partial<WindowLimits> = {}): Velocity {
  const windows = createWindows(limits);
  const attempts = { blocked: [columns.attempt, columns.blocked], other: [columns.attempt] };
  return {
    keysOf: createKeyHasher(limits.seed ?? usualLimits.seed),
    async attempt(event, judge) {
      const visit = windows.visit(event);
      const judged = judge(visit.read(event.windows, 0));
      visit.note(judged.verdict.is === 'decline' ? attempts.blocked : attempts.other);
      return judged;
    },
    read: async (asked) => windows.read(asked),
    note: async (event) => windows.note(event),
  };
}
