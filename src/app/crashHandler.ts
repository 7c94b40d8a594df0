import type { Log } from '../http/server/log.ts';
import type { Timers } from '../payments/ports.ts';

/** The exit code by which `npm start` knows that the gateway did not end on purpose (scripts/supervise.mjs). */
export const CRASH_CODE = 70;
/** What is being answered may finish; nothing is waited for beyond this, since nobody knows what state the process is in. */
const ANSWERS_MS_MAX = 1_000;

export type CrashParts = {
  readonly log: Pick<Log, 'fatal'>;
  readonly timers: Timers;
  /** Takes no new requests; resolves when those under way are answered. */
  readonly stopServing: () => Promise<unknown>;
  /** Writes out the log, and ends the process. */
  readonly exit: (code: number) => void;
};

/** Only name, message and trace, nothing that a library hung on the error. The log takes card numbers out of these. */
function bare(error: unknown): Error {
  const copy = new Error(error instanceof Error ? error.message : String(error));
  if (error instanceof Error) [copy.name, copy.stack] = [error.name, error.stack ?? ''];
  return copy;
}

/**
 * Ends the process after an error that nobody caught, such as one that a dependency throws from a timer: one line in the log, no new
 * requests, a short time for the answers under way, and an exit code that asks for a new start. A second error ends it at once.
 */
export function createCrash({ log, timers, stopServing, exit }: CrashParts): (error: unknown) => Promise<void> {
  let isCrashing = false;
  return async (error) => {
    if (isCrashing) return exit(CRASH_CODE);
    isCrashing = true;
    log.fatal({ err: bare(error) }, 'this should not have happened; the process ends and has to be started again');
    await timers.within(ANSWERS_MS_MAX, stopServing()).catch(() => {});
    exit(CRASH_CODE);
  };
}
