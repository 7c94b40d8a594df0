import { type Clock, HOUR_MS } from '../../spec/time.ts';
import type { Payment } from '../payment.ts';

/**
 * What the windows of this process have been told: an attempt and its outcome may be known to the core, which judged or recorded the
 * payment, and be read from the store as well. Each event is counted by the first caller only.
 */
export interface CountedEvents {
  attempt(paymentId: string): boolean;
  outcome(paymentId: string): boolean;
}

/** The same for the risk memory, which reads payments from the store. */
export interface CountedEventLog extends CountedEvents {
  /** Its outcome is still to come: it is looked at again, and remembered until then. */
  watch(payment: Pick<Payment, 'id' | 'merchantId'>): void;
  /** Watched payments whose time has come. Each call counts as a look; the last look ends the watch. */
  due(limit: number): readonly Pick<Payment, 'id' | 'merchantId'>[];
  /** Nothing more is to come. */
  unwatch(paymentId: string): void;
  /** Deletes entries from before the instant that are not watched: they are not met again. */
  forget(before: number): void;
  drop(paymentId: string): void;
  size(): number;
}

/** How long after it was met a payment is looked at; then it is given up. */
const LOOKS_MS: readonly number[] = [5_000, 30_000, 300_000, 900_000, HOUR_MS];

type Entry = { hasAttempt: boolean; hasOutcome: boolean; since: number };
type Watched = { readonly entry: Entry; readonly merchantId: string; readonly since: number; looks: number };

export type CountedEventLimits = { readonly entriesMax: number; readonly watchedMax: number };

/** Bounded: of more payments the oldest are forgotten, and then perhaps counted twice, or their outcome not at all. */
const usualLimits: CountedEventLimits = { entriesMax: 250_000, watchedMax: 50_000 };

/**
 * Makes room for one more. As long as the book is full it goes on where it was: whoever begins at the front of a Map passes every place
 * that was freed there before, which takes longer than all the risk checks of a payment. It keeps its place no longer than that, because
 * a Map holds on to what it was for whoever is still going through it.
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

/** Counts a look at each whose time has come. */
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
  const makeRoom = createDropper(entries, entriesMax, (oldest) => entries.delete(oldest));
  const keep = (id: string, entry: Entry): void => {
    makeRoom();
    entries.set(id, entry);
  };
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? watched.get(id)?.entry;
    if (entry) return entry;
    const made = { hasAttempt: false, hasOutcome: false, since: clock.now() };
    keep(id, made);
    return made;
  };
  const isFirstTime = (id: string, told: 'hasAttempt' | 'hasOutcome'): boolean => {
    const entry = entryOf(id);
    const isFirst = !entry[told];
    entry[told] = true;
    return isFirst;
  };
  const rest = (id: string): void => {
    const watch = watched.get(id);
    if (!watch) return;
    watched.delete(id);
    keep(id, { ...watch.entry, since: clock.now() });
  };
  const makeRoomToWatch = createDropper(watched, watchedMax, rest);
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
      makeRoomToWatch();
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
