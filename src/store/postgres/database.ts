import {
  type BulkStatement,
  type Cell,
  type Database,
  type Dialects,
  type ReadDatabase,
  type Statement,
  type Step,
  textFor,
} from '../database.ts';
import type { Plan } from './connection.ts';
import { troubleOf, writeError } from './errors.ts';
import type { Work } from './limits.ts';
import type { Parameter, Pool } from './pool.ts';

/** Two nodes that get in each other's way more often than this are not merely unlucky. */
export const TRIES_MAX = 10;

/** Repeats work that was undone because of another node's. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unmoved) throw error;
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}

/** A needed step found no row: another writer was first, and the transaction is rolled back. */
class Unmoved extends Error {}

function textOf(statement: Statement | BulkStatement): string {
  const text = textFor('postgres', statement);
  if (text === null) throw new Error('PostgreSQL does without this statement');
  return text;
}

const planOf = (statement: Statement | Dialects): Plan | undefined =>
  typeof statement === 'string' ? undefined : statement.plan;

/** The driver takes no bigint as a parameter. */
export const parameterOf = (cell: Cell): Parameter => (typeof cell === 'bigint' ? String(cell) : cell);

export function jsonCell(cell: Exclude<Cell, null>): string | number {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64') : cell;
}

/** The rows of a bulk statement as its first parameter. */
const bulkJson = ({ columns }: BulkStatement, rows: readonly (readonly Cell[])[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at] as string, cell === null ? null : jsonCell(cell)]))),
  );

type Sent = { readonly text: string; readonly cells: readonly Parameter[]; readonly isNeeded: boolean; readonly plan: Plan };

/** The steps that PostgreSQL has. */
function sentSteps(steps: readonly Step[]): readonly Sent[] {
  return steps.flatMap((step): Sent[] => {
    if ('bulk' in step) {
      const { bulk, rows, shared } = step;
      if (bulk.postgres === null || rows.length === 0) return [];
      return [{ text: bulk.postgres, cells: [bulkJson(bulk, rows), ...shared.map(parameterOf)], isNeeded: false, plan: 'anew' }];
    }
    const text = textFor('postgres', step.statement);
    if (text === null) return [];
    return [{ text, cells: step.cells.map(parameterOf), isNeeded: step.isNeeded, plan: planOf(step.statement) ?? 'kept' }];
  });
}

/** One statement needs no transaction of its own. */
async function write(pool: Pool, steps: readonly Step[], work?: Work): Promise<number> {
  const sent = sentSteps(steps);
  const [only, ...others] = sent;
  if (only === undefined || others.length > 0 || work !== undefined) return transact(pool, sent, work);
  return again(async () => (await pool.send(only.text, only.cells, only.plan)).count);
}

/**
 * The steps in one transaction. Each gets a new query plan for the current size of the tables: these steps are rare and change many rows,
 * and a plan that was made while the tables were empty would scan them for each row.
 */
async function transact(pool: Pool, steps: readonly Sent[], work?: Work): Promise<number> {
  try {
    return await again(() =>
      pool.transaction(async (tx) => {
        let sum = 0;
        for (const { text, cells, isNeeded } of steps) {
          const { count } = await tx.run(text, cells);
          if (isNeeded && count === 0) throw new Unmoved();
          sum += count;
        }
        return sum;
      }, work),
    );
  } catch (error) {
    if (error instanceof Unmoved) return 0;
    throw error;
  }
}

/** The areas' view of a server for reads alone: a replica has no other. */
export function postgresReads(pool: Pick<Pool, 'read'>): ReadDatabase {
  const read = <Found extends object>(statement: Statement, ...cells: readonly Cell[]): Promise<readonly Found[]> =>
    pool.read<Found>(textOf(statement), cells.map(parameterOf), planOf(statement));
  return {
    dialect: 'postgres',
    read,
    readEach: async <Found extends object>(
      statement: BulkStatement,
      rows: readonly (readonly Cell[])[],
      ...shared: readonly Cell[]
    ) =>
      rows.length === 0
        ? []
        : pool.read<Found>(textOf(statement), [bulkJson(statement, rows), ...shared.map(parameterOf)], 'anew'),
    walk: async <Found extends readonly unknown[], T>(statement: Statement, cells: readonly Cell[], convert: (row: Found) => T) =>
      (await read(statement, ...cells)).map((row) => convert(Object.values(row) as unknown as Found)),
    inSnapshot: null,
  };
}

export function postgresDatabase(pool: Pool): Database {
  const gathers = new Map<BulkStatement, ReturnType<typeof createGather>>();
  const gatherFor = (statement: BulkStatement) => {
    const gather = gathers.get(statement) ?? createGather(pool, textOf(statement));
    gathers.set(statement, gather);
    return gather;
  };
  return {
    ...postgresReads(pool),
    find: async <Found extends object>(statement: BulkStatement, merchantId: string, id: string) =>
      (await gatherFor(statement)(merchantId, id)) as Found | null,
    write: (...steps) => write(pool, steps),
    writeLong: (...steps) => write(pool, steps, 'settlement'),
    writeApart: async (...steps) => {
      for (const step of steps) await write(pool, [step]);
    },
    returning: (statement, ...cells) => again(() => pool.send(textOf(statement), cells.map(parameterOf), 'anew')),
  };
}

type Named = { readonly merchant_id: string; readonly id: string };
type Question<Row> = {
  readonly merchantId: string;
  readonly id: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
};

const AT_ONCE_MAX = 64;
const QUEUES = 2;

/**
 * Rows by their key. Questions that arrive while others are under way go together in one statement: asking costs this process more than
 * the server needs to answer.
 */
export function createGather<Row extends Named>(
  pool: Pick<Pool, 'read'>,
  statement: string,
): (merchantId: string, id: string) => Promise<Row | null> {
  let waiting: Question<Row>[] = [];
  let busy = 0;
  let isScheduled = false;

  const ask = async (questions: readonly Question<Row>[]): Promise<void> => {
    try {
      const query = questions.map(({ merchantId: merchant, id: record }) => ({ merchant, record }));
      const rows = await pool.read<Row>(statement, [JSON.stringify(query)]);
      const found = new Map(rows.map((row) => [`${row.merchant_id}\n${row.id}`, row]));
      for (const { merchantId, id, resolve } of questions) resolve(found.get(`${merchantId}\n${id}`) ?? null);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
    busy -= 1;
    start();
  };
  const start = (): void => {
    isScheduled = false;
    while (busy < QUEUES && waiting.length > 0) {
      const questions = waiting.slice(0, AT_ONCE_MAX);
      waiting = waiting.slice(AT_ONCE_MAX);
      busy += 1;
      void ask(questions);
    }
  };
  return (merchantId, id) =>
    new Promise((resolve, reject) => {
      waiting.push({ merchantId, id, resolve, reject });
      if (isScheduled || busy === QUEUES) return;
      isScheduled = true;
      setImmediate(start);
    });
}
