import { isIPv6 } from 'node:net';

/** The first faults of a file of ranges, each with its line. */
export type FileFaults = { readonly faults: readonly string[] };

export const isFaulty = (parsed: object): parsed is FileFaults => 'faults' in parsed;

const FAULTS_MAX = 10;
const LINES_MAX = 2_000_000;
const SHOWN_MAX = 24;

/** An excerpt for messages. A wrong file may contain anything, so only the BIN of a long number is shown, and the start of a string. */
export const shown = (text: string): string => {
  const masked = text.replace(/([0-9]{8})[0-9]+/g, '$1…');
  return JSON.stringify(masked.length > SHOWN_MAX ? `${masked.slice(0, SHOWN_MAX)}…` : masked);
};

type Rows = {
  readonly columns: readonly string[];
  /** How many of the columns are required. */
  readonly needed: number;
  /** Receives the cells of one line; returns their fault, or null. */
  take(cells: readonly string[], line: number): string | null;
};

/** The number of lines: an upper bound for the number of rows. */
export function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * Reads comma-separated lines. Empty lines, lines that begin with # and a header line are skipped; a quoted cell may contain commas and
 * doubled quotation marks. Returns the faults.
 */
export function readRows(text: string, { columns, needed, take }: Rows): readonly string[] {
  const lines = linesOf(text);
  if (lines > LINES_MAX) return [`has ${lines} lines, and ${LINES_MAX} are the most that are read`];
  const faults: string[] = [];
  let [line, at] = [0, text.charCodeAt(0) === 0xfeff ? 1 : 0];
  while (at < text.length && faults.length < FAULTS_MAX) {
    const end = text.indexOf('\n', at);
    const row = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    line += 1;
    if (row === '' || row.startsWith('#')) continue;
    const cells = cellsOf(row);
    if (line === 1 && cells?.join().toLowerCase() === columns.slice(0, cells?.length).join()) continue;
    const isWhole = cells !== null && cells.length >= needed && cells.length <= columns.length;
    const says = isWhole ? take(cells, line) : `is not ${columns.join(',')}`;
    if (says !== null) faults.push(`line ${line}: ${says}`);
  }
  return faults.length < FAULTS_MAX ? faults : [...faults, 'and perhaps more'];
}

const QUOTED = /^(?:[^",]*|"(?:[^"]|"")*")(?:,(?:[^",]*|"(?:[^"]|"")*"))*$/;

function cellsOf(row: string): readonly string[] | null {
  if (!row.includes('"')) return row.split(',').map((cell) => cell.trim());
  if (!QUOTED.test(row)) return null;
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, marked, plain]) =>
    (marked?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

/**
 * Ranges of numbers with a value each, found by binary search in typed arrays. A number is one or more words of 32 bits, the highest
 * first: a BIN or a v4 address has one, a v6 address four.
 */
export type Ranges = {
  readonly is: 'ranges';
  /** The index of the piece that contains a number; -1 when it is before all of them. */
  pieceOf(number: ArrayLike<number>): number;
  /** The value of a piece; NOTHING between the ranges and for an index out of bounds. */
  valueOf(piece: number): number;
  /** The first number of a piece, of ranges with one word. */
  startOf(piece: number): number;
};

export const NOTHING = -1;

/** Two ranges that conflict, by their position in the order of add(). */
type RangeConflict = { readonly at: number; readonly with: number; readonly is: 'same' | 'across' };

export type RangesBuilder = {
  add(from: ArrayLike<number>, to: ArrayLike<number>, value: number): void;
  /** Of nested ranges the innermost applies. */
  build(): Ranges | RangeConflict;
};

const WORD_MAX = 0xffffffff;

type Bounds = { readonly words: number; readonly from: Uint32Array; readonly to: Uint32Array; readonly values: Int32Array };

function compareAt(words: number, one: Uint32Array, at: number, [other, otherAt]: readonly [ArrayLike<number>, number]): number {
  for (let word = 0; word < words; word += 1) {
    const apart = (one[at * words + word] as number) - (other[otherAt * words + word] as number);
    if (apart !== 0) return apart;
  }
  return 0;
}

/** `rangesMax`: an upper bound for the number of add() calls. */
export function createRangesBuilder(words: number, rangesMax: number): RangesBuilder {
  const from = new Uint32Array(rangesMax * words);
  const to = new Uint32Array(rangesMax * words);
  const values = new Int32Array(rangesMax);
  let count = 0;
  return {
    add(first, last, value) {
      for (let word = 0; word < words; word += 1) {
        from[count * words + word] = first[word] as number;
        to[count * words + word] = last[word] as number;
      }
      values[count] = value;
      count += 1;
    },
    build: () => flattened({ words, from, to, values }, count),
  };
}

/** Sorted by start, outer ranges before inner ones. */
function ordered({ words, from, to }: Bounds, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[at] = at;
  return order.sort(
    (one, other) => compareAt(words, from, one, [from, other]) || compareAt(words, to, other, [to, one]) || one - other,
  );
}

/** Turns nested ranges into adjacent pieces in one pass, with a stack of the ranges that are open at each point. */
function flattened(bounds: Bounds, count: number): Ranges | RangeConflict {
  const { words, from, to, values } = bounds;
  const pieces = createPieces(words, 2 * count + 1);
  const open: number[] = [];
  const close = (): void => {
    const closed = open.pop() as number;
    const outer = open.at(-1);
    pieces.beginAfter(to, closed, outer === undefined ? NOTHING : (values[outer] as number));
  };
  for (const at of ordered(bounds, count)) {
    for (let top = open.at(-1); top !== undefined && compareAt(words, to, top, [from, at]) < 0; top = open.at(-1)) close();
    const outer = open.at(-1);
    if (outer !== undefined) {
      const reach = compareAt(words, to, at, [to, outer]);
      if (reach > 0) return { at, with: outer, is: 'across' };
      const isSame = reach === 0 && compareAt(words, from, at, [from, outer]) === 0;
      if (isSame && values[at] !== values[outer]) return { at, with: outer, is: 'same' };
    }
    pieces.begin(from, at, values[at] as number);
    open.push(at);
  }
  while (open.length > 0) close();
  return pieces.done();
}

function createPieces(words: number, piecesMax: number) {
  const starts = new Uint32Array(piecesMax * words);
  const values = new Int32Array(piecesMax);
  const start = new Uint32Array(words);
  let count = 0;
  const begin = (numbers: Uint32Array, at: number, value: number): void => {
    // When several ranges begin or end at the same number, the last one determines the piece.
    const isAgain = count > 0 && compareAt(words, starts, count - 1, [numbers, at]) === 0;
    if (isAgain) count -= 1;
    if (count > 0 && values[count - 1] === value) return;
    for (let word = 0; word < words; word += 1) starts[count * words + word] = numbers[at * words + word] as number;
    values[count] = value;
    count += 1;
  };
  return {
    begin,
    /** Nothing comes after the highest number of all. */
    beginAfter(numbers: Uint32Array, at: number, value: number): void {
      for (let word = 0; word < words; word += 1) start[word] = numbers[at * words + word] as number;
      let word = words - 1;
      while (word >= 0 && start[word] === WORD_MAX) {
        start[word] = 0;
        word -= 1;
      }
      if (word < 0) return;
      start[word] = (start[word] as number) + 1;
      begin(start, 0, value);
    },
    done: (): Ranges => searched({ words, starts: starts.slice(0, count * words), values: values.slice(0, count) }),
  };
}

type Pieces = { readonly words: number; readonly starts: Uint32Array; readonly values: Int32Array };

const searched = ({ words, starts, values }: Pieces): Ranges => ({
  is: 'ranges',
  pieceOf(number) {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAt(words, starts, middle, [number, 0]) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  },
  valueOf: (piece) => values[piece] ?? NOTHING,
  startOf: (piece) => starts[piece] ?? Number.POSITIVE_INFINITY,
});

/**
 * IP addresses as words of 32 bits. Files contain hundreds of thousands of them: risk/normalise.ts, which uses bigint, takes four times as
 * long.
 */

const DOT = 46;
const COLON = 58;
const ZERO = 48;
const MAPPED = 0xffff;

/** The word of a dotted v4 address between two positions of a string; -1 when it is none. */
function fourIn(text: string, from: number, to: number): number {
  let [value, part, digits, dots] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0) return -1;
      value = value * 256 + part;
      [part, digits] = [0, 0];
      dots += 1;
      continue;
    }
    // Some parsers read a leading zero as octal.
    if (code < ZERO || code > ZERO + 9 || (digits > 0 && part === 0)) return -1;
    part = part * 10 + code - ZERO;
    digits += 1;
    if (part > 255) return -1;
  }
  return dots === 3 && digits > 0 ? value * 256 + part : -1;
}

const digitOf = (code: number): number => (code <= ZERO + 9 ? code - ZERO : (code & 0x5f) - 55);

/** Writes the eight groups of a valid v6 address. */
function sixInto(text: string, groups: Uint16Array): void {
  groups.fill(0);
  let [count, gap, group, digits] = [0, -1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      const four = fourIn(text, at - digits, text.length);
      groups[count] = four >>> 16;
      groups[count + 1] = four & 0xffff;
      [count, digits] = [count + 2, 0];
      break;
    }
    if (code !== COLON) {
      group = group * 16 + digitOf(code);
      digits += 1;
      continue;
    }
    if (digits > 0) groups[count++] = group;
    [group, digits] = [0, 0];
    if (text.charCodeAt(at + 1) === COLON) gap = count;
  }
  if (digits > 0) groups[count++] = group;
  if (gap === -1 || count === 8) return;
  groups.copyWithin(8 - (count - gap), gap, count);
  groups.fill(0, gap, 8 - (count - gap));
}

/** Parses addresses into one shared buffer: copy the words before the next call. */
type AddressReader = {
  readonly words: Uint32Array;
  /** The number of bits of the address in `words`; 0 when the string is no address. A v4-mapped v6 address has 32. */
  read(text: string): 0 | 32 | 128;
};

export function createAddressReader(): AddressReader {
  const words = new Uint32Array(4);
  const groups = new Uint16Array(8);
  return {
    words,
    read(text) {
      const four = fourIn(text, 0, text.length);
      if (four !== -1) {
        words[0] = four;
        return 32;
      }
      if (!isIPv6(text) || text.includes('%')) return 0;
      sixInto(text, groups);
      for (let at = 0; at < 4; at += 1) words[at] = (groups[2 * at] as number) * 65_536 + (groups[2 * at + 1] as number);
      if (words[0] !== 0 || words[1] !== 0 || words[2] !== MAPPED) return 128;
      words[0] = words[3] as number;
      return 32;
    },
  };
}

/** The prefix length after the slash; -1 when it is invalid for the address; `bits` without a slash. */
export function prefixOf(text: string, slash: number, bits: 32 | 128): number {
  if (slash === -1) return bits;
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return -1;
  // The prefix of a v4 network that is written as a v6 one counts the 96 bits in front of it.
  const written = text.lastIndexOf(':', slash) === -1 ? 32 : 128;
  const prefix = Number(digits) - (written - bits);
  return prefix >= 0 && prefix <= bits ? prefix : -1;
}

/** The first and the last address of a network. */
export function spanOf(words: Uint32Array, bits: 32 | 128, prefix: number): readonly [from: Uint32Array, to: Uint32Array] {
  const [from, to] = [words.slice(0, bits / 32), words.slice(0, bits / 32)];
  for (let at = 0; at < from.length; at += 1) {
    const own = Math.max(0, Math.min(32, prefix - 32 * at));
    const rest = own === 0 ? 0xffffffff : 2 ** (32 - own) - 1;
    from[at] = (from[at] as number) & ~rest;
    to[at] = (to[at] as number) | rest;
  }
  return [from, to];
}
