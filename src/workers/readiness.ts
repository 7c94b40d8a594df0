import type { Timers } from '../payments/ports.ts';
import type { JobRecord } from './loop.ts';

/** The readiness of this node. */
export interface Readiness {
  readonly jobs: () => readonly JobRecord[];
  /** The problems that keep this node from taking payments, as sentences. The result is at most a second old. */
  problems(): Promise<readonly string[]>;
  /** Reports that a commit was refused. The next check runs immediately, with a trial write as large as a payment. */
  writeRefused(): void;
}

export type ReadinessNeeds = {
  /** Writes and removes a trial row; a thorough trial is as large as a payment. */
  readonly tryWrite: (isThorough: boolean) => Promise<void>;
  /** Describes an error of the store in a sentence. */
  readonly describeProblem: (error: unknown) => string;
  readonly jobs: () => readonly JobRecord[];
  readonly timers: Timers;
  /** A monotonic clock. */
  readonly now: () => number;
};

/** A result is reused for so long: many load balancers may ask often. */
const FRESH_MS = 1_000;
const TRIAL_MS_MAX = 2_000;
/** A vital job is overdue when it has not ended for so many of its periods, and for at least a minute. */
const PERIODS_MAX = 10;
const OVERDUE_MS_MIN = 60_000;

/**
 * Checks whether this node can take payments, by a trial write and by the vital jobs. Only a vital job that does not end counts, not one
 * that fails: an error may concern one merchant, and must not make every node unready for all of them (decisions/0036).
 */
export function createReadiness({ tryWrite, describeProblem, jobs, timers, now }: ReadinessNeeds): Readiness {
  // After a start the free space is unknown: the first trial is as large as those after a refusal.
  let isThorough = true;
  let trial: Promise<string | null> | null = null;
  let checked: { readonly at: number; readonly problems: Promise<readonly string[]> } | null = null;
  let wasReady = false;
  const tryOnce = async (): Promise<string | null> => {
    const wasThorough = isThorough;
    isThorough = false;
    try {
      await tryWrite(wasThorough);
      return null;
    } catch (error) {
      isThorough = true;
      return describeProblem(error);
    }
  };
  /** One trial at a time: against a silent database they would pile up. */
  const writeProblem = (): Promise<string | null> => {
    trial ??= tryOnce().finally(() => {
      trial = null;
    });
    return timers.within(TRIAL_MS_MAX, trial).catch(() => `the database did not answer within ${TRIAL_MS_MAX / 1000} s`);
  };
  const check = async (): Promise<readonly string[]> => {
    const problem = await writeProblem();
    const overdue = jobs()
      .filter(({ isVital, silentMs, everyMs }) => isVital && silentMs > Math.max(OVERDUE_MS_MIN, PERIODS_MAX * everyMs))
      .map(({ name, silentMs }) => `the job "${name}" has not ended for ${Math.round(silentMs / 1000)} s`);
    const problems = [...(problem === null ? [] : [problem]), ...overdue];
    wasReady = problems.length === 0;
    return problems;
  };
  return {
    jobs,
    writeRefused() {
      isThorough = true;
      if (wasReady) checked = null;
      wasReady = false;
    },
    problems() {
      if (checked === null || now() - checked.at >= FRESH_MS) checked = { at: now(), problems: check() };
      return checked.problems;
    },
  };
}
