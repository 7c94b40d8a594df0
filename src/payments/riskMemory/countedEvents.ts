import { type Clock, HOUR_MS, SECOND_MS } from '../../spec/time.ts';
import type { Payment } from '../payment.ts';
import { createRecentFlags } from './recentFlags.ts';

/**
 * What the velocity counters of this process have counted. The node that takes a payment counts its attempt and its outcome, and reads the
 * same payment from the store as well: only the first caller counts.
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

export type CountedEventLimits = { readonly entriesMax: number; readonly watchedMax: number };

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
