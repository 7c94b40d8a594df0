import type { DatabaseSync } from 'node:sqlite';
import { writes } from '../tables/statements.ts';
import { sqliteReturning } from './claimStatements.ts';
import { constraintIn } from './errors.ts';
import { type Failure, NOTHING, type RowsStep, Unmoved, type WriteStep } from './jobs.ts';
import { withUnplannedLimits } from './limits.ts';
import { createSavepoint } from './savepoint.ts';

type Written<T> = { readonly is: 'done'; readonly result: T } | Failed;
type Failed = { readonly is: 'failed'; readonly failure: Failure };

const failed = (error: Error): Failed => ({
  is: 'failed',
  failure:
    error instanceof Unmoved ? { kind: 'unmoved' } : { kind: 'broken', why: error.message, constraint: constraintIn(error) },
});

/** Some statements as one step within a transaction that the caller has begun and will end. */
export function createWrite(db: DatabaseSync): (steps: readonly WriteStep[], isEach?: boolean) => Written<number> {
  const statements = new Map(
    Object.entries(writes).map(([name, text]) => [name, { text, statement: db.prepare(withUnplannedLimits(text)) }]),
  );
  const inSavepoint = createSavepoint(db);
  const run = ([name, ...cells]: WriteStep): number => {
    const found = statements.get(name);
    if (!found) throw new Error(`no statement is called ${name}`);
    const { text, statement } = found;
    return text.includes('RETURNING')
      ? Number(statement.get(...cells)?.number ?? NOTHING)
      : Number(statement.run(...cells).changes);
  };
  const moved = (changes: number): number => {
    if (changes === 0) throw new Unmoved();
    return changes;
  };
  return (steps, isEach = false) => {
    const all = () => steps.reduce((sum, step) => sum + (isEach ? moved(run(step)) : run(step)), 0);
    return inSavepoint<Written<number>>(() => ({ is: 'done', result: all() }), failed);
  };
}

/** One statement that answers rows, as a step of the same kind. */
export function createRows(db: DatabaseSync): (step: RowsStep) => Written<readonly object[]> {
  const statements = new Map(
    Object.entries(sqliteReturning).map(([name, text]) => [name, db.prepare(withUnplannedLimits(text))]),
  );
  const inSavepoint = createSavepoint(db);
  return ([name, ...cells]) =>
    inSavepoint<Written<readonly object[]>>(() => ({ is: 'done', result: statements.get(name)?.all(...cells) ?? [] }), failed);
}
