import type { RiskFacts } from '../facts.ts';
import type {
  AnswerSlots,
  Dimension,
  Key,
  Keys,
  Outcome,
  Velocity,
  Window,
  WindowAnswer,
  WindowEvent,
  WindowQuery,
} from '../ports.ts';
import {
  type CounterRow,
  type CounterWeights,
  countOf,
  createKeyCache,
  distinctIn,
  increment,
  type KeyCache,
  recordSighting,
  serialOf,
  sumOf,
} from './counterArena.ts';
import { hashOf, mixed } from './hashIndex.ts';
import { createKeyHasher } from './keys.ts';
import { bucketAt, bucketsKept, columns, type Tier, tierOf, tiers, weights } from './tiers.ts';

/** Velocity counters in the memory of this process, without promises; the back-test uses them directly. */
export type Windows = {
  query(queries: readonly WindowQuery[]): readonly WindowAnswer[];
  record(event: WindowEvent): void;
  /** Looks up the counters of one request, to read and to increment them. Use the handle before any other call. */
  open(event: AttemptEvent): WindowHandle;
  /** How many keys have counters. */
  size(): number;
};

type AttemptEvent = Omit<WindowEvent, 'is'>;

/**
 * A back-test runs two rule sets on the same attempts, and each blocks others: outcomes are counted per variant. All other callers use
 * variant 0.
 */
export type Variant = 0 | 1;

export type WindowHandle = {
  /**
   * Answers in the order of `windows`, which must be windows of the event. An answer is computed when its slot is read: read all
   * slots before a counter is incremented and before the same windows are read again.
   */
  read(windows: readonly Window[], variant: Variant): AnswerSlots<WindowAnswer>;
  /** Increments these counters in one step. */
  increment(columns: readonly number[]): void;
};

export type WindowLimits = {
  /** Keys of each dimension. A flood of made-up addresses evicts addresses, not cards. */
  readonly keysMax: number;
  /** Distinct values that are stored for one key; `distinct` never answers more. */
  readonly distinctMax: number;
  /** A secret whole number; see hashIndex.ts. */
  readonly seed: number;
};

const defaultLimits: WindowLimits = { keysMax: 50_000, distinctMax: 256, seed: 0x2f6b3a15 };

/** A layout, the cache of each of its groups, and the one handle that serves all requests with these windows, one after the other. */
type PreparedWindows = {
  readonly layout: WindowLayout;
  readonly caches: readonly KeyCache[];
  /** The row of each group for the request that is open; null where it has no key. */
  readonly rows: (CounterRow | null)[];
  readonly handle: PreparedHandle;
};

type PreparedHandle = WindowHandle & { begin(at: number, amount: bigint): void };

/**
 * Memory is bounded by the number of keys and by the size of each. The counters belong to this process and are empty after a
 * start; stored payments can be recorded again with their original times.
 */
export function createWindows(limits: Partial<WindowLimits> = {}): Windows {
  const { keysMax, distinctMax, seed } = { ...defaultLimits, ...limits };
  const caches = new Map<string, KeyCache>();
  const preparedByWindows = new WeakMap<readonly Window[], PreparedWindows>();
  const cacheFor = (per: Dimension, isSum: boolean): KeyCache => {
    const name = groupName(per, isSum);
    let cache = caches.get(name);
    if (!cache) {
      cache = createKeyCache({ keysMax, hasAmounts: isSum, seed });
      caches.set(name, cache);
    }
    return cache;
  };
  const buckets: number[] = tiers.map(() => 0);
  const prepare = (windows: readonly Window[]): PreparedWindows => {
    let prepared = preparedByWindows.get(windows);
    if (!prepared) {
      const layout = layoutOf(windows);
      const rows = layout.groups.map(() => null);
      const handle = createHandle({ layout, rows }, { buckets, distinctMax });
      prepared = { layout, caches: layout.groups.map(({ per, isSum }) => cacheFor(per, isSum)), rows, handle };
      preparedByWindows.set(windows, prepared);
    }
    return prepared;
  };
  const open = ({ keys, windows, currency, at, amount }: AttemptEvent): WindowHandle => {
    const { layout, caches, rows, handle } = prepare(windows);
    for (let of = 0; of < rows.length; of += 1) {
      const { keyIn, isSum } = layout.groups[of] as CounterGroup;
      const key = keyFor(keyIn(keys), isSum, currency);
      rows[of] = key === null ? null : (caches[of] as KeyCache).touch(key);
    }
    handle.begin(at, amount);
    return handle;
  };
  return {
    open,
    record: (event) => open(event).increment(single[event.is]),
    query: (queries) =>
      queries.map(({ window, key, currency, now }) => {
        const isSum = window.measure === 'sum';
        const own = keyFor(key, isSum, currency);
        return own === null
          ? null
          : (answerOf(cacheFor(window.per, isSum).find(own), lookupOf(window), { now, variant: 0 }) ?? emptyAnswer(window));
      }),
    size: () => [...caches.values()].reduce((sum, cache) => sum + cache.size(), 0),
  };
}

type HandleParts = Pick<PreparedWindows, 'layout' | 'rows'>;
type HandleLimits = { readonly buckets: number[]; readonly distinctMax: number };

/** `buckets` is a scratch array that all handles share. */
function createHandle({ layout, rows }: HandleParts, { buckets, distinctMax }: HandleLimits): PreparedHandle {
  const { groups } = layout;
  const readers = new Map<readonly Window[], WindowReader>();
  let [at, amount]: [number, bigint] = [0, 0n];
  return {
    begin(begunAt, paid) {
      at = begunAt;
      amount = paid;
    },
    read(windows, variant) {
      let reader = readers.get(windows);
      if (!reader) {
        reader = createWindowReader(windows, layout, rows);
        readers.set(windows, reader);
      }
      return reader.begin(at, variant);
    },
    increment(columnsToRaise) {
      for (let tier = 0; tier < tiers.length; tier += 1) buckets[tier] = bucketAt(at, (tiers[tier] as Tier).widthMs);
      const isAttempt = columnsToRaise[0] === columns.attempt;
      for (let of = 0; of < groups.length; of += 1) {
        const row = rows[of];
        if (!row) continue;
        const { tiers: lists, distinct } = groups[of] as CounterGroup;
        for (const list of lists) {
          const bucket = buckets[list] as number;
          increment(row, { list, bucket, kept: bucketsKept[list] as number, columns: columnsToRaise, amount });
        }
        if (!isAttempt) continue;
        for (const { list, group } of distinct) {
          const other = rows[group];
          if (other)
            recordSighting(row, {
              list,
              serial: serialOf(other.arena, other.row),
              bucket: bucketAt(at, DISTINCT_BUCKET_MS),
              max: distinctMax,
            });
        }
      }
    },
  };
}

const single = { attempt: [0], approved: [1], declined: [2], blocked: [3], unbooked: [4] } as const;

/** Sums are of one currency. */
function keyFor(key: Key | null, isSum: boolean, currency: string): Key | null {
  if (key === null || !isSum) return key;
  return typeof key === 'number' ? mixed(key, hashOf(currency, 0)) : `${key} ${currency}`;
}

/** The answer for a key without counters. */
const emptyAnswer = ({ measure }: Window): WindowAnswer => (measure === 'share' ? null : measure === 'sum' ? 0n : 0);

/** The same counters behind the port, which counters shared by several nodes could implement too. */
export function createVelocity(limits: Partial<WindowLimits> = {}): Velocity {
  const windows = createWindows(limits);
  const hashedKeysOf = createKeyHasher(limits.seed ?? defaultLimits.seed);
  // The outcome of a payment is recorded with the facts of its evaluation.
  const known = new WeakMap<RiskFacts, Keys>();
  const attempts = { blocked: [columns.attempt, columns.blocked], other: [columns.attempt] };
  return {
    keysOf(facts) {
      let keys = known.get(facts);
      if (!keys) {
        keys = hashedKeysOf(facts);
        known.set(facts, keys);
      }
      return keys;
    },
    attempt(event, evaluate) {
      const handle = windows.open(event);
      const evaluated = evaluate(handle.read(event.windows, 0));
      handle.increment(evaluated.verdict.is === 'decline' ? attempts.blocked : attempts.other);
      return evaluated;
    },
    query: async (queries) => windows.query(queries),
    record: (event) => windows.record(event),
  };
}

/** Distinct values are stored with the second in which they were last seen. */
const DISTINCT_BUCKET_MS = 1_000;

/** How a window is read from a row. */
type Lookup = {
  readonly measure: Window['measure'];
  readonly ms: number;
  readonly list: number;
  readonly widthMs: number;
  /** By variant: the weights of the outcome, and the weights of all attempts. */
  readonly own: readonly [CounterWeights, CounterWeights];
  readonly all: readonly [CounterWeights, CounterWeights];
};

const weightsFor = (outcome: Outcome): readonly [CounterWeights, CounterWeights] => [
  { weights: weights[outcome], variant: 0 },
  { weights: weights[outcome], variant: 1 },
];

type SlotLookup = { readonly group: number; readonly lookup: Lookup };

function lookupOf({ measure, ms, outcome, what }: Window): Lookup {
  const list = what === null ? tierOf(ms) : (distinctLists[what] ?? 0);
  const widthMs = what === null ? (tiers[list] as Tier).widthMs : DISTINCT_BUCKET_MS;
  return { measure, ms, list, widthMs, own: weightsFor(outcome), all: weightsFor('any') };
}

/**
 * Reads windows lazily: most conditions are decided by their first operands, so most windows are never computed. One reader serves all
 * requests with the same list of windows, one after the other, each from the rows that stand in `rows` by then.
 */
type WindowReader = { begin(now: number, variant: ReadTime['variant']): AnswerSlots<WindowAnswer> };

function createWindowReader(
  windows: readonly Window[],
  layout: WindowLayout,
  rows: readonly (CounterRow | null)[],
): WindowReader {
  const asks = windows.map(
    (window): SlotLookup => ({ group: layout.at.get(groupNameOf(window)) ?? -1, lookup: lookupOf(window) }),
  );
  const answers: WindowAnswer[] = asks.map(() => null);
  const answeredIn = new Float64Array(asks.length);
  const when: { now: number; variant: ReadTime['variant'] } = { now: 0, variant: 0 };
  let turn = 0;
  const reading = {
    at(slot: number): WindowAnswer {
      const ask = asks[slot];
      if (answeredIn[slot] !== turn && ask) {
        answers[slot] = answerOf(rows[ask.group] ?? null, ask.lookup, when);
        answeredIn[slot] = turn;
      }
      return answers[slot] ?? null;
    },
  };
  return {
    begin(now, variant) {
      turn += 1;
      when.now = now;
      when.variant = variant;
      return reading;
    },
  };
}

type ReadTime = { readonly now: number; readonly variant: 0 | 1 };

function answerOf(row: CounterRow | null, lookup: Lookup, { now, variant }: ReadTime): WindowAnswer {
  if (row === null) return null;
  const { measure, list, widthMs, ms } = lookup;
  const range = { list, first: bucketAt(now - ms, widthMs), last: bucketAt(now, widthMs) };
  if (measure === 'distinct') return distinctIn(row, range);
  if (measure === 'sum') return sumOf(row, range, lookup.own[variant]);
  const count = countOf(row, range, lookup.own[variant]);
  if (measure === 'count') return count;
  const all = countOf(row, range, lookup.all[variant]);
  return all === 0 ? null : Math.min(100, Math.floor((100 * count) / all));
}

/** Which list of a row stores the distinct values of a dimension; the tiers come first. */
const distinctLists: Readonly<Partial<Record<Dimension, number>>> = {
  card: tiers.length,
  email: tiers.length + 1,
  ip: tiers.length + 2,
  mobile: tiers.length + 3,
};

/** The counters of one dimension that the windows of a rule set need. */
type CounterGroup = {
  readonly per: Dimension;
  readonly keyIn: (keys: Keys) => Key | null;
  readonly isSum: boolean;
  readonly tiers: readonly number[];
  readonly distinct: readonly DistinctList[];
};

/** A dimension whose distinct values are counted: the list of the row that stores them, and the group that has their serial numbers. */
type DistinctList = { readonly list: number; readonly group: number };

type WindowLayout = {
  readonly groups: readonly CounterGroup[];
  /** The position of each group, by its name. */
  readonly at: ReadonlyMap<string, number>;
};

/** One function per dimension: a property name that varies at one call site is slow to look up. */
const keyReaders: Readonly<Record<Dimension, CounterGroup['keyIn']>> = {
  card: ({ card }) => card,
  email: ({ email }) => email,
  ip: ({ ip }) => ip,
  bin: ({ bin }) => bin,
  customer: ({ customer }) => customer,
  checkout: ({ checkout }) => checkout,
  entity: ({ entity }) => entity,
  mobile: ({ mobile }) => mobile,
  'card+ip': (keys) => keys['card+ip'],
  order: ({ order }) => order,
  transaction: ({ transaction }) => transaction,
};

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];

/** Sums are kept apart from counts: only they need amounts. */
const groupName = (per: Dimension, isSum: boolean): string => (isSum ? `sum ${per}` : per);
/** The name of the group that answers a window. */
const groupNameOf = ({ per, measure }: Window): string => groupName(per, measure === 'sum');

/** The counter groups that a list of windows needs. */
function layoutOf(windows: readonly Window[]): WindowLayout {
  // A dimension whose distinct values are counted needs rows too: a distinct value is stored as the serial number of its row.
  const names = unique([...windows.map(groupNameOf), ...windows.flatMap(({ what }) => what ?? [])]);
  const groups = names.map((name): CounterGroup => {
    const own = windows.filter((window) => groupNameOf(window) === name);
    const isSum = name.startsWith('sum ');
    const per = (isSum ? name.slice(4) : name) as Dimension;
    return {
      per,
      keyIn: keyReaders[per],
      isSum,
      tiers: unique(own.filter(({ what }) => what === null).map(({ ms }) => tierOf(ms))),
      distinct: unique(own.flatMap(({ what }) => what ?? [])).flatMap((what) => {
        const list = distinctLists[what];
        return list === undefined ? [] : [{ list, group: names.indexOf(what) }];
      }),
    };
  });
  return { groups, at: new Map(names.map((name, at) => [name, at])) };
}
