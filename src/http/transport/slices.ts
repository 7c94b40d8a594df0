import type { IncomingMessage } from 'node:http';

const BLANK_LINE = '\r\n\r\n';
/** So many characters of a blank line may have come before. */
const BEFORE_LENGTH = BLANK_LINE.length - 1;
const [CR, LF] = [0x0d, 0x0a];
const UNKNOWN = Number.POSITIVE_INFINITY;
const LINE_END_BYTES = 2;
/** A body of unknown length is handed over by so many chunks at a time. */
const CHUNKS_MAX = 32;

/** Where the first blank line from `start` on ends, or the bytes where they have none. `before`: the last characters in front of them. */
function blankLineEnd(bytes: Buffer, start: number, before: string): number {
  const border = before + bytes.toString('latin1', 0, BEFORE_LENGTH);
  const across = before === '' ? -1 : border.indexOf(BLANK_LINE);
  if (across >= 0) return across + BLANK_LINE.length - before.length;
  const at = bytes.indexOf(BLANK_LINE, start, 'latin1');
  return at < 0 ? bytes.length : at + BLANK_LINE.length;
}

function lineEndsAtStart(bytes: Buffer): number {
  let count = 0;
  while (bytes[count] === CR || bytes[count] === LF) count += 1;
  return count;
}

/** Where the head ends that begins in the bytes or goes on in them. Line ends in front of a head belong to it. */
const headEnd = (bytes: Buffer, before: string): number =>
  blankLineEnd(bytes, before === '' ? lineEndsAtStart(bytes) : 0, before);

/** Up to eight digits and a line end: such a line says how long the chunk behind it is, and cannot be read otherwise. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,8})\r\n/;
const SIZE_LINE_BEGUN = /^[0-9A-Fa-f]{0,8}\r?$/;
const SIZE_LINE_BYTES = 10;
/** The last chunk and nothing behind it. */
const BODY_END = /^0{1,6}\r\n\r\n/;

/** The position in a body in chunks: so many bytes of a chunk are to come, or a line with a size, which may have begun; `lost`: not known. */
type ChunkState = { readonly due: number; readonly line: string } | 'lost';

const START: ChunkState = { due: 0, line: '' };

/** Finds the end of the next chunks in these bytes, by their lines with sizes alone, and the position there. */
function passChunks(
  bytes: Buffer,
  { due, line }: Exclude<ChunkState, 'lost'>,
): { readonly end: number; readonly state: ChunkState } {
  let [at, begun] = [due, line];
  for (let count = 0; count < CHUNKS_MAX && at < bytes.length; count += 1) {
    const text = begun + bytes.toString('latin1', at, at + SIZE_LINE_BYTES - begun.length);
    const [sizeLine, digits = ''] = SIZE_LINE.exec(text) ?? [];
    const size = Number.parseInt(digits, 16);
    if (sizeLine === undefined && at + text.length - begun.length === bytes.length && SIZE_LINE_BEGUN.test(text))
      return { end: bytes.length, state: { due: 0, line: text } };
    const [end = ''] = BODY_END.exec(text) ?? [];
    if (end !== '') return { end: at + end.length - begun.length, state: 'lost' };
    // The last chunk with lines behind it, or something else than a size.
    if (sizeLine === undefined || size === 0) return { end: at, state: at === 0 ? 'lost' : { due: 0, line: begun } };
    at += sizeLine.length - begun.length + size + LINE_END_BYTES;
    begun = '';
  }
  return { end: Math.min(at, bytes.length), state: { due: Math.max(0, at - bytes.length), line: '' } };
}

/** Finds the end of a slice of a body of unknown length that does not begin with a chunk: the place where the body may end. */
function linesEnd(bytes: Buffer, before: string): number {
  let end = 0;
  for (let lines = 0; lines < 2 * CHUNKS_MAX && end < bytes.length; lines += 1) {
    const at = bytes.indexOf(LF, end);
    end = at < 0 ? bytes.length : at + 1;
  }
  return blankLineEnd(bytes.subarray(0, end), 0, before);
}

/** The last characters of a head or a body, for the slice behind this one. Line ends alone begin neither. */
function lastOf(bytes: Buffer, before: string): string {
  if (before === '' && lineEndsAtStart(bytes) === bytes.length) return '';
  const last = (before + bytes.toString('latin1', Math.max(0, bytes.length - BLANK_LINE.length))).slice(-BLANK_LINE.length);
  return last === BLANK_LINE ? '' : last.slice(-BEFORE_LENGTH);
}

/** The request that was begun last. */
export type LatestRequest = Pick<IncomingMessage, 'complete' | 'headers'>;

/** The announced length of a body; without one, its end is unknown. */
const lengthOf = ({ headers }: LatestRequest): number => Number(headers['content-length'] ?? UNKNOWN);

/** Cuts the bytes of a connection into slices for the parser. The end of a slice is known when the parser has read the one before. */
export interface Slices {
  /** The next slice belongs to the head of a request, to a body whose length is known, or to one in chunks. */
  readonly at: 'head' | 'body' | 'chunks';
  /** Where the first slice of these bytes ends. A head is a slice, and so is all of a body: its bytes are not looked at. */
  endOf(bytes: Buffer): number;
  /** The parser has read a slice. `begun`: how many requests have begun by now. */
  parsed(bytes: Buffer, state: { readonly latest: LatestRequest | null; readonly begun: number }): void;
  /** All of the latest request was handed over, and nothing of the next one. */
  readonly isBetweenRequests: boolean;
}

export function createSlices(): Slices {
  /** The request that was begun last, and how many bytes of its body are still to come; 0: the next head comes. */
  let [begun, missing] = [0, 0];
  /** The last characters of this head or body that were handed over. */
  let before = '';
  let chunks: ChunkState = START;
  return {
    get at() {
      return missing === 0 ? 'head' : missing === UNKNOWN ? 'chunks' : 'body';
    },
    get isBetweenRequests() {
      return missing === 0 && before === '';
    },
    endOf(bytes) {
      if (missing === 0) return headEnd(bytes, before);
      if (missing < UNKNOWN) return Math.min(missing, bytes.length);
      const end = chunks === 'lost' ? 0 : passChunks(bytes, chunks).end;
      return end === 0 ? linesEnd(bytes, before) : end;
    },
    parsed(bytes, { latest, begun: begunNow }) {
      const body = latest?.complete === false ? latest : null;
      if (begunNow !== begun || (body !== null) !== missing > 0) {
        [begun, missing, before, chunks] = [begunNow, body === null ? 0 : lengthOf(body), '', START];
        return;
      }
      if (body !== null && missing === UNKNOWN && chunks !== 'lost') chunks = passChunks(bytes, chunks).state;
      if (body !== null && missing < UNKNOWN) {
        // A body that does not end where it said is read until the parser says that it ends.
        missing = missing > bytes.length ? missing - bytes.length : UNKNOWN;
        chunks = 'lost';
      }
      before = lastOf(bytes, before);
    },
  };
}
