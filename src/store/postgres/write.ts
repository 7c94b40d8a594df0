import type { MerchantStore } from '../../merchants/ports.ts';
import type { Commit, CommitOutcome } from '../../payments/ports.ts';
import { ticks } from '../../runtime/ticks.ts';
import { isSliced } from '../tables/longFields.ts';
import {
  type Cell,
  cellsOf,
  commitCells,
  entersCheckout,
  entityCells,
  hasSchedule,
  isLongCommit,
  isPlain,
  longCellsOf,
  tokenCells,
} from '../tables/payments.ts';
import { furtherCells } from '../tables/registrationRules.ts';
import { scheduleCells } from '../tables/schedules.ts';
import { DELETE_PORTION, forPostgres, writes } from '../tables/statements.ts';
import { commitStatements, type NotKept } from './commit.ts';
import { constraintOf, troubleOf, writeError } from './errors.ts';
import type { Parameter, Pool } from './pool.ts';
import type { WriteBatch } from './writeQueues.ts';

/** Two nodes that get in each other's way more often than this are not merely unlucky. */
export const TRIES_MAX = 10;

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

/** The JSON of rows, each long cell in a turn of the event loop of its own, and so is what follows. */
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

/** What is null is left out: it is the same to the server, and less to read. */
function jsonRow(cells: readonly Cell[], n: number): JsonRow {
  const row: JsonRow = { n };
  for (const [index, cell] of cells.entries()) {
    if (cell !== null && cell !== undefined) row[names[index] as string] = jsonCell(cell);
  }
  return row;
}

export function jsonCell(cell: Exclude<Cell, null>): string | number {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64') : cell;
}

/** The lock that the triggers of the directory take (migration 0016). */
const LOCK_DIRECTORY = 'SELECT pg_advisory_xact_lock(7120946216)';

export async function insertAccountRows(
  pool: Pool,
  { entities, tokens }: Parameters<MerchantStore['insertAccounts']>[0],
): Promise<number> {
  try {
    return await pool.transaction(async (tx) => {
      // One writer of the directory after the other: two that insert the same rows in another order would wait for each other.
      await tx.run(LOCK_DIRECTORY);
      let added = 0;
      const insert = async (text: string, cells: readonly Cell[]) => {
        added += (await tx.run(forPostgres(text), cells as Parameter[])).count;
      };
      for (const entity of entities) await insert(writes.insertEntity, entityCells(entity));
      for (const token of tokens) await insert(writes.insertToken, tokenCells(token));
      return added;
    });
  } catch (error) {
    throw writeError(error);
  }
}

/** Portion after portion, so that commits come in between. */
export async function deleteInPortions(pool: Pool, statement: string, until: number): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await write(pool, statement, [until, DELETE_PORTION]);
    sum += count;
    if (count < DELETE_PORTION) return sum;
  }
}

/** One statement; answers how many rows it changed. Sent again when others were in the way. */
export async function write(pool: Pool, statement: string, cells: readonly Parameter[]): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await pool.send(statement, cells)).count;
    } catch (error) {
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}
