import type { Timers } from '../payments/ports.ts';
import { runCall } from '../telemetry/tracer.ts';
import type { Leases } from './leases.ts';
import type { JobRecords } from './records.ts';
import { isLeased } from './sharing.ts';

/** A recurring background job. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /**
   * A run that exceeds this limit is abandoned, and the next run may start beside it. The default is `LIMIT_MS`. Two concurrent runs of one job
   * are safe: other nodes run the same jobs at the same time, so the store fences every write of a job (decisions/0036).
   */
  readonly limitMs?: number;
  /** The job refreshes state of this node from the store. A node on which it hangs is not ready. */
  readonly isVital?: true;
  /** Its pauses are not prolonged while no requests come in, and hardly after a failure. */
  readonly isPrompt?: true;
  /** The signal aborts when the run is abandoned or the process ends: work in rounds stops before its next round. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** `sleep` resolves early when the signal aborts, and never rejects. */
export type LoopNeeds = {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The pause of prompt jobs; left out: as of all others. */
  readonly promptSleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  readonly records: JobRecords;
  /** Left out: this node runs every job. */
  readonly leases?: Pick<Leases, 'isHeld' | 'hasOthers' | 'refuse'>;
  readonly log: { error(about: object, message: string): void };
};

export interface Loop {
  /** Ends every pause and waits up to `graceMs` for the current runs. Returns the names of the jobs that are still running. */
  stop(graceMs: number): Promise<readonly string[]>;
}

/** The pause doubles after each consecutive failure, up to this limit. */
export const BACK_OFF_MS_MAX = 60_000;
/** A prompt job is back soon after the database is. */
const PROMPT_BACK_OFF_MS_MAX = 1_000;
export const LIMIT_MS = 60_000;
/** A shared job that fails so often in a row is left to another node. */
const FAILURES_MAX = 3;
/** Abandoned runs of one job that may still be running. At this limit no further run starts until one of them ends. */
export const ABANDONED_MAX = 10;

/** The pause of a job after so many consecutive failures. */
export const restMs = ({ everyMs, isPrompt }: Pick<Job, 'everyMs' | 'isPrompt'>, failures: number): number =>
  failures === 0
    ? everyMs
    : Math.max(everyMs, Math.min(everyMs * 2 ** failures, isPrompt ? PROMPT_BACK_OFF_MS_MAX : BACK_OFF_MS_MAX));

/** Runs every job at its own interval. A failing, slow or hanging job never delays another. */
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
type LoopState = { readonly running: Set<Run>; readonly signal: AbortSignal };
type RunResult = { readonly is: 'succeeded' } | { readonly is: 'failed'; readonly error: unknown } | { readonly is: 'abandoned' };

async function repeat(job: Job, needs: LoopNeeds, { running, signal }: LoopState): Promise<void> {
  const { records, log, leases } = needs;
  let abandoned = 0;
  for (let failures = 0; !signal.aborted; ) {
    await sleepFor(job, needs)(restMs(job, failures), signal);
    if (signal.aborted) return;
    if (abandoned >= ABANDONED_MAX) continue;
    if (leases && !leases.isHeld(job.name)) {
      records.skip(job.name);
      failures = 0;
      continue;
    }
    const run: Run = { name: job.name, stop: new AbortController() };
    running.add(run);
    const recordOutcome = records.begin(job.name);
    const { result, finished } = await runWithinLimit(job, run, needs);
    recordOutcome(result.is);
    running.delete(run);
    failures = result.is === 'succeeded' ? 0 : failures + 1;
    if (failures >= FAILURES_MAX) leases?.refuse(job.name);
    if (result.is === 'failed') log.error({ err: result.error, job: job.name, failures }, 'a job failed and will be retried');
    if (result.is !== 'abandoned') continue;
    abandoned += 1;
    void finished.then(() => {
      abandoned -= 1;
    });
    log.error({ job: job.name, limitMs: limitOf(job), abandoned }, 'a job exceeded its time limit and was abandoned');
  }
}

/** Requests at other nodes leave work to the holder of a lease, so its jobs keep their pace without requests of its own. */
function sleepFor({ name, isPrompt }: Job, { sleep, promptSleep = sleep, leases }: LoopNeeds): LoopNeeds['sleep'] {
  return isPrompt || (isLeased(name) && leases?.hasOthers() && leases.isHeld(name)) ? promptSleep : sleep;
}

const limitOf = ({ limitMs = LIMIT_MS }: Job): number => limitMs;

/** Waits for a run within its limit. `finished` resolves when the run has really ended. */
async function runWithinLimit(
  job: Job,
  { stop }: Run,
  { timers }: LoopNeeds,
): Promise<{ result: RunResult; finished: Promise<unknown> }> {
  const finished = runOnce(job, stop.signal);
  try {
    return { result: await timers.within(limitOf(job), finished), finished };
  } catch {
    stop.abort();
    return { result: { is: 'abandoned' }, finished };
  }
}

async function runOnce(job: Job, signal: AbortSignal): Promise<RunResult> {
  try {
    await runCall({ job: job.name }, () => job.run(signal));
    return { is: 'succeeded' };
  } catch (error) {
    return { is: 'failed', error };
  }
}
