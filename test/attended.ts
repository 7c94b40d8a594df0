import type { Timers } from '../src/payments/ports.ts';

const STEP_MS = 10;

/**
 * Waits for time that this process runs: in steps, each a turn of the event loop that handles everything that has arrived. On an idle
 * machine that is the given time. A process without a processor sees no time pass, so that nothing in it times out because of other work.
 * Returns how to cancel.
 */
export function afterAttended(ms: number, then: () => void): () => void {
  let left = Math.ceil(ms / STEP_MS);
  const step = (): void => {
    left -= 1;
    if (left <= 0) then();
    else timer = setTimeout(step, STEP_MS);
  };
  let timer = setTimeout(step, Math.min(ms, STEP_MS));
  return () => clearTimeout(timer);
}

/** Timers that time out as usual on an idle machine, and later on a busy one. */
export const attendedTimers: Timers = {
  within: (ms, promise) =>
    new Promise((resolve, reject) => {
      const cancel = afterAttended(ms, () => reject(new Error('late')));
      promise.then(resolve, reject).finally(cancel);
    }),
};

let [elapsedMs, seenAt]: [number, number | null] = [0, null];

/** Milliseconds since the first call as this process saw them pass: a turn of the event loop counts as two steps at most. */
export function attendedNow(): number {
  if (seenAt === null) {
    seenAt = performance.now();
    const step = (): void => {
      const now = performance.now();
      elapsedMs += Math.min(now - (seenAt ?? now), 2 * STEP_MS);
      seenAt = now;
    };
    setInterval(step, STEP_MS).unref();
  }
  return elapsedMs;
}

let steps: number | null = null;

/** Milliseconds since the first call as the timers of this module count them: a turn of the event loop is one step, however long it took. */
export function attendedStepsMs(): number {
  if (steps === null) {
    steps = 0;
    setInterval(() => {
      steps = (steps ?? 0) + 1;
    }, STEP_MS).unref();
  }
  return steps * STEP_MS;
}
