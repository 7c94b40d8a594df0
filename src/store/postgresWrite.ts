import type { MerchantStore } from '../merchants/needs.ts';
import type { Commit, Outcome } from '../payments/needs.ts';
import { commitStatement, type NotKept } from './postgresCommit.ts';
import { isOverrun, troubleOf, writeError } from './postgresErrors.ts';
import type { WriteBatch } from './postgresLanes.ts';
import type { Parameter, Pool } from './postgresPool.ts';
import { type Cell, cellsOf, commitCells, entityCells, tokenCells } from './rows.ts';
import { FORGET_PORTION, forPostgres, writes } from './statements.ts';

/** Two nodes that get in each other's way more often than this are not merely unlucky. */
const TRIES_MAX = 10;

/** A batch in one statement; when one commit spoils it, each of them alone, so that none suffers from its neighbours. */
export function createWriteBatch(pool: Pool): WriteBatch {
  const writeAlone = async (change: Commit): Promise<Outcome | Error> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await writeTogether(pool, [change]))[0] as Outcome;
      } catch (error) {
        if (isOverrun(error)) return { is: 'overrun' };
        if (!isWorthAnother(error) || tries === TRIES_MAX) return writeError(error);
      }
    }
  };
  return async (batch) => {
    try {
      return await writeTogether(pool, batch);
    } catch (error) {
      if (!['refused', 'clash'].includes(troubleOf(error))) return batch.map(() => writeError(error));
      const outcomes: (Outcome | Error)[] = [];
      for (const change of batch) outcomes.push(await writeAlone(change));
      return outcomes;
    }
  };
}

/** A clash; or another node claimed the key between our look at it and our own claim, and the next look finds it. */
const isWorthAnother = (error: unknown): boolean =>
  troubleOf(error) === 'clash' ||
  (error instanceof Error && 'constraint_name' in error && error.constraint_name === 'idempotency_pkey');

async function writeTogether(pool: Pool, batch: readonly Commit[]): Promise<Outcome[]> {
  const rows = batch.map((change, n) => jsonRow(cellsOf(change), n));
  const notKept = await pool.send<NotKept>(commitStatement, [JSON.stringify(rows)]);
  const outcomes: Outcome[] = batch.map(() => ({ is: 'kept' }));
  for (const { n, outcome, holder_id, holder_hash } of notKept) {
    outcomes[Number(n)] =
      outcome === 'claimed' ? { is: outcome, paymentId: holder_id ?? '', bodyHash: holder_hash ?? '' } : { is: outcome };
  }
  return outcomes;
}

function jsonRow(cells: readonly Cell[], n: number): Record<string, string | number | null> {
  const row: Record<string, string | number | null> = { n };
  for (const [index, name] of commitCells.entries()) row[name] = jsonCell(cells[index] ?? null);
  return row;
}

function jsonCell(cell: Cell): string | number | null {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64') : cell;
}

export async function seedRows(pool: Pool, { entities, tokens }: Parameters<MerchantStore['seed']>[0]): Promise<number> {
  try {
    return await pool.transaction(async (tx) => {
      let added = 0;
      const insert = async (text: string, cells: readonly Cell[]) => {
        added += (await tx.unsafe(forPostgres(text), cells as Parameter[])).count;
      };
      for (const entity of entities) await insert(writes.insertEntity, entityCells(entity));
      for (const token of tokens) await insert(writes.insertToken, tokenCells(token));
      return added;
    });
  } catch (error) {
    throw writeError(error);
  }
}

export async function forgetClaims(pool: Pool, before: number): Promise<number> {
  try {
    for (let sum = 0; ; ) {
      const { count } = await pool.send(writes.forgetClaims, [before, FORGET_PORTION]);
      sum += count;
      if (count < FORGET_PORTION) return sum;
    }
  } catch (error) {
    throw writeError(error);
  }
}
