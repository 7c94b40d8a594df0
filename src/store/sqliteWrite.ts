import type { DatabaseSync } from 'node:sqlite';
import { type Failure, NOTHING, type WriteStep } from './sqliteJobs.ts';
import { createSavepoint } from './sqliteSavepoint.ts';
import { writes } from './statements.ts';

type Written = { readonly result: number } | { readonly failure: Failure };

/** Some statements as one step within a transaction that the caller has begun and will end. */
export function createWrite(db: DatabaseSync): (steps: readonly WriteStep[]) => Written {
  const statements = new Map(Object.entries(writes).map(([name, text]) => [name, { text, statement: db.prepare(text) }]));
  const inSavepoint = createSavepoint(db);
  const run = ([name, ...cells]: WriteStep): number => {
    const found = statements.get(name);
    if (!found) throw new Error(`no statement is called ${name}`);
    const { text, statement } = found;
    return text.includes('RETURNING')
      ? Number(statement.get(...cells)?.number ?? NOTHING)
      : Number(statement.run(...cells).changes);
  };
  return (steps) =>
    inSavepoint<Written>(
      () => ({ result: steps.reduce((sum, step) => sum + run(step), 0) }),
      ({ message }) => ({ failure: { kind: 'broken', why: message } }),
    );
}
