import { parentPort, workerData } from 'node:worker_threads';
import type { ReadStep } from '../../payments/backtest/reader.ts';
import type { BacktestReport } from '../../risk/backtest/backtest.ts';
import type { BacktestJob } from '../../risk/backtest/job.ts';
import type { Samples } from '../../risk/backtest/samples.ts';
import { backtestInThreads } from './backtestInThreads.ts';

/** Messages of the evaluating thread to the gateway. */
export type BackgroundMessage =
  | { readonly is: 'step'; readonly step: ReadStep }
  | { readonly is: 'samples'; readonly samples: Samples }
  | { readonly is: 'done'; readonly report: BacktestReport }
  | { readonly is: 'failed'; readonly name: string; readonly message: string };

if (parentPort) {
  const port = parentPort;
  const send = (message: BackgroundMessage): void => port.postMessage(message);
  const never = new AbortController().signal;
  try {
    const report = await backtestInThreads({
      job: workerData as BacktestJob,
      signal: never,
      onStep: (step) => send({ is: 'step', step }),
      onSamples: (samples) => send({ is: 'samples', samples }),
    });
    send({ is: 'done', report });
  } catch (error) {
    const { name, message } = error as Error;
    send({ is: 'failed', name, message });
  }
}
