import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';

/** The code of a call without an answer within its limit. */
export const LATE = 'LATE';

const FULL = 'the database cannot be written: its disk is full';
const READ_ONLY = 'the database can be read only: it is a standby, or was set so';
const DAMAGED = 'the database is damaged';
const SLOW = 'the database does not answer in time';

/** SQLSTATEs of PostgreSQL, result codes of SQLite, and codes of the drivers. */
const problems: ReadonlyMap<string, string> = new Map([
  ['53100', FULL],
  ['SQLITE_FULL', FULL],
  ['25006', READ_ONLY],
  ['SQLITE_READONLY', READ_ONLY],
  ['XX001', DAMAGED],
  ['XX002', DAMAGED],
  ['SQLITE_CORRUPT', DAMAGED],
  ['57014', SLOW],
  ['55P03', SLOW],
  ['25P03', SLOW],
  ['CONNECT_TIMEOUT', SLOW],
  ['ETIMEDOUT', SLOW],
  [LATE, SLOW],
]);

const codeOf = (error: unknown): string =>
  error instanceof StoreOutOfOrder || error instanceof UnknownOutcome ? error.code : sqliteCode(error);

/** Describes an error of the store for a reader without privileges: without names, addresses or data. */
export const describeStoreError = (error: unknown): string => problems.get(codeOf(error)) ?? 'the database is out of order';

const FULL_FAMILY = 13;
const READ_ONLY_FAMILY = 8;
const CORRUPT_FAMILY = 11;
const NOT_A_DATABASE_FAMILY = 26;
/** An extended code, of the family of I/O errors: the disk has no space for the index of the WAL. */
const SHM_SIZE = 4_874;

/** SQLite's result code; 0 when the error is not SQLite's. */
const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** The lower byte of a result code is its family. */
const isOfFamily = (error: unknown, ...families: readonly number[]): boolean => families.includes(resultCode(error) & 0xff);

export const isDiskFull = (error: unknown): boolean => isOfFamily(error, FULL_FAMILY) || resultCode(error) === SHM_SIZE;
export const isDamaged = (error: unknown): boolean => isOfFamily(error, CORRUPT_FAMILY, NOT_A_DATABASE_FAMILY);

/** The code of an error of SQLite for `StoreOutOfOrder`; empty when it is not SQLite's. */
export function sqliteCode(error: unknown): string {
  if (isDiskFull(error)) return 'SQLITE_FULL';
  if (isDamaged(error)) return 'SQLITE_CORRUPT';
  if (isOfFamily(error, READ_ONLY_FAMILY)) return 'SQLITE_READONLY';
  return resultCode(error) === 0 ? '' : `SQLITE_${resultCode(error)}`;
}

const CONSTRAINT = 19;
const BUSY = 5;
const LOCKED = 6;

/** The request is at fault, not the database. */
export const isConstraint = (error: unknown): error is Error => error instanceof BrokenCommit || isOfFamily(error, CONSTRAINT);

export const isBusy = (error: unknown): boolean => isOfFamily(error, BUSY, LOCKED);

/** SQLite names the refusing trigger or CHECK only in the message: `name: text`, or `CHECK constraint failed: name`. */
const REFUSED_BY = /^(?:CHECK constraint failed: )?(\w+)(?:$|: )/;

/** The constraint or trigger that refused; empty when none did. */
export const constraintIn = (error: Error): string =>
  error instanceof BrokenCommit ? error.constraint : (REFUSED_BY.exec(error.message)?.[1] ?? '');
