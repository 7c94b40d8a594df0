import { type Clock, HOUR_MS } from '../../spec/time.ts';
import type { Payment } from '../payment.ts';

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

/** When a watched payment is read again, after it was first seen. After the last time it is dropped. */
const LOOKS_MS: readonly number[] = [5_000, 30_000, 300_000, 900_000, HOUR_MS];

type Entry = { hasAttempt: boolean; hasOutcome: boolean; since: number };
type Watched = { readonly entry: Entry; readonly merchantId: string; readonly since: number; looks: number };

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
    if (now - watch.since < (LOOKS_MS[watch.looks] as number)) continue;
    watch.looks += 1;
    found.push(id);
  }
  return found;
}

export function createCountedEvents(clock: Clock, { entriesMax, watchedMax }: CountedEventLimits = usualLimits): CountedEventLog {
  const entries = new Map<string, Entry>();
  const watched = new Map<string, Watched>();
  const dropOldest = createDropper(entries, entriesMax, (oldest) => entries.delete(oldest));
  const keep = (id: string, entry: Entry): void => {
    dropOldest();
    entries.set(id, entry);
  };
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? watched.get(id)?.entry;
    if (entry) return entry;
    const made = { hasAttempt: false, hasOutcome: false, since: clock.now() };
    keep(id, made);
    return made;
  };
  const isFirstTime = (id: string, flag: 'hasAttempt' | 'hasOutcome'): boolean => {
    const entry = entryOf(id);
    const isFirst = !entry[flag];
    entry[flag] = true;
    return isFirst;
  };
  const rest = (id: string): void => {
    const watch = watched.get(id);
    if (!watch) return;
    watched.delete(id);
    keep(id, { ...watch.entry, since: clock.now() });
  };
  const dropOldestWatch = createDropper(watched, watchedMax, rest);
  return {
    attempt: (id) => isFirstTime(id, 'hasAttempt'),
    outcome(id) {
      const isFirst = isFirstTime(id, 'hasOutcome');
      rest(id);
      return isFirst;
    },
    watch({ id, merchantId }) {
      const entry = entryOf(id);
      if (entry.hasOutcome || watched.has(id)) return;
      dropOldestWatch();
      entries.delete(id);
      watched.set(id, { entry, merchantId, since: clock.now(), looks: 0 });
    },
    due: (limit) =>
      takeDue(watched, clock.now(), limit).map((id) => {
        const { merchantId, looks } = watched.get(id) as Watched;
        if (looks === LOOKS_MS.length) rest(id);
        return { id, merchantId };
      }),
    unwatch: rest,
    forget(before) {
      for (const [id, { since }] of entries) {
        if (since >= before) return;
        entries.delete(id);
      }
    },
    drop: (id) => void entries.delete(id),
    size: () => entries.size + watched.size,
  };
}
