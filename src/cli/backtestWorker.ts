import { parentPort, workerData } from 'node:worker_threads';
import { configOf, thisMachine } from '../config.ts';
import { openHistory } from '../store/openHistory.ts';
import { runSide, type SideDone, type SideJob, type SideStep } from './backtestSide.ts';

/** What a thread says to the one that started it. */
export type SideNews =
  | ({ readonly is: 'step' } & SideStep)
  | ({ readonly is: 'done' } & SideDone)
  | { readonly is: 'failed'; readonly name: string; readonly message: string };

const STEP_EVERY = 10_000;

/** The thread of one side of a back-test: it opens the past for itself and answers with what its rules did. */
async function work(job: SideJob, tell: (news: SideNews) => void): Promise<void> {
  const config = configOf(process.env, thisMachine);
  if ('length' in config) throw new Error(config.join('\n'));
  const history = await openHistory(config);
  let told = 0;
  const onStep = (step: SideStep) => {
    if (step.done - told < STEP_EVERY) return;
    told = step.done;
    tell({ is: 'step', ...step });
  };
  try {
    tell({ is: 'done', ...(await runSide(job, { history, lookups: config.lookups, onStep })) });
  } finally {
    await history.close();
  }
}

if (parentPort) {
  const port = parentPort;
  const tell = (news: SideNews) => port.postMessage(news);
  await work(workerData as SideJob, tell).catch((error: Error) =>
    tell({ is: 'failed', name: error.name, message: error.message }),
  );
}
