import { Worker } from 'node:worker_threads';
import { type BacktestRun, BacktestStopped, type ReadStep, type RunBacktest } from '../../payments/backtest/run.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { BacktestReport } from '../../risk/backtest/backtest.ts';
import { createBatchEvaluator } from '../../risk/backtest/batchEvaluator.ts';
import { joinTraces, type Samples, samplesOf } from '../../risk/backtest/joinTraces.ts';
import { createSides } from '../../risk/backtest/ruleSelector.ts';
import type { ReaderMessage } from './readWorker.ts';

const STEP_EVERY = 10_000;

/**
 * Back-tests two rule sets. A worker thread reads the payments and derives the facts of both rule sets; this thread evaluates them. Both
 * take about as long, and nothing is done twice.
 */
export const backtestInThreads: RunBacktest = async ({ job, signal, onStep, onSamples }) => {
  if (signal.aborted) throw new BacktestStopped('stopped');
  const worker = new Worker(new URL('./readWorker.ts', import.meta.url), { workerData: job, execArgv: [] });
  try {
    return await evaluate(worker, { job, signal, onStep, ...(onSamples && { onSamples }) });
  } finally {
    await worker.terminate();
  }
};

function evaluate(worker: Worker, { job, signal, onStep, onSamples }: BacktestRun): Promise<BacktestReport> {
  const evaluator = createBatchEvaluator(createSides(job));
  let reported = 0;
  const handle = (message: ReaderMessage): BacktestReport | null => {
    switch (message.is) {
      case 'batch':
        evaluator.take(message.batch);
        worker.postMessage('evaluated');
        if (message.step.done - reported >= STEP_EVERY) {
          reported = message.step.done;
          onStep(message.step);
        }
        return null;
      case 'done':
        onSamples?.(samplesOf(evaluator.traces(), message.ledger));
        return joinTraces(...evaluator.traces(), message.ledger);
      case 'failed':
        throw errorOf(message);
    }
  };
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new BacktestStopped('stopped')), { once: true });
    worker.on('message', (message: ReaderMessage) => {
      // After an abort nothing more is evaluated.
      if (signal.aborted) return;
      try {
        const report = handle(message);
        if (report) resolve(report);
      } catch (error) {
        reject(error);
      }
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the back-test ended early (${code})`)));
  });
}

/** A back-test of a running gateway. It has a thread of its own, so that it delays no payment. */
export const backtestInBackground: RunBacktest = async ({ job, signal, onStep, onSamples }) => {
  if (signal.aborted) throw new BacktestStopped('stopped');
  const worker = new Worker(new URL('./backgroundWorker.ts', import.meta.url), { workerData: job, execArgv: [] });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new BacktestStopped('stopped')), { once: true });
      worker.on('message', (message: BackgroundMessage) => {
        if (message.is === 'step') onStep(message.step);
        else if (message.is === 'samples') onSamples?.(message.samples);
        else if (message.is === 'done') resolve(message.report);
        else reject(errorOf(message));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of the back-test ended early (${code})`)));
    });
  } finally {
    // The threads of the worker end with it.
    await worker.terminate();
  }
};

/** An error on its way between threads: only its name and message survive. */
type WorkerError = { readonly name: string; readonly message: string };

/** The error that a worker reported. An unavailable store keeps its class, so that the operator gets its message alone. */
const errorOf = ({ name, message }: WorkerError): Error =>
  name === 'StoreOutOfOrder' ? new StoreOutOfOrder(message) : Object.assign(new Error(message), { name });

/** Messages of the evaluating thread to the gateway. */
export type BackgroundMessage =
  | { readonly is: 'step'; readonly step: ReadStep }
  | { readonly is: 'samples'; readonly samples: Samples }
  | { readonly is: 'done'; readonly report: BacktestReport }
  | { readonly is: 'failed'; readonly name: string; readonly message: string };
