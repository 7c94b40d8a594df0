import type { Timers } from '../src/payments/ports.ts';

const STEP_MS = 10;

/**
 * Waits as long as this process sees time pass: in steps, each a turn of the event loop in which everything that has arrived is heard. On an
 * idle machine that is the given time; a process that gets no processor sees none pass, so that nobody in it is given up for another's work.
 * Answers how to leave off.
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

/** Timers that give up at the same moment on an idle machine, and later on a busy one. */
export const attendedTimers: Timers = {
  within: (ms, promise) =>
    new Promise((resolve, reject) => {
      const leaveOff = afterAttended(ms, () => reject(new Error('late')));
      promise.then(resolve, reject).finally(leaveOff);
    }),
};

let [elapsedMs, seenAt]: [number, number | null] = [0, null];

/** Milliseconds as this process saw them pass since it first asked: a turn of the event loop counts as two steps at most. */
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
