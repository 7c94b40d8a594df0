/** How long after the last request the process is quiet. */
const QUIET_AFTER_MS = 10_000;
/** While it is quiet, shorter pauses end together at multiples of this: one wake-up for all jobs costs a fraction of one for each. */
export const QUIET_PAUSE_MS = 5_000;

export type QuietNeeds = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Knows whether requests come in, and how long jobs pause. */
export interface Quiet {
  /** A request came in. Pauses that were prolonged end. */
  noteRequest(): void;
  /** Pauses for `ms`, or longer while the process is quiet; resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Pauses for `ms` in any case. */
  promptSleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Most jobs look several times a second for what requests have left to do. Without requests they find nothing but what has become due, and
 * that can wait for five seconds. Other nodes and the command line cause no requests here: their work is found as late.
 */
export function createQuiet({ now, sleep }: QuietNeeds): Quiet {
  let requestAt = now();
  let waking = new AbortController();
  return {
    noteRequest() {
      const before = requestAt;
      requestAt = now();
      if (requestAt - before < QUIET_AFTER_MS) return;
      waking.abort();
      waking = new AbortController();
    },
    promptSleep: sleep,
    sleep(ms, signal) {
      const at = now();
      if (ms >= QUIET_PAUSE_MS || at - requestAt < QUIET_AFTER_MS) return sleep(ms, signal);
      return sleep(QUIET_PAUSE_MS - (at % QUIET_PAUSE_MS), AbortSignal.any([signal, waking.signal]));
    },
  };
}
