import { parentPort, workerData } from 'node:worker_threads';
import { configOf } from '../../config/config.ts';
import { thisMachine } from '../../config/machine.ts';
import { type ReadStep, readPast } from '../../payments/backtest/run.ts';
import type { PaymentLabels } from '../../risk/backtest/joinTraces.ts';
import { buffersOf, type PaymentBatch } from '../../risk/backtest/paymentBatch.ts';
import type { BacktestJob } from '../../risk/backtest/ruleSelector.ts';
import { openHistory } from '../../store/open.ts';

/** Messages of the reading thread. The evaluating thread confirms each batch. */
export type ReaderMessage =
  | { readonly is: 'batch'; readonly batch: PaymentBatch; readonly step: ReadStep }
  | { readonly is: 'done'; readonly ledger: PaymentLabels }
  | { readonly is: 'failed'; readonly name: string; readonly message: string };

type Send = (message: ReaderMessage, transferred?: readonly ArrayBuffer[]) => void;

/** Batches that may wait for evaluation: one slow page delays neither thread. */
const AHEAD_MAX = 8;

/** Limits how far reading runs ahead of evaluation: waiting batches fill the memory. */
function createLead() {
  let ahead = 0;
  let goOn = (): void => {};
  return {
    evaluated(): void {
      ahead -= 1;
      goOn();
    },
    async sent(): Promise<void> {
      ahead += 1;
      while (ahead >= AHEAD_MAX) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
    },
  };
}

/** The reading thread of a back-test. It opens the store for itself. */
async function work(job: BacktestJob, send: Send, lead: ReturnType<typeof createLead>): Promise<void> {
  const config = configOf(process.env, thisMachine);
  if ('length' in config) throw new Error(config.join('\n'));
  const history = await openHistory(config);
  const onBatch = (batch: PaymentBatch, step: ReadStep): Promise<void> => {
    send({ is: 'batch', batch, step }, buffersOf(batch));
    return lead.sent();
  };
  try {
    send({ is: 'done', ledger: await readPast(job, { history, lookups: config.lookups, onBatch }) });
  } finally {
    await history.close();
  }
}

if (parentPort) {
  const port = parentPort;
  const lead = createLead();
  port.on('message', lead.evaluated);
  const send: Send = (message, transferred = []) => port.postMessage(message, [...transferred]);
  await work(workerData as BacktestJob, send, lead).catch((error: Error) =>
    send({ is: 'failed', name: error.name, message: error.message }),
  );
}
