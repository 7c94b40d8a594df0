import type { Commit, CommitOutcome } from '../../payments/ports.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { ticks } from '../../runtime/ticks.ts';
import { cellsOf, isLongCommit, longCellsOf } from '../commit/cells.ts';
import { commitCells, entersCheckout, furtherCells, hasSchedule, isPlain, scheduleCells } from '../commit/columns.ts';
import type { Cell } from '../database.ts';
import { isSliced } from '../records/longRecords.ts';
import { commitStatements, type NotKept } from './commit.ts';
import { jsonCell, TRIES_MAX } from './database.ts';
import { constraintOf, troubleOf, writeError } from './errors.ts';
import type { Pool } from './pool.ts';

/** Writes a batch: one outcome for each commit, in their order, or an error for each that has none. Never rejects. */
export type WriteBatch = (batch: readonly Commit[]) => Promise<readonly (CommitOutcome | Error)[]>;

type WriteQueueOptions = { readonly batchMax: number; readonly queues: number };

type Waiting = {
  readonly change: Commit;
  readonly locks: readonly string[];
  readonly isLong: boolean;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: Error) => void;
};

/** Group commit: commits that arrive while all queues are busy go into the next batch together. */
interface WriteQueues {
  commit(change: Commit): Promise<CommitOutcome>;
  /** Resolves when everything that was accepted has its outcome; nothing is accepted any more. */
  close(): Promise<void>;
}

/** Keys that no two commits under way may share. Their parts cannot be confused, because neither an id nor a key holds a line break. */
const locksOf = ({
  payment: { merchantId, familyId, checkoutId, revision },
  idempotencyKey,
  registration,
  tokenUse,
  schedule,
}: Commit): readonly string[] => [
  `${merchantId}\n${familyId}`,
  ...(idempotencyKey ? [`${merchantId}\n${idempotencyKey.entityId}\n\n${idempotencyKey.key}`] : []),
  ...(registration ? [`${merchantId}\nregistration\n${registration.registration.id}`] : []),
  ...(checkoutId !== null && revision === 1 ? [`${merchantId}\ncheckout\n${checkoutId}`] : []),
  ...(schedule ? [`${merchantId}\nplan\n${schedule.schedule.id}`] : []),
  ...(tokenUse ? [`${merchantId}\n${tokenUse.wallet}\n${tokenUse.tokenId}`] : []),
];

const byFamily = ({ change: { payment: one } }: Waiting, { change: { payment: other } }: Waiting): number =>
  one.familyId < other.familyId ? -1 : 1;

/**
 * In the order of arrival, but a commit is left for later while another one that shares a lock with it is under way. A batch has one long
 * commit at most: several would make a text that takes too long at a time.
 */
function takeBatch(queue: readonly Waiting[], locked: Set<string>, batchMax: number): { batch: Waiting[]; left: Waiting[] } {
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  let hasLong = false;
  for (const waiting of queue) {
    if (batch.length === batchMax || (hasLong && waiting.isLong) || waiting.locks.some((lock) => locked.has(lock))) {
      left.push(waiting);
      continue;
    }
    hasLong ||= waiting.isLong;
    for (const lock of waiting.locks) locked.add(lock);
    batch.push(waiting);
  }
  // Every node locks families in the same order, so that two nodes cannot each wait for the other.
  return { batch: batch.sort(byFamily), left };
}

export function createWriteQueues(write: WriteBatch, { batchMax, queues }: WriteQueueOptions): WriteQueues {
  const locked = new Set<string>();
  let queue: Waiting[] = [];
  let busy = 0;
  let isScheduled = false;
  let closing: (() => void) | null = null;
  let isClosed = false;

  const run = async (batch: readonly Waiting[]) => {
    const outcomes = await write(batch.map(({ change }) => change));
    batch.forEach(({ locks, resolve, reject }, index) => {
      for (const lock of locks) locked.delete(lock);
      const outcome = outcomes[index] ?? new StoreOutOfOrder('the batch was answered in part');
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
    busy -= 1;
    start();
  };
  const start = () => {
    isScheduled = false;
    while (busy < queues && queue.length > 0) {
      const { batch, left } = takeBatch(queue, locked, batchMax);
      queue = left;
      if (batch.length === 0) break;
      busy += 1;
      void run(batch);
    }
    if (busy === 0 && queue.length === 0) closing?.();
  };
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StoreOutOfOrder('the store is closed'));
        queue.push({ change, locks: locksOf(change), isLong: isLongCommit(change), resolve, reject });
        if (isScheduled || busy === queues) return;
        isScheduled = true;
        setImmediate(start);
      }),
    close: () => {
      isClosed = true;
      return new Promise((resolve) => {
        closing = resolve;
        start();
      });
    },
  };
}

/** Writes batches of commits. */

/** A batch in one statement; when one commit spoils it, each of them alone, so that none suffers from its neighbours. */
export function createWriteBatch(pool: Pool): WriteBatch {
  const writeAlone = async (change: Commit): Promise<CommitOutcome | Error> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await writeTogether(pool, [change]))[0] as CommitOutcome;
      } catch (error) {
        if (isWorthAnother(error) && tries < TRIES_MAX) continue;
        return outcomeOf(error) ?? writeError(error);
      }
    }
  };
  return async (batch) => {
    try {
      return await writeTogether(pool, batch);
    } catch (error) {
      if (!['refused', 'clash'].includes(troubleOf(error))) return batch.map(() => writeError(error));
      const outcomes: (CommitOutcome | Error)[] = [];
      for (const change of batch) outcomes.push(await writeAlone(change));
      return outcomes;
    }
  };
}

/** Refusals that another node can cause between our read and our write. The next try reads its change and returns the first reason. */
const overtaken = [
  'idempotency_pkey',
  'registration_moved',
  'schedule_moved',
  'schedule_run_pkey',
  'payment_checkout',
  'token_use_pkey',
];

const isWorthAnother = (error: unknown): boolean => troubleOf(error) === 'clash' || overtaken.includes(constraintOf(error));

function outcomeOf(error: unknown): CommitOutcome | null {
  const outcomes: Readonly<Record<string, CommitOutcome>> = {
    balance_overrun: { is: 'overrun' },
    registration_moved: { is: 'moved' },
    schedule_moved: { is: 'moved' },
    schedule_run_pkey: { is: 'moved' },
    payment_checkout: { is: 'busy' },
    token_use_pkey: { is: 'tokenUsed' },
  };
  return outcomes[constraintOf(error)] ?? null;
}

async function writeTogether(pool: Pool, batch: readonly Commit[]): Promise<CommitOutcome[]> {
  const isLong = batch.some(isLongCommit);
  const rows = isLong ? await rowsInSlices(batch) : batch.map((change) => cellsOf(change));
  const text = isLong ? await textInSlices(rows.map(jsonRow)) : JSON.stringify(rows.map(jsonRow));
  const notKept = await pool.send<NotKept>(commitStatements[kindOf(rows)], [text]);
  const outcomes: CommitOutcome[] = batch.map(() => ({ is: 'kept' }));
  for (const { n, outcome, holder_id, holder_hash } of notKept) {
    outcomes[Number(n)] =
      outcome === 'keyUsed' ? { is: outcome, paymentId: holder_id ?? '', bodyHash: holder_hash ?? '' } : { is: outcome };
  }
  return outcomes;
}

async function rowsInSlices(batch: readonly Commit[]): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const change of batch) rows.push(isLongCommit(change) ? await longCellsOf(change) : cellsOf(change));
  return rows;
}

/** The JSON of rows: each long cell has its own tick of the event loop, and so has the work that follows. */
async function textInSlices(rows: readonly JsonRow[]): Promise<string> {
  const texts: string[] = [];
  for (const row of rows) {
    const members: string[] = [];
    for (const [name, cell] of Object.entries(row)) {
      if (typeof cell === 'string' && isSliced(cell)) await ticks.next();
      members.push(`"${name}":${JSON.stringify(cell)}`);
    }
    texts.push(`{${members.join()}}`);
  }
  await ticks.next();
  return `[${texts.join()}]`;
}

/** The smallest statement that can do what the batch needs. */
function kindOf(rows: readonly (readonly Cell[])[]): keyof typeof commitStatements {
  if (rows.every((row) => isPlain(row) && !entersCheckout(row))) return 'plain';
  return rows.some(hasSchedule) ? 'withSchedule' : 'further';
}

type JsonRow = Record<string, string | number>;

const names = [...commitCells, ...furtherCells, ...scheduleCells];

/** Nulls are left out: it is the same to the server, and less to read. */
function jsonRow(cells: readonly Cell[], n: number): JsonRow {
  const row: JsonRow = { n };
  for (const [index, cell] of cells.entries()) {
    if (cell !== null && cell !== undefined) row[names[index] as string] = jsonCell(cell);
  }
  return row;
}
