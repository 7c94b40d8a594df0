import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { isBusy, isDamaged, isDiskFull } from '../errors.ts';
import { type AppliedMigration, appliedMigrations, migrationTable, noteMigration, outstanding } from '../migrate.ts';
import type { Durability } from '../store.ts';
import { checkContent, damaged, hasLog } from './check.ts';

export type SqliteLocation = { readonly path: string } | { readonly dataDir: string };

const FILE_NAME = 'turnpike.db';
/** How long a statement waits for another process that writes or moves the log into the database. */
const BUSY_MS = 10_000;

/** Where the database is, whether or not it is there. */
export const pathOf = (place: SqliteLocation): string => ('path' in place ? place.path : join(place.dataDir, FILE_NAME));

const folderFaults: Readonly<Record<string, string>> = {
  EEXIST: 'is a file, or stands below one: choose a folder',
  ENOTDIR: 'is a file, or stands below one: choose a folder',
  EACCES: 'may not be used by this user: give it the right to read and write there, or choose another folder',
  EPERM: 'may not be used by this user: it must belong to the user that runs the gateway',
  EROFS: 'is on a file system that can only be read: choose another folder',
  ENOSPC: 'is on a full disk: free some space',
  ENOENT: 'cannot be made: there is nothing to make it in',
  EISDIR: 'holds a folder in the place of the database: move it away',
  ENAMETOOLONG: 'has a name that is too long',
};

/** Why a folder cannot hold the data, and what to do: one line for the operator. */
export const folderFault = (folder: string, error: unknown): StoreOutOfOrder => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new StoreOutOfOrder(`DATA_DIR: ${folder} ${folderFaults[code] ?? `cannot be used: ${message}`}.`);
};

/**
 * Makes a folder, and those above it, for its owner alone. One by one: where the system says that a parent is missing which it will not let
 * be made, as below /proc, the runtime's own way of making them all tries for ever.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Makes folder and file readable by their owner only. SQLite gives the files that it puts beside the database the same mode. */
export function prepareFile(place: SqliteLocation): string {
  const path = pathOf(place);
  try {
    makeFolder(dirname(path));
    // A folder that was named for the data alone is ours to close; one that merely holds the file may serve others too.
    if ('dataDir' in place) chmodSync(place.dataDir, 0o700);
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw folderFault(dirname(path), error);
  }
  return path;
}

/** 64 MiB in pages: the WAL is restarted when it is that long and its content is in the database. */
export const LOG_PAGES = 16_000;

/** In KiB: enough for the pages that new rows go to, which stand at the ends of their tables and indexes. */
const WRITE_CACHE = 16_384;

/** A connection that writes. */
export function openForWriting(path: string, durability: Durability = 'full'): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'OFF'}`);
  db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = -${WRITE_CACHE}`);
  return db;
}

/** In KiB. Pages beyond it are in the page cache of the system. */
const READ_CACHE = 16_384;

export function openForReading(path: string, cache = READ_CACHE): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  db.exec(`PRAGMA cache_size = -${cache}`);
  return db;
}

/**
 * Brings the schema up to date. Several processes that open the same file together take turns. Returns false when the disk has no room to
 * open it for writing although it needs nothing new: then it can be read.
 */
export function migrateFile(path: string): boolean {
  try {
    migrate(path);
    return true;
  } catch (error) {
    if (isDamaged(error)) throw damaged(path, (error as Error).message);
    if (!isDiskFull(error)) throw error;
  }
  const reason = 'DATA_DIR: its disk is full, and the gateway cannot start';
  // Only SQLite could read the log, and for that it needs room too.
  if (hasLog(path)) throw new StoreOutOfOrder(`${reason} behind an end that was not orderly: free at least 1 MB.`);
  const db = openForReading(frozen(path));
  try {
    const applied = db.prepare(appliedMigrations).all() as AppliedMigration[];
    const isOld = outstanding('sqlite', applied);
    if (isOld.length > 0) throw new StoreOutOfOrder(`${reason} with a database of an older version: free some space.`);
  } catch (error) {
    throw error instanceof StoreOutOfOrder ? error : new StoreOutOfOrder(`${reason} with a new database: free some space.`);
  } finally {
    db.close();
  }
  return false;
}

/** The file as it stands there, read without the files that SQLite puts beside it: for a disk that has no room for them. */
export const frozen = (path: string): string => `${pathToFileURL(path).href}?immutable=1`;

function migrate(path: string): void {
  const db = openForWriting(path);
  try {
    checkContent(db, path);
    keepLog(db);
    db.exec('BEGIN IMMEDIATE');
    db.exec(migrationTable);
    const applied = db.prepare(appliedMigrations).all() as AppliedMigration[];
    const note = db.prepare(noteMigration);
    for (const { number, name, text } of outstanding('sqlite', applied)) {
      db.exec(text);
      note.run(number, name);
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

const TRIES_MAX = 200;

/** The change to WAL needs the file for itself for a moment, and SQLite does not wait for that moment on its own. */
function keepLog(db: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (tries === TRIES_MAX || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}

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
