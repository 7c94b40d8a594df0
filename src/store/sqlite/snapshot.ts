import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { isBusy } from '../errors.ts';
import { appliedMigrations } from '../migrate.ts';
import { damaged } from './check.ts';
import { openForReading } from './file.ts';

/** All pages in one step: SQLite would begin anew whenever another process writes between two steps. */
const PAGES_MAX = 2_147_483_647;

/** Copies a database as it is at one moment into a new file, in another thread, while payments are taken. Returns its migrations. */
export async function snapshotFile(path: string, into: string): Promise<readonly number[]> {
  if (!existsSync(path)) throw new StoreOutOfOrder(`There is no database at ${path}: start the gateway once.`);
  closeSync(openSync(into, 'wx', 0o600));
  const db = openForReading(path);
  try {
    await backup(db, into, { rate: PAGES_MAX });
  } finally {
    db.close();
  }
  return migrationsIn(into);
}

function migrationsIn(path: string): readonly number[] {
  const db = openForReading(path);
  try {
    return (db.prepare(appliedMigrations).all() as { readonly number: number }[]).map(({ number }) => number);
  } finally {
    db.close();
  }
}

/** Whether a file has tables. A damaged one counts as if it had. */
export function hasTables(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT COUNT(*) AS count FROM sqlite_schema WHERE type = 'table'").get() as {
      readonly count: number;
    };
    return tables.count > 0;
  } catch {
    return true;
  } finally {
    db.close();
  }
}

/** Reads every page of a restored file. */
export function checkPages(path: string): void {
  const db = openForReading(path);
  try {
    const [first] = db.prepare('PRAGMA quick_check(1)').all() as { readonly quick_check: string }[];
    if (first?.quick_check !== 'ok') throw damaged(path, first?.quick_check ?? 'it cannot be checked');
  } finally {
    db.close();
  }
}

/**
 * Puts a finished file in the place of a database, in one step; the file that was there stays under the name `kept`. Throws when a process has the
 * database open.
 */
export function replaceFile(finished: string, path: string, kept: string): void {
  if (existsSync(path)) {
    closeLog(path);
    linkSync(path, kept);
  }
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  syncPath(finished);
  renameSync(finished, path);
  syncPath(dirname(path));
}

/** Moves the log into the database, which needs the file alone: so a running gateway is noticed. A damaged file has no users. */
function closeLog(path: string): void {
  try {
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      db.exec('PRAGMA journal_mode = DELETE');
    } finally {
      db.close();
    }
  } catch (error) {
    if (isBusy(error)) throw new StoreOutOfOrder(`${path} is in use: stop the gateway first.`);
  }
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
