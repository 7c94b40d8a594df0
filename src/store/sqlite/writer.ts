import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { constraintIn, isConstraint, isDiskFull, sqliteCode } from '../errors.ts';
import { createApply } from './apply.ts';
import { createPrepare, openForWriting } from './file.ts';
import { type Applied, type Failure, type Job, type Joining, packed, type Report, type Work, type WriterData } from './jobs.ts';
import { createSearchKeys, createWrite, runSteps } from './write.ts';

/** The one thread that writes. Jobs that arrive while the disk is syncing share the next transaction. */

type GroupWork = Extract<Work, { do: 'commit' | 'write' | 'rows' }>;

/** A transaction that grows without end would keep its first commits waiting. */
const GROUP_MAX = 1_024;
/** The control of the kill test acknowledges commits so long before they reach the disk. */
const LAZY_MS = 2_000;

const { path, durability, keysBatch } = workerData as WriterData;
if (!parentPort) throw new Error('the writer runs in a thread of its own');
const ownPort = parentPort;
/** The ports of the thread that started this one, and of the threads that joined. */
const ports = new Set<MessagePort>([ownPort]);
const db = openForWriting(path, durability);
// A statement that fires triggers keeps a journal of its own: in a file it would triple what a payment writes.
db.exec('PRAGMA temp_store = MEMORY');
const apply = createApply(db);
const prepare = createPrepare(db);
const other = createWrite(db, prepare);
const searchKeys = createSearchKeys(db, keysBatch);
const lateCommit = createLateCommit();

type Message = readonly Job[] | Joining;
/** A message of jobs and the port that its reports leave by. */
type Arrived = { readonly port: MessagePort; readonly jobs: readonly Job[] };

const isJobs = (message: Message): message is readonly Job[] => Array.isArray(message);

function onMessage(port: MessagePort, message: Message): void {
  if (isJobs(message)) {
    const arrived = waitingAfter({ port, jobs: message });
    report(arrived, doAll(arrived.flatMap(({ jobs }) => jobs)));
  } else join(message.join);
}

/** One message of reports for each port that jobs came by. */
function report(arrived: readonly Arrived[], reports: readonly Report[]): void {
  if (ports.size === 1) {
    ownPort.postMessage(reports);
    return;
  }
  const byPort = new Map<MessagePort, Report[]>();
  let end = 0;
  for (const { port, jobs } of arrived) {
    const own = byPort.get(port) ?? [];
    byPort.set(port, own);
    own.push(...reports.slice(end, end + jobs.length));
    end += jobs.length;
  }
  for (const [port, own] of byPort) port.postMessage(own);
  for (const { port, jobs } of arrived) if (jobs.some(({ work }) => work.do === 'leave')) port.close();
}

function join(port: MessagePort): void {
  ports.add(port);
  port.on('message', (message: Message) => onMessage(port, message));
  port.once('close', () => ports.delete(port));
}

ownPort.on('message', (message: Message) => onMessage(ownPort, message));

/**
 * Writes outside commits can leave a backlog of search keys. They are written batch by batch, so that new commits are not delayed.
 */
function catchUp(): void {
  if (!db.isOpen || !searchKeys.isDue()) return;
  try {
    inTransaction(() => searchKeys.writeBatch());
    setImmediate(catchUp);
  } catch {
    // A disk that is full now may not be so later: the next commits try again.
  }
}
setImmediate(catchUp);

const sizeOf = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { work }) => sum + (work.do === 'commit' ? work.rows.length : 1), 0);

/** The jobs of a message and those that have queued up behind it, at every port in turn. */
function waitingAfter(first: Arrived): readonly Arrived[] {
  const arrived = [first];
  let size = sizeOf(first.jobs);
  for (let isMore = true; isMore && size < GROUP_MAX; ) {
    isMore = false;
    for (const port of ports) {
      const next = receiveMessageOnPort(port) as { readonly message: Message } | undefined;
      if (!next) continue;
      isMore = true;
      if (isJobs(next.message)) {
        arrived.push({ port, jobs: next.message });
        size += sizeOf(next.message);
      } else join(next.message.join);
    }
  }
  return arrived;
}

const isForGroup = (job: Job): job is Job<GroupWork> => ['commit', 'write', 'rows'].includes(job.work.do);

/** In the order of arrival; neighbours share a transaction. */
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
      if (searchKeys.isDue()) searchKeys.writeBatch();
      let end = 0;
      const next = (count: number): readonly Applied[] => {
        end += count;
        return applied.slice(end - count, end);
      };
      return packed(jobs, ({ id, work }): Report => {
        if (work.do === 'commit') return { id, is: 'done', result: next(work.rows.length) };
        return { id, ...(work.do === 'rows' ? other.rows(work.text, work.cells) : other.write(work.steps)) };
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
    case 'alone':
      return inTransaction(() => runSteps(prepare, work.steps));
    case 'close':
      lateCommit.end();
      db.close();
      // Without further references the thread ends when its last report has left.
      for (const port of ports) port.unref();
      return 0;
    default:
      return 0;
  }
}

function inTransaction<T>(step: () => T): T {
  if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
  let result: T;
  try {
    result = step();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  if (durability === 'off') lateCommit.begin();
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

/** The one COMMIT for all that is acknowledged without waiting for the disk. */
function createLateCommit(): { begin(): void; end(): void } {
  let timer: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (db.isTransaction) commitNow();
  };
  return {
    begin: () => {
      timer ??= setTimeout(end, LAZY_MS);
    },
    end,
  };
}

function failureOf(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.cause instanceof Error)
    return { kind: 'unknown', why: error.cause.message, code: sqliteCode(error.cause) };
  return isConstraint(error)
    ? { kind: 'broken', why, constraint: constraintIn(error) }
    : { kind: 'outOfOrder', why, code: sqliteCode(error) };
}
