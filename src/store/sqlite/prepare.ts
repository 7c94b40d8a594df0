import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements of one connection, each prepared on its first use. There are as many as the areas of the store have. */
export type Prepare = (text: string) => StatementSync;

/** `isArrays`: rows come without the names of their columns. */
export function createPrepare(db: DatabaseSync, isArrays = false): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(withUnplannedLimits(text));
    statement.setReturnArrays(isArrays);
    prepared.set(text, statement);
    return statement;
  };
}

const BARE_LIMIT = /\bLIMIT (\?\d+)/g;

/**
 * The text with every limit as an expression. SQLite plans a statement whose limit is a bare parameter for the value that it has, and
 * prepares it again for each execution; its plan without the value is the one that queryPlans.test.ts checks.
 */
export const withUnplannedLimits = (text: string): string => text.replace(BARE_LIMIT, 'LIMIT ($1 + 0)');
