import { parentPort, workerData } from 'node:worker_threads';
import type { ReadStep } from '../../payments/backtest/reader.ts';
import type { BacktestReport } from '../../risk/backtest/backtest.ts';
import type { BacktestJob } from '../../risk/backtest/job.ts';
import type { Samples } from '../../risk/backtest/samples.ts';
import { backtestInThreads } from './backtestInThreads.ts';

/** What the thread that judges says to the gateway. */
export type AsideNews =
  | { readonly is: 'step'; readonly step: ReadStep }
  | { readonly is: 'samples'; readonly samples: Samples }
  | { readonly is: 'done'; readonly report: BacktestReport }
  | { readonly is: 'failed'; readonly name: string; readonly message: string };

if (parentPort) {
  const port = parentPort;
  const tell = (news: AsideNews): void => port.postMessage(news);
  const never = new AbortController().signal;
  try {
    const report = await backtestInThreads({
      job: workerData as BacktestJob,
      signal: never,
      onStep: (step) => tell({ is: 'step', step }),
      onSamples: (samples) => tell({ is: 'samples', samples }),
    });
    tell({ is: 'done', report });
  } catch (error) {
    const { name, message } = error as Error;
    tell({ is: 'failed', name, message });
  }
}
