import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { sqliteCode } from './sqlite/errors.ts';

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
