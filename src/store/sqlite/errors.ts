import { BrokenCommit } from '../../payments/storeErrors.ts';

const CONSTRAINT = 19;
const FULL = 13;
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** An extended code, of the family of I/O errors: the disk has no space for the index of the log. */
const SHM_SIZE = 4_874;

/** SQLite's result code; 0 when the error is not SQLite's. Its lower byte is the family. */
const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

const isOfFamily = (error: unknown, family: number): boolean => (resultCode(error) & 0xff) === family;

/** The request is at fault, not the database. */
export const isConstraint = (error: unknown): error is Error => error instanceof BrokenCommit || isOfFamily(error, CONSTRAINT);

/** SQLite names the refusing trigger or CHECK only in the message: `name: text`, or `CHECK constraint failed: name`. */
const REFUSED_BY = /^(?:CHECK constraint failed: )?(\w+)(?:$|: )/;

/** The constraint or trigger that refused; empty when none did. */
export const constraintIn = (error: Error): string =>
  error instanceof BrokenCommit ? error.constraint : (REFUSED_BY.exec(error.message)?.[1] ?? '');

export const isDiskFull = (error: unknown): boolean => isOfFamily(error, FULL) || resultCode(error) === SHM_SIZE;
export const isBusy = (error: unknown): boolean => isOfFamily(error, BUSY) || isOfFamily(error, LOCKED);
export const isDamaged = (error: unknown): boolean => isOfFamily(error, CORRUPT) || isOfFamily(error, NOT_A_DATABASE);

/** The code of an error for `StoreOutOfOrder`; empty when it is not SQLite's. */
export function sqliteCode(error: unknown): string {
  if (isDiskFull(error)) return 'SQLITE_FULL';
  if (isDamaged(error)) return 'SQLITE_CORRUPT';
  if (isOfFamily(error, READ_ONLY)) return 'SQLITE_READONLY';
  return resultCode(error) === 0 ? '' : `SQLITE_${resultCode(error)}`;
}
