import type { BacktestReport } from '../../risk/backtest/backtest.ts';
import { createBatchEvaluator } from '../../risk/backtest/batchEvaluator.ts';
import { joinTraces, type Samples, samplesOf } from '../../risk/backtest/joinTraces.ts';
import { type BacktestJob, createSides } from '../../risk/backtest/ruleSelector.ts';
import type { Lookups } from '../../risk/ports.ts';
import type { PaymentHistory } from '../ports.ts';
import { type ReadStep, readPast } from './reader.ts';

export type BacktestRun = {
  readonly job: BacktestJob;
  readonly signal: AbortSignal;
  /** Reports how far the evaluation is. */
  readonly onStep: (step: ReadStep) => void;
  /** Examples of changed verdicts, before the report is complete. */
  readonly onSamples?: (samples: Samples) => void;
};

export type RunBacktest = (run: BacktestRun) => Promise<BacktestReport>;

/** A back-test was cancelled. */
export class BacktestStopped extends Error {
  override readonly name = 'BacktestStopped';
}

type Here = { readonly history: PaymentHistory; readonly lookups: Lookups; readonly rest: () => Promise<void> };

/** Back-tests in this thread, for a store that no other thread can open. Other work has its turn after every page. */
export const backtestHere =
  ({ history, lookups, rest }: Here): RunBacktest =>
  async ({ job, signal, onStep, onSamples }) => {
    const evaluator = createBatchEvaluator(createSides(job));
    const goOn = async (): Promise<void> => {
      await rest();
      if (signal.aborted) throw new BacktestStopped('stopped');
    };
    await goOn();
    const ledger = await readPast(job, {
      history,
      lookups,
      onBatch: async (batch, step) => {
        evaluator.take(batch);
        onStep(step);
        await goOn();
      },
    });
    onSamples?.(samplesOf(evaluator.traces(), ledger));
    return joinTraces(...evaluator.traces(), ledger);
  };
