import type { Timers } from '../payments/ports.ts';
import { runCall } from '../telemetry/tracer.ts';
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

/** Which of the shared jobs this node runs. */
export interface JobLeases {
  /** True for every job that is not shared by a lease. */
  isHeld(name: string): boolean;
  /** Other nodes are at work: jobs that they leave to this one must not wait until requests come in here. */
  hasOthers(): boolean;
  /** Leaves a job that keeps failing here to another node. */
  refuse(name: string): void;
}

/** `sleep` resolves early when the signal aborts, and never rejects. */
type LoopNeeds = {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The pause of prompt jobs; left out: as of all others. */
  readonly promptSleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  readonly records: JobRecords;
  /** Left out: this node runs every job. */
  readonly leases?: JobLeases;
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

type RecordNeeds = {
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

/** How long after the last request the process is quiet. */
const QUIET_AFTER_MS = 10_000;
/** While it is quiet, shorter pauses end together at multiples of this: one wake-up for all jobs costs a fraction of one for each. */
export const QUIET_PAUSE_MS = 5_000;

type QuietNeeds = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Knows whether requests come in, and how long jobs pause. */
interface Quiet {
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
