import type { Health } from '../http/services.ts';
import type { Timers } from '../payments/ports.ts';
import { troubleIn } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { JobRecord } from '../workers/records.ts';

export type HealthNeeds = {
  readonly store: Pick<Store, 'tryWrite'>;
  readonly jobs: () => readonly JobRecord[];
  readonly timers: Timers;
  /** A clock that nobody sets. */
  readonly now: () => number;
};

/** How long an answer is good: load balancers ask often, and there may be many of them. */
const FRESH_MS = 1_000;
const TRIAL_MS_MAX = 2_000;
/** A vital job that has not ended for so many of its periods is overdue, but never before the minute is over. */
const PERIODS_MAX = 10;
const OVERDUE_MS_MIN = 60_000;

/**
 * Whether this node can take payments: by a trial write, and by the vital jobs. A vital job that fails is not counted, only one that does
 * not end: an error may be about one merchant, and must not take every node away from all of them (decisions/0036).
 */
export function createHealth({ store, jobs, timers, now }: HealthNeeds): Health & { refused(): void } {
  // After a start nobody knows what fits: the first trial is as large as those after a refusal.
  let isThorough = true;
  let trial: Promise<string | null> | null = null;
  let checked: { readonly at: number; readonly problems: Promise<readonly string[]> } | null = null;
  let wasReady = false;
  const tryOnce = async (): Promise<string | null> => {
    const wasThorough = isThorough;
    isThorough = false;
    try {
      await store.tryWrite(wasThorough);
      return null;
    } catch (error) {
      isThorough = true;
      return troubleIn(error);
    }
  };
  /** One trial at a time: against a database that is silent they would pile up. */
  const writeProblem = (): Promise<string | null> => {
    trial ??= tryOnce().finally(() => {
      trial = null;
    });
    return timers.within(TRIAL_MS_MAX, trial).catch(() => `the database did not answer within ${TRIAL_MS_MAX / 1000} s`);
  };
  const look = async (): Promise<readonly string[]> => {
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
    /** A write of somebody else was refused: it is looked again at once, and what is tried then is as large as a payment. */
    refused() {
      isThorough = true;
      if (wasReady) checked = null;
      wasReady = false;
    },
    problems() {
      if (checked === null || now() - checked.at >= FRESH_MS) checked = { at: now(), problems: look() };
      return checked.problems;
    },
  };
}

/** The same store; `onRefused` is called when a commit could not be written. */
export const countingRefusals = (store: Store, onRefused: () => void): Store => ({
  ...store,
  commit: (change) =>
    store.commit(change).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'StoreOutOfOrder') onRefused();
      throw error;
    }),
});
