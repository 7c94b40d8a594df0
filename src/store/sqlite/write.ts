import type { DatabaseSync } from 'node:sqlite';
import type { Cell } from '../database.ts';
import { constraintIn, isConstraint } from '../errors.ts';
import type { Prepare } from './file.ts';
import type { Failure, WriteStep } from './jobs.ts';

/** The work of the writer other than commits, within a transaction that the caller has begun and will end. */

type Written<T> = { readonly is: 'done'; readonly result: T } | { readonly is: 'failed'; readonly failure: Failure };

/** Runs a step of a transaction. When a constraint refuses it, the step is undone and `refuse` gives its result; other steps stay. */
type InSavepoint = <T>(step: () => T, refuse: (error: Error) => T) => T;

export function createSavepoint(db: DatabaseSync): InSavepoint {
  const [set, release, undo] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')];
  return (step, refuse) => {
    set.run();
    try {
      const result = step();
      release.run();
      return result;
    } catch (error) {
      if (!(isConstraint(error) || error instanceof Unmoved)) throw error;
      undo.run();
      release.run();
      return refuse(error);
    }
  };
}

/** A needed step found no row: another change was first. */
class Unmoved extends Error {}

/** Runs steps one after the other; returns the number of rows that they changed. */
export function runSteps(prepare: Prepare, steps: readonly WriteStep[]): number {
  let sum = 0;
  for (const [text, isNeeded, rows] of steps) {
    const statement = prepare(text);
    let changed = 0;
    for (const cells of rows) changed += Number(statement.run(...cells).changes);
    if (isNeeded && changed === 0) throw new Unmoved();
    sum += changed;
  }
  return sum;
}

const failed = (error: Error): Written<never> => ({
  is: 'failed',
  failure: { kind: 'broken', why: error.message, constraint: constraintIn(error) },
});

export function createWrite(db: DatabaseSync, prepare: Prepare) {
  const inSavepoint = createSavepoint(db);
  return {
    write: (steps: readonly WriteStep[]): Written<number> =>
      inSavepoint<Written<number>>(
        () => ({ is: 'done', result: runSteps(prepare, steps) }),
        (error) => (error instanceof Unmoved ? { is: 'done', result: 0 } : failed(error)),
      ),
    rows: (text: string, cells: readonly Cell[]): Written<readonly object[]> =>
      inSavepoint<Written<readonly object[]>>(() => ({ is: 'done', result: prepare(text).all(...cells) }), failed),
  };
}

/**
 * As many payments as a search reads in less than a millisecond. Batches of 1,000 cost the writer 3 % less, but delayed the commits behind
 * them by 35 ms.
 */
export const KEYS_BATCH = 250;

/** A trigger of the cursor writes the words of the payments that it passes (migration 26): they are one change. */
export const searchKeyStatements = {
  cursor: 'SELECT last, (SELECT COALESCE(MAX(rowid), 0) FROM payment) AS newest FROM search_word_cursor WHERE id = 1',
  advance: 'UPDATE search_word_cursor SET last = ?1 WHERE id = 1',
} as const;

/**
 * Writes the search keys of payments, in batches, within a transaction that the caller has begun. Keys and cursor are one change, so
 * that the keys of a payment are written once. `isDue`: the backlog has a batch.
 */
type SearchKeys = { isDue(): boolean; noteInserted(count: number): void; writeBatch(): void };

export function createSearchKeys(db: DatabaseSync, portion = KEYS_BATCH): SearchKeys {
  const readCursor = db.prepare(searchKeyStatements.cursor);
  const advance = db.prepare(searchKeyStatements.advance);
  const cursor = () => readCursor.get() as { readonly last: number; readonly newest: number };
  const { last, newest } = cursor();
  let waiting = newest - last;
  return {
    isDue: () => waiting >= portion,
    noteInserted: (count) => {
      waiting += count;
    },
    writeBatch: () => {
      const { last, newest } = cursor();
      const end = Math.min(newest, last + 2 * portion);
      if (end > last) advance.run(end);
      waiting = newest - end;
    },
  };
}
