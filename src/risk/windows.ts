import { hashOf, mixed } from './hashIndex.ts';
import type { Dimension, Velocity, Window, WindowAnswer, WindowEvent, WindowQuestion } from './needs.ts';
import { createShelf, type Key, type Shelf } from './shelf.ts';
import { countOf, type Place, raise, see, seenIn, serialOf, sumOf } from './slab.ts';
import { columns, keptIn, numberAt, type Tier, tierOf, tiers, weights } from './tiers.ts';

/** The windows in the memory of this process, without promises: what the back-test runs on. */
export type Windows = {
  read(asked: readonly WindowQuestion[]): readonly WindowAnswer[];
  note(event: WindowEvent): void;
  /** What is remembered of one request, looked up once to be read and noted. To be used before anything else is. */
  visit(of: Visited): Visit;
  /** How many keys are remembered. */
  size(): number;
};

type Visited = Pick<WindowEvent, 'windows' | 'currency' | 'at' | 'amount'> & {
  readonly keys: Readonly<Record<Dimension, Key | null>>;
};

/**
 * The two rule sets of a back-test live in two worlds: of the same attempts each blocks others. Everybody else lives in the first.
 * Answers stand in the order of the windows asked for, which must be among those of the visit; each is looked up when it is wanted,
 * so that they must be taken before anything is noted, and before the same windows are read again.
 */
export type World = 0 | 1;
export type Visit = {
  read(windows: readonly Window[], world: World): { at(slot: number): WindowAnswer };
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

/** Which list of a key's row holds when others were seen with it; the tiers come first. */
const otherLists: Readonly<Partial<Record<Dimension, number>>> = {
  card: tiers.length,
  email: tiers.length + 1,
  ip: tiers.length + 2,
  mobile: tiers.length + 3,
};
const SEEN_MS = 1_000;

/** What has to be fed of one dimension so that the windows of a rule set can be answered. */
type Feed = {
  readonly per: Dimension;
  readonly isSum: boolean;
  readonly tiers: readonly number[];
  readonly others: readonly Other[];
};

/** A dimension that is told apart: the list of the row in which it is remembered, and the feed that has its serial number. */
type Other = { readonly list: number; readonly feed: number };

type Plan = {
  readonly feeds: readonly Feed[];
  /** The feed of each window, by its name. */
  readonly at: ReadonlyMap<string, number>;
};

/** A plan and the shelf of each of its feeds. */
type Ready = { readonly plan: Plan; readonly shelves: readonly Shelf[] };

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];
const feedName = (per: Dimension, isSum: boolean): string => (isSum ? `sum ${per}` : per);
const feedOf = ({ per, measure }: Window): string => feedName(per, measure === 'sum');

function planOf(windows: readonly Window[]): Plan {
  // Who is told apart needs a row too: its serial number is what is remembered.
  const names = unique([...windows.map(feedOf), ...windows.flatMap(({ what }) => what ?? [])]);
  const feeds = names.map((name): Feed => {
    const own = windows.filter((window) => feedOf(window) === name);
    const isSum = name.startsWith('sum ');
    return {
      per: (isSum ? name.slice(4) : name) as Dimension,
      isSum,
      tiers: unique(own.filter(({ what }) => what === null).map(({ ms }) => tierOf(ms))),
      others: unique(own.flatMap(({ what }) => what ?? [])).flatMap((what) => {
        const list = otherLists[what];
        return list === undefined ? [] : [{ list, feed: names.indexOf(what) }];
      }),
    };
  });
  return { feeds, at: new Map(names.map((name, at) => [name, at])) };
}

/**
 * Bounded in keys and in what is kept of each, so in memory. It is this process's own and empty after a start; stored payments can be
 * noted again, with the times they had.
 */
export function createWindows(limits: Partial<WindowLimits> = {}): Windows {
  const { keysMax, distinctMax, seed } = { ...usualLimits, ...limits };
  const shelves = new Map<string, Shelf>();
  const plans = new WeakMap<readonly Window[], Ready>();
  const shelfOf = (per: Dimension, isSum: boolean): Shelf => {
    const name = feedName(per, isSum);
    let shelf = shelves.get(name);
    if (!shelf) {
      shelf = createShelf({ keysMax, hasAmounts: isSum, seed });
      shelves.set(name, shelf);
    }
    return shelf;
  };
  const readers = new WeakMap<readonly Window[], Reader>();
  const numbers: number[] = tiers.map(() => 0);
  const readyFor = (windows: readonly Window[]): Ready => {
    let ready = plans.get(windows);
    if (!ready) {
      const plan = planOf(windows);
      ready = { plan, shelves: plan.feeds.map(({ per, isSum }) => shelfOf(per, isSum)) };
      plans.set(windows, ready);
    }
    return ready;
  };
  const visit = ({ keys, windows, currency, at, amount }: Visited): Visit => {
    const { plan, shelves: own } = readyFor(windows);
    const { feeds } = plan;
    const places: (Place | null)[] = [];
    for (let of = 0; of < feeds.length; of += 1) {
      const { per, isSum } = feeds[of] as Feed;
      const key = keyFor(keys[per], isSum, currency);
      places.push(key === null ? null : (own[of] as Shelf).touch(key));
    }
    return visitOf({ plan, places, at, amount }, { readers, numbers, distinctMax });
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
  readonly plan: Plan;
  readonly places: readonly (Place | null)[];
  readonly at: number;
  readonly amount: bigint;
};
type Shared = { readonly readers: WeakMap<readonly Window[], Reader>; readonly numbers: number[]; readonly distinctMax: number };

/** The visit of one request, whose places are known. What is shared is used by one visit after the other. */
function visitOf({ plan, places, at, amount }: Standing, { readers, numbers, distinctMax }: Shared): Visit {
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
            see(place, { list, serial: serialOf(other.slab, other.row), number: numberAt(at, SEEN_MS), max: distinctMax });
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

/** A window as it is looked up in a row. */
type Lookup = {
  readonly measure: Window['measure'];
  readonly ms: number;
  readonly list: number;
  readonly widthMs: number;
  readonly weights: (typeof weights)[Window['outcome']];
};

type Ask = { readonly feed: number; readonly lookup: Lookup };

function lookupOf({ measure, ms, outcome, what }: Window): Lookup {
  const list = what === null ? tierOf(ms) : (otherLists[what] ?? 0);
  const widthMs = what === null ? (tiers[list] as Tier).widthMs : SEEN_MS;
  return { measure, ms, list, widthMs, weights: weights[outcome] };
}

/**
 * Most rules are decided by their first words: what the others would have asked is never looked up. One reader serves all requests
 * that ask the same, one after the other.
 */
type Reader = { begin(places: readonly (Place | null)[], when: When): { at(slot: number): WindowAnswer } };

function readerOf(asked: readonly Window[], plan: Plan): Reader {
  const asks = asked.map((window): Ask => ({ feed: plan.at.get(feedOf(window)) ?? -1, lookup: lookupOf(window) }));
  const answers: WindowAnswer[] = asks.map(() => null);
  const answeredIn = new Float64Array(asks.length);
  let [turn, from, when]: [number, readonly (Place | null)[], When] = [0, [], { now: 0, world: 0 }];
  const reading = {
    at(slot: number): WindowAnswer {
      const ask = asks[slot];
      if (answeredIn[slot] !== turn && ask) {
        answers[slot] = answerOf(from[ask.feed] ?? null, ask.lookup, when);
        answeredIn[slot] = turn;
      }
      return answers[slot] ?? null;
    },
  };
  return {
    begin(places, at) {
      turn += 1;
      from = places;
      when = at;
      return reading;
    },
  };
}

type When = { readonly now: number; readonly world: World };

function answerOf(place: Place | null, lookup: Lookup, { now, world }: When): WindowAnswer {
  if (place === null) return null;
  const { measure, list, widthMs, ms } = lookup;
  const range = { list, first: numberAt(now - ms, widthMs), last: numberAt(now, widthMs) };
  if (measure === 'distinct') return seenIn(place, range);
  const weighing = { weights: lookup.weights, world };
  if (measure === 'sum') return sumOf(place, range, weighing);
  const count = countOf(place, range, weighing);
  if (measure === 'count') return count;
  const all = countOf(place, range, { weights: weights.any, world });
  return all === 0 ? null : Math.min(100, Math.floor((100 * count) / all));
}

/** The same behind the interface that a shared memory of several nodes would have. */
export function createVelocity(limits: Partial<WindowLimits> = {}): Velocity {
  const windows = createWindows(limits);
  return {
    read: async (asked) => windows.read(asked),
    note: async (event) => windows.note(event),
  };
}
