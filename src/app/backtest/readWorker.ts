import { parentPort, workerData } from 'node:worker_threads';
import { configOf, thisMachine } from '../../config.ts';
import { type ReadStep, readPast } from '../../payments/backtest/reader.ts';
import type { BacktestJob } from '../../risk/backtest/job.ts';
import type { PaymentLabels } from '../../risk/backtest/joinTraces.ts';
import { buffersOf, type PaymentBatch } from '../../risk/backtest/paymentBatch.ts';
import { openHistory } from '../../store/openHistory.ts';

/** What the thread that reads says to the one that judges, which answers each sheet with a word when it is done with it. */
export type ReaderNews =
  | { readonly is: 'sheet'; readonly sheet: PaymentBatch; readonly step: ReadStep }
  | { readonly is: 'done'; readonly ledger: PaymentLabels }
  | { readonly is: 'failed'; readonly name: string; readonly message: string };

type Tell = (news: ReaderNews, handedOver?: readonly ArrayBuffer[]) => void;

/** Sheets that wait to be judged: neither thread waits for the other because of one page that took longer. */
const AHEAD_MAX = 8;

/** Reading may run ahead of judging by a few sheets: what is read and not judged fills the memory. */
function createLead() {
  let ahead = 0;
  let goOn = (): void => {};
  return {
    judged(): void {
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

/** The thread of a back-test that reads: it opens the past for itself. */
async function work(job: BacktestJob, tell: Tell, lead: ReturnType<typeof createLead>): Promise<void> {
  const config = configOf(process.env, thisMachine);
  if ('length' in config) throw new Error(config.join('\n'));
  const history = await openHistory(config);
  const onSheet = (sheet: PaymentBatch, step: ReadStep): Promise<void> => {
    tell({ is: 'sheet', sheet, step }, buffersOf(sheet));
    return lead.sent();
  };
  try {
    tell({ is: 'done', ledger: await readPast(job, { history, lookups: config.lookups, onSheet }) });
  } finally {
    await history.close();
  }
}

if (parentPort) {
  const port = parentPort;
  const lead = createLead();
  port.on('message', lead.judged);
  const tell: Tell = (news, handedOver = []) => port.postMessage(news, [...handedOver]);
  await work(workerData as BacktestJob, tell, lead).catch((error: Error) =>
    tell({ is: 'failed', name: error.name, message: error.message }),
  );
}
