import { parentPort, workerData } from 'node:worker_threads';
import type { BacktestJob } from '../../risk/backtest/ruleSelector.ts';
import { type BackgroundMessage, backtestInThreads } from './backtest.ts';

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
