import { createHashIndex, type HashIndex, hashOf } from '../../risk/velocity/hashIndex.ts';
import { type Clock, HOUR_MS, SECOND_MS } from '../../spec/time.ts';
import type { Payment } from '../payment.ts';

/**
 * The events that the velocity counters of this process have counted. The node that takes a payment counts its attempt and its outcome, and
 * reads the same payment from the store as well: only the first caller counts.
 */
export interface CountedEvents {
  attempt(paymentId: string): boolean;
  outcome(paymentId: string): boolean;
}

/** The same for the risk memory, which reads payments from the store. */
export interface CountedEventLog extends CountedEvents {
  /** The payment is open: it is read again later, and its entry is kept until then. */
  watch(payment: Pick<Payment, 'id' | 'merchantId'>): void;
  /** Watched payments that are due. Each call counts as a look; the last look ends the watch. */
  due(limit: number): readonly Pick<Payment, 'id' | 'merchantId'>[];
  /** The payment has no outcome to count. */
  unwatch(paymentId: string): void;
  /** Deletes entries from before the instant that are not watched: their payments are not read again. */
  forget(before: number): void;
  drop(paymentId: string): void;
  size(): number;
}

const LOOKS_SECONDS: readonly number[] = [1, 2, 3, 4, 5, 7, 9, 12, 15, 20, 25, 30, 40, 50, 60, 300, 900];

/**
 * When a watched payment is read again, after it was first seen. After the last time it is dropped. In the first minute often: a shopper
 * whose payment has failed at another node tries again here, and an attempt that is still taken for open would make that a duplicate.
 */
const LOOKS_MS: readonly number[] = [...LOOKS_SECONDS.map((seconds) => seconds * SECOND_MS), HOUR_MS];

const ATTEMPT = 1;
const OUTCOME = 2;
type Watched = { flags: number; readonly merchantId: string; readonly since: number; looks: number };

type CountedEventLimits = { readonly entriesMax: number; readonly watchedMax: number };

/** Beyond these limits the oldest entries are dropped: their payments may be counted twice, or their outcome not at all. */
const usualLimits: CountedEventLimits = { entriesMax: 250_000, watchedMax: 50_000 };

/**
 * Drops the oldest entry of a full Map. While the Map is full the iterator is kept: a new iterator passes every slot that was freed at the
 * front, which takes longer than all risk checks of a payment. Otherwise the iterator is released: it keeps old tables of the Map alive.
 */
function createDropper(entries: ReadonlyMap<string, unknown>, max: number, drop: (id: string) => void): () => void {
  let ids: Iterator<string> | null = null;
  return () => {
    if (entries.size < max) {
      ids = null;
      return;
    }
    ids ??= entries.keys();
    const oldest = ids.next();
    if (!oldest.done) drop(oldest.value);
  };
}

/** The ids of the watched payments that are due, with this look counted. */
function takeDue(watched: ReadonlyMap<string, Watched>, now: number, limit: number): readonly string[] {
  const found: string[] = [];
  for (const [id, watch] of watched) {
    if (found.length >= limit) break;
    const ageMs = now - watch.since;
    if (ageMs < (LOOKS_MS[watch.looks] as number)) continue;
    // A look that comes late is one for all that it missed.
    while ((LOOKS_MS[watch.looks] ?? Number.POSITIVE_INFINITY) <= ageMs) watch.looks += 1;
    found.push(id);
  }
  return found;
}

export function createCountedEvents(clock: Clock, { entriesMax, watchedMax }: CountedEventLimits = usualLimits): CountedEventLog {
  const entries = createRecentFlags(entriesMax);
  const watched = new Map<string, Watched>();
  const watchedAs = (id: string): Watched | undefined => (watched.size === 0 ? undefined : watched.get(id));
  const isFirstTime = (id: string, flag: number): boolean => {
    const watch = watchedAs(id);
    const flags = watch?.flags ?? entries.get(id);
    if ((flags & flag) !== 0) return false;
    if (watch) watch.flags |= flag;
    else entries.set(id, flags | flag, clock.now());
    return true;
  };
  const rest = (id: string): void => {
    const watch = watchedAs(id);
    if (!watch) return;
    watched.delete(id);
    entries.set(id, watch.flags, clock.now());
  };
  const dropOldestWatch = createDropper(watched, watchedMax, rest);
  return {
    attempt: (id) => isFirstTime(id, ATTEMPT),
    outcome(id) {
      const isFirst = isFirstTime(id, OUTCOME);
      rest(id);
      return isFirst;
    },
    watch({ id, merchantId }) {
      const flags = entries.get(id);
      if ((flags & OUTCOME) !== 0 || watched.has(id)) return;
      dropOldestWatch();
      entries.set(id, 0, clock.now());
      watched.set(id, { flags, merchantId, since: clock.now(), looks: 0 });
    },
    due: (limit) =>
      takeDue(watched, clock.now(), limit).map((id) => {
        const { merchantId, looks } = watched.get(id) as Watched;
        if (looks === LOOKS_MS.length) rest(id);
        return { id, merchantId };
      }),
    unwatch: rest,
    forget: entries.forget,
    drop: (id) => entries.set(id, 0, clock.now()),
    size: () => entries.size() + watched.size,
  };
}

/**
 * Some flags for each of the ids that were seen last, in typed arrays: a quarter of a million texts and objects would be tens of megabytes
 * that the garbage collector walks. There are two generations, as in counterArena.ts. New ids are in the young
 * one; when it holds half of the bound it becomes the old one, and the former old one is dropped as a whole. An id without flags is one
 * that was not seen.
 */
type RecentFlags = {
  /** 0 for an id that was not seen, or not lately. */
  get(id: string): number;
  set(id: string, flags: number, now: number): void;
  /** Drops the generations that had no new id since the instant. */
  forget(before: number): void;
  /** How many ids are kept, with those whose flags are 0. */
  size(): number;
};

type Generation = { readonly rowOf: HashIndex; flags: Uint8Array; newest: number };

const emptyGeneration = (): Generation => ({
  rowOf: createHashIndex(),
  flags: new Uint8Array(64),
  newest: Number.NEGATIVE_INFINITY,
});

/** The gateway makes the ids itself: no sender can choose some that collide. */
const SEED = 0x1b873593;

export function createRecentFlags(idsMax: number): RecentFlags {
  const half = Math.max(1, Math.floor(idsMax / 2));
  let young = emptyGeneration();
  let old = emptyGeneration();
  const add = (hash: number, flags: number, now: number): void => {
    if (young.rowOf.size() >= half) {
      old = young;
      young = emptyGeneration();
    }
    const row = young.rowOf.size();
    if (row === young.flags.length) {
      const larger = new Uint8Array(2 * row);
      larger.set(young.flags);
      young.flags = larger;
    }
    young.rowOf.put(hash, row);
    young.flags[row] = flags;
    young.newest = Math.max(young.newest, now);
  };
  return {
    get(id) {
      const hash = hashOf(id, SEED);
      const row = young.rowOf.find(hash);
      if (row !== -1) return young.flags[row] as number;
      const before = old.rowOf.find(hash);
      return before === -1 ? 0 : (old.flags[before] as number);
    },
    set(id, flags, now) {
      const hash = hashOf(id, SEED);
      const row = young.rowOf.find(hash);
      if (row !== -1) {
        young.flags[row] = flags;
        return;
      }
      const before = old.rowOf.find(hash);
      const known = before === -1 ? 0 : (old.flags[before] as number);
      if (known !== 0) old.flags[before] = flags;
      // One without flags is as good as new: where it stood before it might be dropped with the next one.
      else if (flags !== 0) add(hash, flags, now);
    },
    forget(before) {
      if (old.rowOf.size() > 0 && old.newest < before) old = emptyGeneration();
      if (young.rowOf.size() > 0 && young.newest < before) young = emptyGeneration();
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
