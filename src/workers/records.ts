import type { Job } from './loop.ts';

export type JobOutcome = 'succeeded' | 'failed' | 'abandoned';

/** Times are in milliseconds. */
export type JobRecord = {
  readonly name: string;
  readonly everyMs: number;
  readonly isVital: boolean;
  /** Since the last successful run, or since the start of the process. */
  readonly ageMs: number;
  /** Since the last run that ended by itself, successful or not. */
  readonly silentMs: number;
};

/** When each job ran last, and with which outcome. The loop writes it; metrics and readiness read it. */
export interface JobRecords {
  add(job: Job): void;
  /** Records the start of a run. Call the result with the outcome of the run. */
  begin(name: string): (outcome: JobOutcome) => void;
  /** Another node runs the job: it is not late here. */
  skip(name: string): void;
  list(): readonly JobRecord[];
}

export type RecordNeeds = {
  /** A monotonic clock. */
  readonly now: () => number;
  readonly onEnd: (name: string, outcome: JobOutcome, seconds: number) => void;
};

type Entry = { readonly job: Job; succeededAt: number; endedAt: number };

export function createJobRecords({ now, onEnd }: RecordNeeds): JobRecords {
  const entries = new Map<string, Entry>();
  return {
    add: (job) => void entries.set(job.name, { job, succeededAt: now(), endedAt: now() }),
    begin(name) {
      const startedAt = now();
      return (outcome) => {
        const [entry, endedAt] = [entries.get(name), now()];
        if (entry && outcome === 'succeeded') entry.succeededAt = endedAt;
        if (entry && outcome !== 'abandoned') entry.endedAt = endedAt;
        onEnd(name, outcome, (endedAt - startedAt) / 1000);
      };
    },
    skip(name) {
      const entry = entries.get(name);
      if (!entry) return;
      entry.succeededAt = now();
      entry.endedAt = entry.succeededAt;
    },
    list: () =>
      [...entries.values()].map(({ job: { name, everyMs, isVital = false }, succeededAt, endedAt }) => ({
        name,
        everyMs,
        isVital,
        ageMs: now() - succeededAt,
        silentMs: now() - endedAt,
      })),
  };
}
