import { Worker } from 'node:worker_threads';
import { type BacktestRun, BacktestStopped, type RunBacktest } from '../../payments/backtest/run.ts';
import type { BacktestReport } from '../../risk/backtest/backtest.ts';
import { createBatchEvaluator } from '../../risk/backtest/batchEvaluator.ts';
import { joinTraces } from '../../risk/backtest/joinTraces.ts';
import { createSides } from '../../risk/backtest/ruleSelector.ts';
import { samplesOf } from '../../risk/backtest/samples.ts';
import type { ReaderNews } from './readWorker.ts';

const STEP_EVERY = 10_000;

/**
 * Judges the past by two rule sets. One thread reads the payments and makes of them what the rules of both want to know; this one judges
 * by both: each takes about as long as the other, and nothing is done twice.
 */
export const backtestInThreads: RunBacktest = async ({ job, signal, onStep, onSamples }) => {
  if (signal.aborted) throw new BacktestStopped('stopped');
  const worker = new Worker(new URL('./readWorker.ts', import.meta.url), { workerData: job, execArgv: [] });
  try {
    return await judged(worker, { job, signal, onStep, ...(onSamples && { onSamples }) });
  } finally {
    await worker.terminate();
  }
};

function judged(worker: Worker, { job, signal, onStep, onSamples }: BacktestRun): Promise<BacktestReport> {
  const judge = createBatchEvaluator(createSides(job));
  let told = 0;
  const hear = (news: ReaderNews): BacktestReport | null => {
    switch (news.is) {
      case 'sheet':
        judge.take(news.sheet);
        worker.postMessage('judged');
        if (news.step.done - told >= STEP_EVERY) {
          told = news.step.done;
          onStep(news.step);
        }
        return null;
      case 'done':
        onSamples?.(samplesOf(judge.traces(), news.ledger));
        return joinTraces(...judge.traces(), news.ledger);
      case 'failed':
        throw Object.assign(new Error(news.message), { name: news.name });
    }
  };
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new BacktestStopped('stopped')), { once: true });
    worker.on('message', (news: ReaderNews) => {
      // What was under way when Ctrl-C was pressed is not judged any more.
      if (signal.aborted) return;
      try {
        const report = hear(news);
        if (report) resolve(report);
      } catch (error) {
        reject(error);
      }
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the back-test ended early (${code})`)));
  });
}
