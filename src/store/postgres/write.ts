import type { Commit, CommitOutcome } from '../../payments/ports.ts';
import { ticks } from '../../runtime/ticks.ts';
import { cellsOf, isLongCommit, longCellsOf } from '../commit/cells.ts';
import { commitCells, entersCheckout, furtherCells, hasSchedule, isPlain, scheduleCells } from '../commit/names.ts';
import type { Cell } from '../database.ts';
import { isSliced } from '../records/longRecords.ts';
import { commitStatements, type NotKept } from './commit.ts';
import { jsonCell, TRIES_MAX } from './database.ts';
import { constraintOf, troubleOf, writeError } from './errors.ts';
import type { Pool } from './pool.ts';
import type { WriteBatch } from './writeQueues.ts';

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
