import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type CommitRow, createApply, isConstraint, isDiskFull } from './sqliteApply.ts';
import { openForWriting } from './sqliteFile.ts';
import type { Failure, Job, Report, Work, WriterData } from './sqliteJobs.ts';
import { FORGET_PORTION, writes } from './statements.ts';

/** The one thread that writes. What arrives while the disk is syncing goes into the next transaction together. */

type CommitWork = Extract<Work, { do: 'commit' }>;

/** A transaction that grows without end would keep its first commits waiting. */
const GROUP_MAX = 1_024;
/** How long the control of the kill test keeps what it has acknowledged from the disk. */
const LAZY_MS = 100;

const { path, durability } = workerData as WriterData;
if (!parentPort) throw new Error('the writer runs in a thread of its own');
const port = parentPort;
const db = openForWriting(path, durability);
const apply = createApply(db);
const forget = db.prepare(writes.forgetClaims);
const insertEntity = db.prepare(writes.insertEntity);
const insertToken = db.prepare(writes.insertToken);

port.on('message', (first: Job) => port.postMessage(doAll(waitingAfter(first))));

const sizeOf = ({ work }: Job): number => (work.do === 'commit' ? work.rows.length : 1);

/** The job and those that have queued up behind it. */
function waitingAfter(first: Job): Job[] {
  const jobs = [first];
  for (let size = sizeOf(first); size < GROUP_MAX; ) {
    const next = receiveMessageOnPort(port) as { readonly message: Job } | undefined;
    if (!next) break;
    jobs.push(next.message);
    size += sizeOf(next.message);
  }
  return jobs;
}

const isCommit = (job: Job): job is Job<CommitWork> => job.work.do === 'commit';

/** In the order of arrival; commits that stand next to each other share a transaction. */
function doAll(jobs: readonly Job[]): Report[] {
  const reports: Report[] = [];
  let group: Job<CommitWork>[] = [];
  for (const job of jobs) {
    if (isCommit(job)) {
      group.push(job);
      continue;
    }
    reports.push(...commitAll(group), doOther(job));
    group = [];
  }
  return [...reports, ...commitAll(group)];
}

function commitAll(jobs: readonly Job<CommitWork>[]): Report[] {
  if (jobs.length === 0) return [];
  const rows: CommitRow[] = jobs.flatMap(({ work }) => work.rows);
  try {
    const applied = inTransaction(() => apply(rows));
    let end = 0;
    return jobs.map(({ id, work }) => {
      end += work.rows.length;
      return { id, result: applied.slice(end - work.rows.length, end) };
    });
  } catch (error) {
    return jobs.map(({ id }) => ({ id, failure: failureOf(error) }));
  }
}

function doOther({ id, work }: Job): Report {
  try {
    return { id, result: numberFrom(work) };
  } catch (error) {
    return { id, failure: failureOf(error) };
  }
}

function numberFrom(work: Work): number {
  switch (work.do) {
    case 'forget':
      return inTransaction(() => Number(forget.run(work.before, FORGET_PORTION).changes));
    case 'seed':
      return inTransaction(() => {
        const entities = work.entities.map((cells) => insertEntity.run(...cells).changes);
        const tokens = work.tokens.map((cells) => insertToken.run(...cells).changes);
        return [...entities, ...tokens].reduce<number>((sum, changes) => sum + Number(changes), 0);
      });
    case 'close':
      commitLate();
      db.close();
      // Nothing is waited for any more, so the thread ends once its last answer has left.
      port.unref();
      return 0;
    default:
      return 0;
  }
}

let lazy: NodeJS.Timeout | null = null;

function inTransaction<T>(step: () => T): T {
  if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
  let result: T;
  try {
    result = step();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  if (durability === 'off') lazy ??= setTimeout(commitLate, LAZY_MS);
  else commitNow();
  return result;
}

function commitNow(): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    // A full disk has taken no part of it; of any other failure nobody knows how far it got.
    if (isConstraint(error) || isDiskFull(error)) throw error;
    throw new Error('the disk failed', { cause: error });
  }
}

function commitLate(): void {
  if (lazy) clearTimeout(lazy);
  lazy = null;
  if (db.isTransaction) commitNow();
}

function failureOf(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.cause instanceof Error) return { kind: 'unknown', why: error.cause.message };
  return { kind: isConstraint(error) ? 'broken' : 'outOfOrder', why };
}
