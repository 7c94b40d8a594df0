import type { Clock } from '../spec/time.ts';

/** Work that is done once for all deliveries of an event: an event goes to many webhooks, mostly within a moment. */
export interface SingleFlight<T> {
  /** The result that `work` made for this key a moment ago, or makes now. */
  get(key: string, work: () => Promise<T>): Promise<T>;
}

/** A delivery that is later than this does its work anew. */
const LASTS_MS = 1_000;
const KEPT_MAX = 256;

/** `isKept`: whether a result is small enough to be kept; one that is not is shared only while it is being made. */
export function createSingleFlight<T>(clock: Clock, isKept: (made: T) => boolean): SingleFlight<T> {
  const kept = new Map<string, { readonly until: number; readonly made: Promise<T> }>();
  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const made = work();
    const one = { until: clock.now() + LASTS_MS, made };
    // To the end, and the oldest goes first.
    kept.delete(key);
    kept.set(key, one);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? key);
    const forget = (): void => {
      if (kept.get(key) === one) kept.delete(key);
    };
    made.then((value) => !isKept(value) && forget(), forget);
    return made;
  };
  return {
    get(key, work) {
      const one = kept.get(key);
      // A clock that was set back must not keep anything for longer.
      const lasts = (one?.until ?? 0) - clock.now();
      return one && lasts > 0 && lasts <= LASTS_MS ? one.made : start(key, work);
    },
  };
}
