import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { appliedMigrations, migrationTable, noteMigration, outstanding } from './migrate.ts';
import type { Durability } from './store.ts';

export type SqlitePlace = { readonly path: string } | { readonly dataDir: string };

const FILE_NAME = 'turnpike.db';
/** How long a statement waits for another process that writes or moves the log into the database. */
const BUSY_MS = 10_000;

/** Where the database is, whether or not it is there. */
export const pathOf = (place: SqlitePlace): string => ('path' in place ? place.path : join(place.dataDir, FILE_NAME));

/** Makes folder and file readable by their owner only. SQLite gives the files that it puts beside the database the same mode. */
export function prepareFile(place: SqlitePlace): string {
  const path = pathOf(place);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A folder that was named for the data alone is ours to close; one that merely holds the file may serve others too.
  if ('dataDir' in place) chmodSync(place.dataDir, 0o700);
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return path;
}

/** 64 MiB in pages: the log is started anew when it is that long and its content is in the database. */
const LOG_PAGES = 16_000;

/** A connection that writes. */
export function openForWriting(path: string, durability: Durability = 'full'): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'OFF'}`);
  db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = -65536`);
  return db;
}

/** In KiB. */
const READ_CACHE = 32_768;

export function openForReading(path: string, cache = READ_CACHE): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  db.exec(`PRAGMA cache_size = -${cache}`);
  return db;
}

/** Brings the schema up to date. Several processes that open the same file at once take turns. */
export function migrateFile(path: string): void {
  const db = openForWriting(path);
  try {
    keepLog(db);
    db.exec('BEGIN IMMEDIATE');
    db.exec(migrationTable);
    const applied = db.prepare(appliedMigrations).all() as { readonly number: number }[];
    const note = db.prepare(noteMigration);
    for (const { number, name, text } of outstanding(
      'sqlite',
      applied.map((row) => row.number),
    )) {
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
      if (tries === TRIES_MAX) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}
