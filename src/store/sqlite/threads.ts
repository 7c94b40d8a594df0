import { statSync } from 'node:fs';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { createSlots } from '../../runtime/slots.ts';
import type { Cell } from '../database.ts';
import { sqliteCode } from '../errors.ts';
import { LOG_PAGES } from './file.ts';
import {
  type Applied,
  type CommitRow,
  type Failure,
  type Job,
  type Joining,
  packed,
  type Report,
  type Result,
  type Work,
  type WriterData,
  type WriteStep,
} from './jobs.ts';

/** The calling thread's side of the writer. */
export interface Writer {
  commit(row: CommitRow): Promise<Applied>;
  ask(work: Exclude<Work, { do: 'commit' | 'rows' }>): Promise<number>;
  /** The rows that a write returns, in any order. */
  rows<Row>(text: string, cells: readonly Cell[]): Promise<readonly Row[]>;
  /** A port by which another thread reaches the same writer: `connectWriter`. */
  share(): Promise<MessagePort>;
  /** Finishes accepted work first. */
  close(): Promise<void>;
}

/** How one thread reaches the writer's: its own worker, or a port that another thread was given. */
type WriterLine = {
  post(message: unknown): void;
  onMessage(listen: (reports: readonly Report[]) => void): void;
  onEnd(ended: (error: Error | null) => void): void;
};

const isView = (cell: Cell) => cell instanceof Uint8Array && cell.byteLength !== cell.buffer.byteLength;

/** A view takes its whole memory along to another thread, with the bytes of other requests: such cells are copied. */
const withOwnBytes = (cells: readonly Cell[]): readonly Cell[] =>
  cells.some(isView) ? packed(cells, (cell) => (isView(cell) ? new Uint8Array(cell as Uint8Array) : cell)) : cells;

function workWithOwnBytes(work: Work): Work {
  switch (work.do) {
    case 'commit':
      return { ...work, rows: packed(work.rows, withOwnBytes) };
    case 'write':
    case 'alone':
      return {
        ...work,
        steps: packed(work.steps, ([text, isNeeded, rows]): WriteStep => [text, isNeeded, packed(rows, withOwnBytes)]),
      };
    default:
      return work;
  }
}

type Pending = {
  readonly isCommit: boolean;
  readonly settle: (result: Result) => void;
  readonly reject: (error: Error) => void;
};
type Committer = { readonly settle: (applied: Applied) => void; readonly reject: (error: Error) => void };

function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'unknown':
      return new UnknownOutcome(failure.why, failure.code);
    case 'outOfOrder':
      return new StoreOutOfOrder(failure.why, failure.code);
    case 'broken':
      return new BrokenCommit(failure.why, failure.constraint);
  }
}

/** Without the flags of the process: some of them are about its own entry, and a thread refuses to start with them. */
const startThread = (name: keyof typeof programs, workerData: unknown): Worker =>
  new Worker(programs[name], { workerData, execArgv: [], name, resourceLimits: { maxYoungGenerationSizeMb: youngMb[name] } });

/**
 * The memory for young objects of each thread, in MiB. The writer keeps a message for the time of a transaction, and the other thread keeps
 * nothing.
 */
const youngMb = { writer: 6, checkpoint: 1 } as const;

/** Written out, because bundlers look for such paths. */
const programs = { writer: new URL('./writer.ts', import.meta.url), checkpoint: new URL('./checkpoint.ts', import.meta.url) };

/** Starts the writer's thread and the one that checkpoints the WAL. */
export function startWriter(data: WriterData): Writer {
  const worker = startThread('writer', data);
  const jobs = createJobs(lineTo(worker));
  const checkpoints = startCheckpoints(data.path);
  return createWriter(jobs, {
    share: async () => {
      const { port1, port2 } = new MessageChannel();
      const joining: Joining = { join: port1 };
      worker.postMessage(joining, [port1]);
      return port2;
    },
    close: async () => {
      // The last connection to be closed checkpoints the WAL, and that should be the writer's.
      await checkpoints.close();
      await jobs.close('writer');
    },
  });
}

/** The writer of another thread, by a port of its `share`. `close` ends the connection, not the writer. */
export function connectWriter(port: MessagePort): Writer {
  const jobs = createJobs(lineBy(port));
  const refused = async (): Promise<never> => {
    throw new StoreOutOfOrder('the writer belongs to another thread');
  };
  return createWriter(jobs, { share: refused, close: () => jobs.close('line') });
}

const lineTo = (worker: Worker): WriterLine => ({
  post: (message) => worker.postMessage(message),
  onMessage: (listen) => void worker.on('message', listen),
  onEnd: (ended) => {
    worker.once('error', ended);
    worker.once('exit', () => ended(null));
  },
});

const lineBy = (port: MessagePort): WriterLine => ({
  post: (message) => port.postMessage(message),
  onMessage: (listen) => void port.on('message', listen),
  onEnd: (ended) => void port.once('close', () => ended(null)),
});

function createWriter(jobs: Jobs, { share, close }: Pick<Writer, 'share' | 'close'>): Writer {
  let [rows, committers]: [CommitRow[], Committer[]] = [[], []];

  /** One message for all commits of a tick of the event loop: crossing to the other thread is dearer than the row itself. */
  const flush = () => {
    if (rows.length === 0) return;
    // The rows themselves are left to the writer: memory that a request keeps while it waits is copied by every minor GC.
    const [leaving, waiting] = [rows, committers];
    [rows, committers] = [[], []];
    const settle = (results: Result) => {
      for (const [index, { settle }] of waiting.entries()) settle((results as readonly Applied[])[index] as Applied);
    };
    const reject = (error: Error) => {
      for (const { reject } of waiting) reject(error);
    };
    jobs.post({ do: 'commit', rows: leaving }, { isCommit: true, settle, reject });
    jobs.flush();
  };
  return {
    commit: (row) =>
      new Promise((settle, reject) => {
        committers.push({ settle, reject });
        if (rows.push(row) === 1) setImmediate(flush);
      }),
    ask: (work) =>
      new Promise((resolve, reject) => {
        flush();
        jobs.post(work, {
          isCommit: work.do === 'write' || work.do === 'alone',
          settle: (result) => resolve(result as number),
          reject,
        });
      }),
    rows: <Row>(text: string, cells: readonly Cell[]) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        flush();
        jobs.post({ do: 'rows', text, cells }, { isCommit: true, settle: (result) => resolve(result as readonly Row[]), reject });
      }),
    share,
    close: () => {
      flush();
      return close();
    },
  };
}

type Jobs = {
  /** Leaves with the others of this tick of the event loop, or by `flush`. */
  post(work: Work, pending: Pending): void;
  flush(): void;
  /** Ends the writer, or this thread's line to it, after the posted work. */
  close(end: 'writer' | 'line'): Promise<void>;
};

/** Waits for the end of the thread instead. */
const nobody: Pending = { isCommit: false, settle: () => {}, reject: () => {} };

/** The questions that the writer has not answered yet. When it dies, all of them are rejected; later ones are refused immediately. */
function createJobs(line: WriterLine): Jobs {
  const pending = createSlots<Pending>();
  let refusal: Error | null = null;

  const die = (why: string, code = '') => {
    refusal ??= new StoreOutOfOrder(why, code);
    for (const { isCommit, reject } of pending.takeAll())
      reject(isCommit ? new UnknownOutcome(why, code) : new StoreOutOfOrder(why, code));
  };
  line.onMessage((reports) => {
    for (const report of reports) {
      const job = pending.take(report.id);
      if (report.is === 'failed') job?.reject(errorOf(report.failure));
      else job?.settle(report.result);
    }
  });
  const ended = new Promise<void>((resolve) => {
    line.onEnd((error) => {
      if (error) return die(`the writer of the database has died: ${error.message}`, sqliteCode(error));
      die('the writer of the database has ended');
      resolve();
    });
  });

  let outgoing: Job[] = [];
  const flush = () => {
    if (outgoing.length === 0) return;
    const leaving = outgoing;
    outgoing = [];
    try {
      line.post(leaving);
    } catch (error) {
      // Something in it cannot cross to another thread: none of it has.
      for (const { id } of leaving) pending.take(id)?.reject(error as Error);
    }
  };
  const send = (work: Work, waiting: Pending) => {
    if (outgoing.push({ id: pending.add(waiting), work: workWithOwnBytes(work) }) === 1) setImmediate(flush);
  };
  return {
    post: (work, waiting) => {
      if (refusal) waiting.reject(refusal);
      else send(work, waiting);
    },
    flush,
    close: async (end) => {
      if (!refusal) send({ do: end === 'writer' ? 'close' : 'leave' }, nobody);
      flush();
      refusal ??= new StoreOutOfOrder('the store is closed');
      await ended;
    },
  };
}

/** The length of the WAL is polled so often until the thread is started. */
const POLL_MS = 1_000;
/** Far less than one checkpoint moves. A quiet gateway and a command write less, and do without the thread. */
const LOG_BYTES_MIN = 4_194_304;

function logBytes(path: string): number {
  try {
    return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // A disk that cannot be read is the writer's to report.
    return 0;
  }
}

/** Its death costs speed, nothing else: a writer with a full log then does the whole work itself. */
function startCheckpoints(path: string): { close(): Promise<void> } {
  let started: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;
  const timer = setInterval(() => {
    if (logBytes(path) < LOG_BYTES_MIN) return;
    clearInterval(timer);
    const worker = startThread('checkpoint', { path, logPages: LOG_PAGES });
    worker.on('error', () => {});
    worker.unref();
    started = { worker, ended: new Promise((resolve) => worker.once('exit', () => resolve())) };
  }, POLL_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      if (!started) return;
      started.worker.ref();
      started.worker.postMessage('close');
      await started.ended;
    },
  };
}

/** How long after a start that failed the next one is tried. */
const AGAIN_MS = 1_000;

type LateNeeds = {
  /** Opens the database for writing; rejects when that is still not possible. */
  readonly start: () => Promise<Writer>;
  /** Milliseconds that have passed, by a clock that is never set. */
  readonly now: () => number;
};

/**
 * The writer of a database that could only be opened for reading: its disk was full. Whatever is to be written is refused until it can be
 * opened, which is tried whenever something is, at most once a second. Jobs write all the time, so no caller has to trigger it.
 */
export function createLateWriter({ start, now }: LateNeeds): Writer {
  let writer: Writer | null = null;
  let starting: Promise<Writer> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const refused = (why: string, code: string) => new StoreOutOfOrder(`the database was opened for reading only: ${why}`, code);
  const begin = async (): Promise<Writer> => {
    triedAt = now();
    try {
      writer = await start();
      return writer;
    } catch (error) {
      const code = error instanceof StoreOutOfOrder ? error.code : sqliteCode(error);
      throw refused(error instanceof Error ? error.message : String(error), code);
    } finally {
      starting = null;
    }
  };
  const started = async (): Promise<Writer> => {
    if (writer) return writer;
    if (isClosed) throw new StoreOutOfOrder('the store is closed');
    if (!starting && now() - triedAt < AGAIN_MS) throw refused('the disk is full', 'SQLITE_FULL');
    starting ??= begin();
    return starting;
  };
  return {
    commit: async (row) => (await started()).commit(row),
    ask: async (work) => (await started()).ask(work),
    rows: async (text, cells) => (await started()).rows(text, cells),
    share: async () => (await started()).share(),
    async close() {
      isClosed = true;
      await starting?.catch(() => {});
      await writer?.close();
    },
  };
}
