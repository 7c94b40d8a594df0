import { Worker } from 'node:worker_threads';
import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from './errors.ts';
import type { Applied, CommitRow } from './sqliteApply.ts';
import type { Failure, Job, Report, Work, WriterData } from './sqliteJobs.ts';

/** The calling thread's side of the writer. */
export interface Writer {
  commit(row: CommitRow): Promise<Applied>;
  ask(work: Exclude<Work, { do: 'commit' }>): Promise<number>;
  /** What was accepted is finished first. */
  close(): Promise<void>;
}

type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void };
type Pending = {
  readonly work: Work['do'];
  readonly settle: (result: readonly Applied[] | number) => void;
  readonly reject: (error: Error) => void;
};

const errors = { unknown: UnknownOutcome, outOfOrder: StoreOutOfOrder, broken: BrokenCommit } as const;
const errorOf = ({ kind, why }: Failure): Error => new errors[kind](why);

/** Starts the writer's thread and the one that moves its log into the database. */
export function startWriter(data: WriterData): Writer {
  const worker = new Worker(new URL('./sqliteWriter.ts', import.meta.url), { workerData: data });
  const checkpoints = startCheckpoints(data.path);
  const pending = new Map<number, Pending>();
  let gathered: { readonly row: CommitRow; readonly waiting: Waiting<Applied> }[] = [];
  let lastId = 0;
  let end: Error | null = null;

  const post = (work: Work, { settle, reject }: Omit<Pending, 'work'>) => {
    if (end) return reject(end);
    lastId += 1;
    pending.set(lastId, { work: work.do, settle, reject });
    worker.postMessage({ id: lastId, work } satisfies Job);
  };
  /** One message for all commits of a turn of the event loop: crossing to the other thread is dearer than the row itself. */
  const flush = () => {
    if (gathered.length === 0) return;
    const batch = gathered;
    gathered = [];
    post(
      { do: 'commit', rows: batch.map(({ row }) => row) },
      {
        settle: (results) => batch.forEach(({ waiting }, index) => waiting.resolve((results as readonly Applied[])[index] as Applied)),
        reject: (error) => batch.forEach(({ waiting }) => waiting.reject(error)),
      },
    );
  };
  const ask: Writer['ask'] = (work) => {
    flush();
    return new Promise((resolve, reject) => post(work, { settle: (result) => resolve(result as number), reject }));
  };
  const die = (why: string) => {
    end ??= new StoreOutOfOrder(why);
    flush();
    for (const { work, reject } of pending.values()) reject(work === 'commit' ? new UnknownOutcome(why) : new StoreOutOfOrder(why));
    pending.clear();
  };

  worker.on('message', (reports: readonly Report[]) => {
    for (const report of reports) {
      const job = pending.get(report.id);
      pending.delete(report.id);
      if ('failure' in report) job?.reject(errorOf(report.failure));
      else job?.settle(report.result);
    }
  });
  worker.once('error', (error: Error) => die(`the writer of the database has died: ${error.message}`));
  worker.once('exit', () => die('the writer of the database has ended'));

  return {
    commit: (row) =>
      new Promise((resolve, reject) => {
        if (end) return reject(end);
        if (gathered.push({ row, waiting: { resolve, reject } }) === 1) setImmediate(flush);
      }),
    ask,
    close: async () => {
      if (end) return;
      flush();
      end = new StoreOutOfOrder('the store is closed');
      // The last to close the file moves the log into the database, and that should be the writer.
      await checkpoints.close();
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ id: 0, work: { do: 'close' } } satisfies Job);
      await ended;
    },
  };
}

/** Its death costs speed, nothing else: a writer whose log is full then does the whole work itself. */
function startCheckpoints(path: string): { close(): Promise<void> } {
  const worker = new Worker(new URL('./sqliteCheckpoint.ts', import.meta.url), { workerData: { path } });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('error', () => {});
  worker.unref();
  return {
    close: async () => {
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
