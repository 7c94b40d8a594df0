import { Worker } from 'node:worker_threads';
import type { Report } from '../risk/backtest.ts';
import { joined } from '../risk/backtestJoin.ts';
import type { SideDone, SideJob, SideStep } from './backtestSide.ts';
import type { SideNews } from './backtestWorker.ts';

export type BothSides = {
  readonly before: SideJob;
  readonly after: SideJob;
  readonly signal: AbortSignal;
  /** How far the slower of the two is. */
  readonly onStep: (step: SideStep) => void;
};

/** A back-test was asked to end. */
export class BacktestStopped extends Error {
  override readonly name = 'BacktestStopped';
}

/** Judges the past by two rule sets, each in a thread of its own that reads for itself: what they share is what does not change. */
export async function backtestInThreads({ before, after, signal, onStep }: BothSides): Promise<Report> {
  const workers: Worker[] = [];
  const steps = new Map<Worker, SideStep>();
  const start = (job: SideJob): Promise<SideDone> => {
    const worker = new Worker(new URL('./backtestWorker.ts', import.meta.url), { workerData: job, execArgv: [] });
    workers.push(worker);
    return answerOf(worker, (step) => {
      steps.set(worker, step);
      const slowest = [...steps.values()].sort((one, other) => one.done - other.done)[0];
      if (slowest && steps.size === 2) onStep(slowest);
    });
  };
  const end = () => Promise.all(workers.map((worker) => worker.terminate()));
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new BacktestStopped('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const [then, now] = await Promise.race([Promise.all([start(before), start(after)]), stopped]);
    const ledger = then.ledger ?? now.ledger;
    if (!ledger) throw new Error('neither side wrote down what the payments were worth');
    return joined(then.trace, now.trace, ledger);
  } finally {
    stopped.catch(() => {});
    await end();
  }
}

function answerOf(worker: Worker, onStep: (step: SideStep) => void): Promise<SideDone> {
  return new Promise((resolve, reject) => {
    worker.on('message', (news: SideNews) => {
      if (news.is === 'step') onStep(news);
      else if (news.is === 'done') resolve(news);
      else reject(Object.assign(new Error(news.message), { name: news.name }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the back-test ended early (${code})`)));
  });
}
