import type { Job } from './loop.ts';

export type JobEnd = 'done' | 'failed' | 'abandoned';

/** What is known of one job. Times are in milliseconds. */
export type JobRecord = {
  readonly name: string;
  readonly everyMs: number;
  readonly isVital: boolean;
  /** Since its last run that ended well; since the start of the process when none has. */
  readonly ageMs: number;
  /** Since its last run that ended by itself, well or not. */
  readonly silentMs: number;
};

/** When each job ran last and how it ended. Told by the loop, read by metrics and readiness. */
export interface JobRecords {
  add(job: Job): void;
  /** Notes that a run begins; the answer notes how it ended. */
  begin(name: string): (end: JobEnd) => void;
  list(): readonly JobRecord[];
}

export type RecordNeeds = {
  /** A clock that nobody sets: only differences of it count. */
  readonly now: () => number;
  readonly onEnd: (name: string, end: JobEnd, seconds: number) => void;
};

type Entry = { readonly job: Job; doneAt: number; endedAt: number };

export function createJobRecords({ now, onEnd }: RecordNeeds): JobRecords {
  const entries = new Map<string, Entry>();
  return {
    add: (job) => void entries.set(job.name, { job, doneAt: now(), endedAt: now() }),
    begin(name) {
      const began = now();
      return (end) => {
        const [entry, at] = [entries.get(name), now()];
        if (entry && end === 'done') entry.doneAt = at;
        if (entry && end !== 'abandoned') entry.endedAt = at;
        onEnd(name, end, (at - began) / 1000);
      };
    },
    list: () =>
      [...entries.values()].map(({ job: { name, everyMs, isVital = false }, doneAt, endedAt }) => ({
        ...{ name, everyMs, isVital, ageMs: now() - doneAt, silentMs: now() - endedAt },
      })),
  };
}
