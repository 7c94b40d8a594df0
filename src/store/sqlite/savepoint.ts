import type { DatabaseSync } from 'node:sqlite';
import { BrokenCommit } from '../../payments/storeErrors.ts';

const CONSTRAINT = 19;
const FULL = 13;
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** No room for the index of the log: the whole code, an I/O error of a special kind. */
const SHM_SIZE = 4_874;

/** The lower byte of SQLite's code is the family of errors. */
const hasCode = (error: unknown, family: number): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === family;

const isWhole = (error: unknown, code: number): boolean => error instanceof Error && 'errcode' in error && error.errcode === code;

/** What was asked is at fault, not the database. */
export const isConstraint = (error: unknown): error is Error => error instanceof BrokenCommit || hasCode(error, CONSTRAINT);
/** SQLite names what refused in its message alone: a trigger as `name: text`, a CHECK behind `CHECK constraint failed: `. */
const REFUSED_BY = /^(?:CHECK constraint failed: )?(\w+)(?:$|: )/;

/** The constraint or trigger that refused; empty when none did. */
export const constraintIn = (error: Error): string =>
  error instanceof BrokenCommit ? error.constraint : (REFUSED_BY.exec(error.message)?.[1] ?? '');

export const isDiskFull = (error: unknown): boolean => hasCode(error, FULL) || isWhole(error, SHM_SIZE);
export const isBusy = (error: unknown): boolean => hasCode(error, BUSY) || hasCode(error, LOCKED);
export const isDamaged = (error: unknown): boolean => hasCode(error, CORRUPT) || hasCode(error, NOT_A_DATABASE);

/** A step that is undone, and answered for by `refuse`, when what it asks cannot be done; its neighbours in the transaction stay. */
export type InSavepoint = <T>(step: () => T, refuse: (error: Error) => T) => T;

export function createSavepoint(db: DatabaseSync): InSavepoint {
  const [set, release, undo] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')];
  return (step, refuse) => {
    set.run();
    try {
      const result = step();
      release.run();
      return result;
    } catch (error) {
      if (!isConstraint(error)) throw error;
      undo.run();
      release.run();
      return refuse(error);
    }
  };
}
