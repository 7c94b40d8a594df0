import type { Timers } from '../payments/ports.ts';
import type { JobRecords } from './records.ts';

/** One thing that is done again and again. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /**
   * A run that has not ended by then is abandoned, and the next one may start beside it; left out: `LIMIT_MS`. Two runs of one job do no
   * harm: other nodes run the same jobs at the same time, so the store fences everything they write (decisions/0036).
   */
  readonly limitMs?: number;
  /** This node alone profits from it, and it talks to the store alone: a node on which it hangs is not ready. */
  readonly isVital?: true;
  /** The signal says that the run was abandoned or that the process ends: work in rounds stops before its next round. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** What the loop needs of its surroundings. `sleep` resolves early when the signal says so, and never rejects. */
export type LoopNeeds = {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  readonly records: JobRecords;
  readonly log: { error(about: object, message: string): void };
};

export interface Loop {
  /** Wakes every job that waits and waits for every job that runs, at most so long. Answers the names of those that still run. */
  stop(graceMs: number): Promise<readonly string[]>;
}

/** After an error a job waits twice as long each time, up to this. */
export const BACK_OFF_MS_MAX = 60_000;
export const LIMIT_MS = 60_000;
/** Abandoned runs of one job that have not ended: with so many, no further run starts until one of them ends. */
export const ABANDONED_MAX = 10;

/** How long a job rests after so many failures in a row. */
export const restMs = ({ everyMs }: Pick<Job, 'everyMs'>, failures: number): number =>
  failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, BACK_OFF_MS_MAX));

/** Runs every job at its own pace. None holds up another, none dies of an error, and none waits for ever for a run that hangs. */
export function startLoop(jobs: readonly Job[], needs: LoopNeeds): Loop {
  const ending = new AbortController();
  const running = new Set<Run>();
  for (const job of jobs) needs.records.add(job);
  const repeating = jobs.map((job) => repeat(job, needs, { running, signal: ending.signal }));
  return {
    async stop(graceMs) {
      ending.abort();
      for (const { stop } of running) stop.abort();
      await needs.timers.within(graceMs, Promise.all(repeating)).catch(() => {});
      return [...running].map(({ name }) => name);
    },
  };
}

type Run = { readonly name: string; readonly stop: AbortController };
type Rounds = { readonly running: Set<Run>; readonly signal: AbortSignal };
type Ended = { readonly is: 'done' } | { readonly is: 'failed'; readonly error: unknown } | { readonly is: 'abandoned' };

async function repeat(job: Job, needs: LoopNeeds, { running, signal }: Rounds): Promise<void> {
  const { sleep, records, log } = needs;
  let abandoned = 0;
  for (let failures = 0; !signal.aborted; ) {
    await sleep(restMs(job, failures), signal);
    if (signal.aborted) return;
    if (abandoned >= ABANDONED_MAX) continue;
    const run: Run = { name: job.name, stop: new AbortController() };
    running.add(run);
    const end = records.begin(job.name);
    const { ended, isOver } = await watched(job, run, needs);
    end(ended.is);
    running.delete(run);
    failures = ended.is === 'done' ? 0 : failures + 1;
    if (ended.is === 'failed') log.error({ err: ended.error, job: job.name, failures }, 'a job failed and will be tried again');
    if (ended.is !== 'abandoned') continue;
    abandoned += 1;
    void isOver.then(() => {
      abandoned -= 1;
    });
    log.error({ job: job.name, limitMs: limitOf(job), abandoned }, 'a job did not end within its limit: the run was abandoned');
  }
}

const limitOf = ({ limitMs = LIMIT_MS }: Job): number => limitMs;

/** Waits for a run within its limit. `isOver` resolves when it has really ended. */
async function watched(job: Job, { stop }: Run, { timers }: LoopNeeds): Promise<{ ended: Ended; isOver: Promise<unknown> }> {
  const isOver = attempted(job, stop.signal);
  try {
    return { ended: await timers.within(limitOf(job), isOver), isOver };
  } catch {
    stop.abort();
    return { ended: { is: 'abandoned' }, isOver };
  }
}

async function attempted(job: Job, signal: AbortSignal): Promise<Ended> {
  try {
    await job.run(signal);
    return { is: 'done' };
  } catch (error) {
    return { is: 'failed', error };
  }
}
