import type { Timers } from '../../payments/ports.ts';
import type { Log } from '../../telemetry/log.ts';

/** The exit code by which `npm start` knows that the gateway did not end on purpose (scripts/supervise.mjs). */
export const CRASH_CODE = 70;
/** Open requests may finish within this time. The state of the process is unknown, so it waits no longer. */
const ANSWERS_MS_MAX = 1_000;

export type CrashParts = {
  readonly log: Pick<Log, 'fatal'>;
  readonly timers: Timers;
  /** Stops taking requests; resolves when the open ones are answered. */
  readonly stopServing: () => Promise<unknown>;
  /** Flushes the log and ends the process. */
  readonly exit: (code: number) => void;
};

/** Only name, message and stack, without other properties of the error. The log masks card numbers in them. */
function bare(error: unknown): Error {
  const copy = new Error(error instanceof Error ? error.message : String(error));
  if (error instanceof Error) [copy.name, copy.stack] = [error.name, error.stack ?? ''];
  return copy;
}

/**
 * Ends the process after an uncaught error, such as one that a dependency throws from a timer: one line in the log, no new requests, a
 * short time for open ones, and an exit code that asks for a restart. A second error ends it immediately.
 */
export function createCrashHandler({ log, timers, stopServing, exit }: CrashParts): (error: unknown) => Promise<void> {
  let isCrashing = false;
  return async (error) => {
    if (isCrashing) return exit(CRASH_CODE);
    isCrashing = true;
    log.fatal({ err: bare(error) }, 'uncaught error: the process ends and must be restarted');
    await timers.within(ANSWERS_MS_MAX, stopServing()).catch(() => {});
    exit(CRASH_CODE);
  };
}
