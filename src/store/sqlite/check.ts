import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';

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

/** The WAL of the database has content: only SQLite itself can read the two together. */
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

/** The fault of its first bytes or its length; null: none. */
function headerFault(path: string): string | null {
  const bytes = sizeOf(path);
  const header = firstBytes(path, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'it does not begin as one';
  const size = header.readUInt16BE(16);
  const page = size === 1 ? 65_536 : size;
  const pages = header.readUInt32BE(28);
  // While there is a WAL, a checkpoint of it may be under way.
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

/** Checks the content of an open database: that it is ours, and whole as far as a quick check shows. */
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

/**
 * SQLite reads its log up to the first frame whose checksum is wrong and takes the rest for a write that was cut off. Mostly it is. But a
 * transaction is written only after the one before it was synced, so the ends of two transactions behind such a frame mean that what was
 * acknowledged is damaged: it would be lost without a word.
 */

const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 24;
const WAL_MAGIC = 0x377f0682;
const PAGE_SIZES = /^(?:512|1024|2048|4096|8192|16384|32768|65536)$/;

type Sums = readonly [one: number, two: number];

/** The checksum of the file format: words in the order that the header tells, each sum folded into the other. */
function summed(
  bytes: Buffer,
  from: number,
  to: number,
  { start, isBig }: { readonly start: Sums; readonly isBig: boolean },
): Sums {
  let [one, two] = start;
  for (let at = from; at < to; at += 8) {
    const [first, second] = isBig
      ? [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      : [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    one = (one + first + two) >>> 0;
    two = (two + second + one) >>> 0;
  }
  return [one, two];
}

const isSame = (bytes: Buffer, at: number, [one, two]: Sums): boolean =>
  bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two;

type Log = { readonly page: number; readonly isBig: boolean; readonly salt: Buffer; readonly sums: Sums };

/** Null: this is no header of a WAL. */
function headerOf(header: Buffer): Log | null {
  const magic = header.readUInt32BE(0);
  const isBig = magic === WAL_MAGIC + 1;
  if (magic !== WAL_MAGIC && !isBig) return null;
  const sums = summed(header, 0, 24, { start: [0, 0], isBig });
  const page = header.readUInt32BE(8);
  return isSame(header, 24, sums) && PAGE_SIZES.test(String(page)) ? { page, isBig, salt: header.subarray(16, 24), sums } : null;
}

/** The fault of a WAL; null: none, or no more than a power cut leaves behind. */
export function walFault(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return faultIn(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function faultIn(file: number, size: number): string | null {
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  if (size <= WAL_HEADER_BYTES || readSync(file, header, 0, WAL_HEADER_BYTES, 0) < WAL_HEADER_BYTES) return null;
  // Room that was made and never written is all zeros.
  if (header.every((byte) => byte === 0)) return null;
  const log = headerOf(header);
  return log === null ? 'its log does not begin as one' : frameFault(file, size, log);
}

function frameFault(file: number, size: number, { page, isBig, salt, sums: start }: Log): string | null {
  const frame = Buffer.alloc(FRAME_BYTES + page);
  let sums = start;
  let brokenAt: number | null = null;
  let commits = 0;
  for (let at = WAL_HEADER_BYTES, number = 1; at + frame.length <= size; at += frame.length, number += 1) {
    readSync(file, frame, 0, frame.length, at);
    // The rest is of an earlier round of the log and was taken over long ago.
    const isOurs = frame.subarray(8, 16).equals(salt);
    if (!isOurs && brokenAt === null && !isOfThisRound(file, at + frame.length, { size, length: frame.length, salt }))
      return null;
    if (brokenAt === null) {
      const next = summed(frame, FRAME_BYTES, frame.length, { start: summed(frame, 0, 8, { start: sums, isBig }), isBig });
      if (isOurs && isSame(frame, 16, next)) sums = next;
      else brokenAt = number;
    }
    if (brokenAt !== null && isOurs && frame.readUInt32BE(4) !== 0) commits += 1;
    if (commits === 2) return `its log is broken at frame ${brokenAt}, before transactions that were completed`;
  }
  return null;
}

type Round = { readonly size: number; readonly length: number; readonly salt: Buffer };

/** Whether a frame of this round stands right there. */
function isOfThisRound(file: number, at: number, { size, length, salt }: Round): boolean {
  if (at + length > size) return false;
  const head = Buffer.alloc(FRAME_BYTES);
  readSync(file, head, 0, FRAME_BYTES, at);
  return head.subarray(8, 16).equals(salt);
}
