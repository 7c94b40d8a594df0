import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * SQLite reads its log up to the first frame whose checksum is wrong and takes the rest for a write that was cut off. Mostly it is. But a
 * transaction is written only after the one before it was synced, so the ends of two transactions behind such a frame mean that what was
 * acknowledged is damaged: it would be lost without a word.
 */

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;
const MAGIC = 0x377f0682;
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

/** Null: what stands there is no header of a log. */
function headerOf(header: Buffer): Log | null {
  const magic = header.readUInt32BE(0);
  const isBig = magic === MAGIC + 1;
  if (magic !== MAGIC && !isBig) return null;
  const sums = summed(header, 0, 24, { start: [0, 0], isBig });
  const page = header.readUInt32BE(8);
  return isSame(header, 24, sums) && PAGE_SIZES.test(String(page)) ? { page, isBig, salt: header.subarray(16, 24), sums } : null;
}

/** What is wrong with a log; null: nothing, or no more than a power cut leaves behind. */
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
  const header = Buffer.alloc(HEADER_BYTES);
  if (size <= HEADER_BYTES || readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
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
  for (let at = HEADER_BYTES, number = 1; at + frame.length <= size; at += frame.length, number += 1) {
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
