import { type Life, now } from './life.ts';

const MINUTE_MS = 60_000;
/** A computer that slept is noticed by then. */
const TICK_MS = 15_000;

export type Expiring = {
  readonly life: Life;
  readonly leftMs: number;
  /** Read anew each time, as all options are. */
  readonly warningMinutes: () => number;
  /** At first when little time is left, and then every minute. */
  readonly onWarning: (minutes: number) => void;
  readonly onEnd: () => void;
};

/** Watches the end of a checkout; answers how to stop watching. */
export function watchExpiry({ life, leftMs, warningMinutes, onWarning, onEnd }: Expiring): () => void {
  const endAt = now() + leftMs;
  let said = Number.POSITIVE_INFINITY;
  let stop = (): void => {};
  function look(): void {
    const left = endAt - now();
    if (left <= 0) {
      onEnd();
      return;
    }
    const minutes = Math.ceil(left / MINUTE_MS);
    if (left <= warningMinutes() * MINUTE_MS && minutes < said) {
      said = minutes;
      onWarning(minutes);
    }
    stop = life.after(Math.min(TICK_MS, left), look);
  }
  stop = life.after(0, look);
  return () => stop();
}
