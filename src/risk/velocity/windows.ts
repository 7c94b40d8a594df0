import type { RiskFacts } from '../facts.ts';
import type { AnswerSlots, Dimension, Key, Keys, Velocity, Window, WindowAnswer, WindowEvent, WindowQuery } from '../ports.ts';
import { type CounterRow, increment, recordSighting, serialOf } from './counterArena.ts';
import { hashOf, mixed } from './hashIndex.ts';
import { createKeyCache, type KeyCache } from './keyCache.ts';
import { createKeyHasher } from './keys.ts';
import { bucketAt, bucketsKept, columns, type Tier, tiers } from './tiers.ts';
import {
  answerOf,
  type CounterGroup,
  createWindowReader,
  DISTINCT_BUCKET_MS,
  groupName,
  layoutOf,
  lookupOf,
  type WindowLayout,
  type WindowReader,
} from './windowReader.ts';

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
