import { Worker } from 'node:worker_threads';
import { BacktestStopped, type RunBacktest } from '../../payments/backtest/run.ts';
import type { AsideNews } from './backgroundWorker.ts';

/** A back-test beside a running gateway: what judges must not keep payments waiting, and has a thread of its own. */
export const backtestAside: RunBacktest = async ({ job, signal, onStep, onSamples }) => {
  if (signal.aborted) throw new BacktestStopped('stopped');
  const worker = new Worker(new URL('./backgroundWorker.ts', import.meta.url), { workerData: job, execArgv: [] });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new BacktestStopped('stopped')), { once: true });
      worker.on('message', (news: AsideNews) => {
        if (news.is === 'step') onStep(news.step);
        else if (news.is === 'samples') onSamples?.(news.samples);
        else if (news.is === 'done') resolve(news.report);
        else reject(Object.assign(new Error(news.message), { name: news.name }));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of the back-test ended early (${code})`)));
    });
  } finally {
    // Threads that it has begun end with it.
    await worker.terminate();
  }
};
