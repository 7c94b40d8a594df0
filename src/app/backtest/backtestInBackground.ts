import { Worker } from 'node:worker_threads';
import { BacktestStopped, type RunBacktest } from '../../payments/backtest/run.ts';
import type { BackgroundMessage } from './backgroundWorker.ts';
import { errorOf } from './workerError.ts';

/** A back-test beside a running gateway, in a thread of its own: it must not delay payments. */
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
