import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { writes } from '../tables/statements.ts';
import { type Applied, createApply } from './apply.ts';
import { constraintIn, isConstraint, isDiskFull, sqliteCode } from './errors.ts';
import { openForWriting } from './file.ts';
import type { Failure, Job, Report, Work, WriterData } from './jobs.ts';
import { createSearchKeys } from './searchKeys.ts';
import { createRows, createWrite } from './write.ts';

/** The one thread that writes. What arrives while the disk is syncing goes into the next transaction together. */

type GroupWork = Extract<Work, { do: 'commit' | 'write' | 'rows' }>;

/** A transaction that grows without end would keep its first commits waiting. */
const GROUP_MAX = 1_024;
/** How long the control of the kill test keeps what it has acknowledged from the disk. */
const LAZY_MS = 100;

const { path, durability, keysPortion } = workerData as WriterData;
if (!parentPort) throw new Error('the writer runs in a thread of its own');
const port = parentPort;
const db = openForWriting(path, durability);
// A statement that fires triggers keeps a journal of its own: in a file it would triple what a payment writes.
db.exec('PRAGMA temp_store = MEMORY');
const apply = createApply(db);
const write = createWrite(db);
const rowsOf = createRows(db);
const searchKeys = createSearchKeys(db, keysPortion);
const insertEntity = db.prepare(writes.insertEntity);
const insertToken = db.prepare(writes.insertToken);

port.on('message', (first: readonly Job[]) => port.postMessage(doAll(waitingAfter(first))));

/** What was written by another way than commits may leave many portions of keys: one after the other, and what arrives goes between. */
function catchUp(): void {
  if (!db.isOpen || !searchKeys.isDue()) return;
  try {
    inTransaction(() => searchKeys.writePortion());
    setImmediate(catchUp);
  } catch {
    // A disk that is full now may not be so later: the next commits try again.
  }
}
setImmediate(catchUp);

const sizeOf = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { work }) => sum + (work.do === 'commit' ? work.rows.length : 1), 0);

/** The jobs of a message and those that have queued up behind it. */
function waitingAfter(first: readonly Job[]): readonly Job[] {
  const jobs = [...first];
  for (let size = sizeOf(first); size < GROUP_MAX; ) {
    const next = receiveMessageOnPort(port) as { readonly message: readonly Job[] } | undefined;
    if (!next) break;
    jobs.push(...next.message);
    size += sizeOf(next.message);
  }
  return jobs;
}

const isForGroup = (job: Job): job is Job<GroupWork> => ['commit', 'write', 'rows'].includes(job.work.do);

/** In the order of arrival; what stands next to each other shares a transaction. */
function doAll(jobs: readonly Job[]): Report[] {
  const reports: Report[] = [];
  let group: Job<GroupWork>[] = [];
  for (const job of jobs) {
    if (isForGroup(job)) {
      group.push(job);
      continue;
    }
    reports.push(...doGroup(group), doOther(job));
    group = [];
  }
  return [...reports, ...doGroup(group)];
}

/** The commits first, because a failed one restarts the transaction. A caller waits for one job, so the order is free. */
function doGroup(jobs: readonly Job<GroupWork>[]): Report[] {
  if (jobs.length === 0) return [];
  const rows = jobs.flatMap(({ work }) => (work.do === 'commit' ? work.rows : []));
  try {
    return inTransaction(() => {
      const applied = apply(rows);
      searchKeys.noteInserted(rows.length);
      if (searchKeys.isDue()) searchKeys.writePortion();
      let end = 0;
      const next = (count: number): readonly Applied[] => {
        end += count;
        return applied.slice(end - count, end);
      };
      return jobs.map(({ id, work }) => {
        if (work.do === 'commit') return { id, is: 'done', result: next(work.rows.length) };
        return work.do === 'write' ? { id, ...write(work.steps, work.isEach) } : { id, ...rowsOf(work.step) };
      });
    });
  } catch (error) {
    return jobs.map(({ id }) => ({ id, is: 'failed', failure: failureOf(error) }));
  }
}

function doOther({ id, work }: Job): Report {
  try {
    return { id, is: 'done', result: numberFrom(work) };
  } catch (error) {
    return { id, is: 'failed', failure: failureOf(error) };
  }
}

function numberFrom(work: Work): number {
  switch (work.do) {
    case 'insertAccounts':
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
    // A full disk has taken no part of it; after any other failure the outcome is unknown.
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
  if (error instanceof Error && error.cause instanceof Error)
    return { kind: 'unknown', why: error.cause.message, code: sqliteCode(error.cause) };
  return isConstraint(error)
    ? { kind: 'broken', why, constraint: constraintIn(error) }
    : { kind: 'outOfOrder', why, code: sqliteCode(error) };
}
