import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { walFault } from './wal.ts';

/** Looks at the database before anything touches it: a damaged file is left as it is, so that data can be recovered from it. */

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Every page of a database up to this size is looked at; of a larger one that would take longer than a start may. */
export const WHOLE_BYTES_MAX = 33_554_432;

export const damaged = (path: string, what: string): StoreOutOfOrder =>
  new StoreOutOfOrder(
    `DATA_DIR: ${path} is damaged: ${what}. Keep a copy of the folder and restore it from a backup; nothing was changed.`,
  );

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The log beside the database has something in it: only SQLite itself can read the two together. */
export const hasLog = (path: string): boolean => sizeOf(`${path}-wal`) > 0;

function firstBytes(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, count, 0));
  } finally {
    closeSync(file);
  }
}

/** What its first bytes and its length tell; null when nothing is wrong with them. */
function headerFault(path: string): string | null {
  const bytes = sizeOf(path);
  const header = firstBytes(path, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'it does not begin as one';
  const size = header.readUInt16BE(16);
  const page = size === 1 ? 65_536 : size;
  const pages = header.readUInt32BE(28);
  // While there is a log, the database itself may be in the middle of taking it over.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92) && !hasLog(path);
  if (isCounted && bytes < pages * page) return `it has ${bytes} bytes of ${pages * page}, the rest is missing`;
  return isCounted && bytes % page !== 0 ? 'it ends in the middle of a page' : null;
}

/** Throws a sentence for the operator when the file is no database of ours that can be trusted. A file that is not there is none. */
export function checkFile(path: string): void {
  if (sizeOf(path) === 0) {
    if (hasLog(path)) throw damaged(path, 'it is empty, and its log is not');
    return;
  }
  const fault = headerFault(path) ?? walFault(`${path}-wal`);
  if (fault !== null) throw damaged(path, fault);
}

type Column = { readonly name: string };

/** Looks at what is in an open database: ours, and whole as far as that can be seen soon enough. */
export function checkContent(db: DatabaseSync, path: string): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all() as Column[];
  const names = new Set(tables.map(({ name }) => name));
  const columns = db.prepare("SELECT name FROM pragma_table_info('migration')").all() as Column[];
  const isOurs = columns.map(({ name }) => name).join(' ') === 'number name applied_at' && names.has('payment');
  if (names.size > 0 && !isOurs) {
    throw new StoreOutOfOrder(`DATA_DIR: ${path} is a database of another program: choose another folder. Nothing was changed.`);
  }
  if (sizeOf(path) > WHOLE_BYTES_MAX) return;
  // The quick check would not notice a row that is missing from an index, and a guard against doubles is an index.
  const [first] = db.prepare('PRAGMA integrity_check(1)').all() as { readonly integrity_check: string }[];
  if (first && first.integrity_check !== 'ok') throw damaged(path, first.integrity_check.replaceAll(/\s+/g, ' '));
}
