/** One thing that is done again and again. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
};

/** What the loop needs of its surroundings. `sleep` resolves early when the signal says so, and never rejects. */
export type LoopNeeds = {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: { error(about: object, message: string): void };
};

export interface Loop {
  /** Wakes every job that waits, lets every job that runs finish. */
  stop(): Promise<void>;
}

/** After an error a job waits twice as long each time, up to this. */
export const BACK_OFF_MS_MAX = 60_000;

/** How long a job rests after so many failures in a row. */
export const restMs = ({ everyMs }: Pick<Job, 'everyMs'>, failures: number): number =>
  failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, BACK_OFF_MS_MAX));

/** Runs every job at its own pace. No job overlaps itself, none holds up another, and none dies of an error. */
export function startLoop(jobs: readonly Job[], needs: LoopNeeds): Loop {
  const ending = new AbortController();
  const running = jobs.map((job) => repeat(job, needs, ending.signal));
  return {
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

async function repeat(job: Job, { sleep, log }: LoopNeeds, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    await sleep(restMs(job, failures), signal);
    if (signal.aborted) return;
    try {
      await job.run();
      failures = 0;
    } catch (error) {
      failures += 1;
      log.error({ err: error, job: job.name, failures }, 'a job failed and will be tried again');
    }
  }
}
