import { isAscii } from 'node:buffer';
import type { Rest } from '../runtime/ticks.ts';
import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { parameters } from '../spec/parameters.ts';
import type { Fault } from './checked.ts';
import {
  bodyBytesMax,
  depthMax,
  faultNameMax,
  fewFieldsMax,
  fieldsMax,
  misreadsMax,
  nameBytesMax,
  valueBytesMax,
} from './limits.ts';
import { unescaped } from './percent.ts';

/** A fault of the encoding, and how many fields had been read before it: faults are reported in the order of the request. */
type Misread = Fault & { readonly after: number };

/** A form as it came in: flat wire names and their texts. Names are not yet held against the catalogue. */
export type Decoded = {
  /** In the order of the request. A repeated name has its last text, at the position of the first. */
  readonly fields: ReadonlyMap<string, string>;
  /** Names that were sent more than once; check decides what that means. */
  readonly repeated: ReadonlySet<string>;
  readonly faults: readonly Misread[];
  /** False if a limit was exceeded and reading stopped; a parameter that looks absent may have been sent. */
  readonly isWhole: boolean;
  /** The names that an endpoint does not read, once `check` has looked for all of them. */
  unknown?: { readonly by: string; readonly names: readonly string[] };
  /** Set for a long form: lets other requests in between two parts of the work on it. */
  readonly rest?: Rest;
};

type Reading = {
  readonly fields: Map<string, string>;
  repeated: Set<string>;
  readonly faults: Misread[];
  isWhole: boolean;
  /** The text between two `&`, empty or not. */
  pieces: number;
  readonly piecesMax: number;
};

/**
 * A long slice of a string keeps the whole string alive: a stored order number would hold the card number and the security code
 * that came in the same body. So a value of this length or more is copied; the engine copies shorter ones anyway.
 */
const sliceLengthMin = 13;
const AMPERSAND = 0x26;
const NONE: ReadonlySet<string> = new Set();
// A mark at the start is kept, so that it makes an unknown name instead of vanishing.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads application/x-www-form-urlencoded once from left to right. There is no nesting here: `cart.items[0].name` is a name like
 * any other, so nothing a client sends can build an object or reach a prototype.
 */
export function decode(body: Uint8Array | string): Decoded {
  const reading = createReading();
  begin(reading, body)(Number.POSITIVE_INFINITY);
  return reading;
}

/** The same for a form that has a few fields by its nature. Anybody may send one, and it is read in one go: the rest is left unread. */
export function decodeFew(body: Uint8Array): Decoded {
  const reading = createReading(fewFieldsMax);
  begin(reading, body)(Number.POSITIVE_INFINITY);
  return reading;
}

/** As many pieces as are read in a few milliseconds, also where each of them is as long as it can be. */
const SLICE_PIECES = 250;
/** As many bytes as become text at a time. A block ends with a field, and so is longer where a field is. */
const BLOCK_BYTES = 65_536;
/** The longest name as it may be sent, in escapes alone. */
const RAW_NAME_BYTES_MAX = 3 * nameBytesMax;
/** A longer field has a name or a value that is too long. */
const FIELD_BYTES_MAX = RAW_NAME_BYTES_MAX + 1 + valueBytesMax;
const TOO_LONG = `must not be longer than ${valueBytesMax} bytes, escapes included`;
const NAME_TOO_LONG = `must have a name of at most ${nameBytesMax} bytes`;

/** The same for a long form: `rest` lets other requests in between two slices of it. */
export async function decodeInSlices(body: Uint8Array, rest: () => Promise<void>, piecesMax = fieldsMax): Promise<Decoded> {
  const reading = createReading(piecesMax);
  const bytes = bufferOf(body);
  const isTooLong = bytes.length > bodyBytesMax;
  if (isTooLong) begin(reading, bytes);
  for (let start = 0; start < bytes.length && !isTooLong && reading.isWhole; ) {
    const end = blockEnd(bytes, start);
    const block = bytes.subarray(start, end);
    if (block.length > BLOCK_BYTES + FIELD_BYTES_MAX) refuseField(reading, block);
    else {
      const readOn = begin(reading, block);
      if (block.length > 2 * BLOCK_BYTES) await rest();
      while (!readOn(SLICE_PIECES)) await rest();
    }
    await rest();
    start = end;
  }
  return { ...reading, rest };
}

/** A block ends behind a field. One that is too long to be read is a block of its own, which no other one is as long as. */
function blockEnd(bytes: Buffer, start: number): number {
  const separator = bytes.indexOf(AMPERSAND, start + BLOCK_BYTES);
  const end = separator < 0 ? bytes.length : separator + 1;
  if (end - start <= BLOCK_BYTES + FIELD_BYTES_MAX) return end;
  const before = bytes.subarray(start, start + BLOCK_BYTES).lastIndexOf(AMPERSAND);
  return before < 0 ? end : start + before + 1;
}

/** Refuses a field that is too long without making a text of it. */
function refuseField(reading: Reading, field: Buffer): void {
  const head = field.toString('utf8', 0, RAW_NAME_BYTES_MAX + 1);
  if (isOneMore(reading, head, 0, head.length)) misread(reading, rawName(head), head.includes('=') ? TOO_LONG : NAME_TOO_LONG);
}

const bufferOf = (body: Uint8Array): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.length);

const createReading = (piecesMax = fieldsMax): Reading => ({
  fields: new Map(),
  repeated: NONE as Set<string>,
  faults: [],
  isWhole: true,
  pieces: 0,
  piecesMax,
});

/** Reads so many pieces more; true: all are read. */
type ReadOn = (piecesMax: number) => boolean;

const nothingLeft: ReadOn = () => true;

function begin(reading: Reading, body: Uint8Array | string): ReadOn {
  if (body.length > bodyBytesMax || (typeof body === 'string' && Buffer.byteLength(body) > bodyBytesMax)) {
    reading.faults.push({ name: 'body', value: null, message: `must not be longer than ${bodyBytesMax} bytes`, after: 0 });
    reading.isWhole = false;
    return nothingLeft;
  }
  // A lone surrogate becomes an escape that is not UTF-8, and is refused as such.
  if (typeof body === 'string')
    return fieldReader(reading, body.isWellFormed() ? body : body.replace(/\p{Cs}/gu, '%ED%A0%80'), null);
  const bytes = bufferOf(body);
  if (isAscii(bytes)) return fieldReader(reading, bytes.toString('latin1'), bytes);
  const text = strictly(bytes);
  return text !== undefined ? fieldReader(reading, text, null) : brokenReader(reading, bytes.toString('latin1'));
}

/** True for a body that was written as JSON: the HTTP layer can then say more than that every parameter is missing. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[\]{["])/.test(text);
}

/** Undefined when the bytes are no UTF-8. */
function strictly(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The next escape and the next plus are remembered across fields: most fields have neither and are used unchanged. `bytes`
 * are those of the text when it is ASCII, so that both have the same positions.
 */
function fieldReader(reading: Reading, text: string, bytes: Buffer | null): ReadOn {
  const length = text.length;
  const nul = next(text, '\0', 0);
  const at = { start: 0, percent: next(text, '%', 0), plus: next(text, '+', 0), equals: next(text, '=', 0), nul };
  return (piecesMax) => {
    let { start, percent, plus, equals, nul } = at;
    for (let pieces = 0; pieces < piecesMax && start < length && reading.isWhole; pieces += 1) {
      const end = next(text, '&', start);
      if (!isOneMore(reading, text, start, end)) return true;
      if (end > start) {
        const isPlain = percent > end && plus > end && nul > end;
        const nameEnd = equals < end ? equals : end;
        const known = knownName(text, start, nameEnd);
        const from = nameEnd + 1;
        const tooLong = lengthFault(text, { start, nameEnd, end });
        if (tooLong !== null) misread(reading, rawName(text.slice(start, end)), tooLong);
        else if (!isPlain) keepUnescaped(reading, known ?? text.slice(start, nameEnd), text.slice(from, end));
        else if (known !== null) put(reading, known, copied(text, bytes, from, end));
        else keep(reading, text.slice(start, nameEnd), copied(text, bytes, from, end));
        if (percent < end) percent = next(text, '%', end);
        if (plus < end) plus = next(text, '+', end);
        if (equals < end) equals = next(text, '=', end);
        if (nul < end) nul = next(text, '\0', end);
      }
      start = end + 1;
    }
    at.start = start;
    at.percent = percent;
    at.plus = plus;
    at.equals = equals;
    at.nul = nul;
    return start >= length || !reading.isWhole;
  };
}

/** The message about a name or value that is too long to be read. A character has three bytes at most. */
function lengthFault(
  text: string,
  { start, nameEnd, end }: { readonly start: number; readonly nameEnd: number; readonly end: number },
): string | null {
  if (nameEnd - start > RAW_NAME_BYTES_MAX) return NAME_TOO_LONG;
  if (end - nameEnd <= valueBytesMax / 3) return null;
  return isLonger(text.slice(nameEnd + 1, end), valueBytesMax) ? TOO_LONG : null;
}

const isLonger = (text: string, bytesMax: number): boolean =>
  text.length > bytesMax || (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax);

/** A part of the text that keeps nothing else of it alive. */
function copied(text: string, bytes: Buffer | null, from: number, end: number): string {
  if (end - from < sliceLengthMin) return text.slice(from, end);
  return bytes ? bytes.toString('latin1', from, end) : Buffer.from(text.slice(from, end)).toString();
}

/** The next position of the sign, or the end of the text; an absent sign is searched for only once. */
function next(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found < 0 ? (sign === '&' ? text.length : Number.POSITIVE_INFINITY) : found;
}

/** One character is one byte here. Every field is decoded separately, so that the fault names the right one. */
function brokenReader(reading: Reading, latin1: string): ReadOn {
  let start = 0;
  return (piecesMax) => {
    for (let pieces = 0; pieces < piecesMax && start < latin1.length && reading.isWhole; pieces += 1) {
      const end = next(latin1, '&', start);
      const piece = latin1.slice(start, end);
      const text = strictly(Buffer.from(piece, 'latin1'));
      if (text === '') isOneMore(reading, '', 0, 0);
      else if (text !== undefined) fieldReader(reading, text, null)(1);
      else misread(reading, rawName(piece), 'must be UTF-8');
      start = end + 1;
    }
    return start >= latin1.length || !reading.isWhole;
  };
}

function keepUnescaped(reading: Reading, rawName: string, rawValue: string): void {
  const name = rawName.includes('%') || rawName.includes('+') ? unescaped(rawName) : rawName;
  const value = unescaped(rawValue);
  if (name === undefined || value === undefined) misread(reading, name ?? rawName, 'must be percent-encoded UTF-8');
  else if (name.includes('\0')) misread(reading, name, 'must not have a NUL in its name');
  else keep(reading, name, value);
}

function keep(reading: Reading, name: string, value: string): void {
  const message = nameFault(name);
  if (message !== null) {
    misread(reading, name, message);
    return;
  }
  put(reading, name, value);
}

/** The name is known to be well formed. */
function put(reading: Reading, name: string, value: string): void {
  const { fields } = reading;
  const before = fields.size;
  fields.set(name, value);
  if (fields.size > before) return;
  if (reading.repeated === NONE) reading.repeated = new Set();
  reading.repeated.add(name);
}

/** Counts a piece: an empty one costs as much work as any other. False: there are too many, and the rest is not read. */
function isOneMore(reading: Reading, text: string, start: number, end: number): boolean {
  reading.pieces += 1;
  if (reading.pieces <= reading.piecesMax) return true;
  const message = `must not be sent: at most ${reading.piecesMax} parameters are read, empty ones included`;
  misread(reading, start === end ? 'body' : rawName(text.slice(start, end)), message);
  reading.isWhole = false;
  return false;
}

/** The fault of a name, whatever the catalogue has. */
function nameFault(name: string): string | null {
  if (isLonger(name, nameBytesMax)) return NAME_TOO_LONG;
  // Fewer characters than this cannot name more steps.
  if (name.length < 2 * depthMax + 1 || separatorsIn(name) < depthMax) return null;
  return stepsOf(name) > depthMax ? `must have a name of at most ${depthMax} steps` : null;
}

/** How many steps can begin in a name after its first one. */
function separatorsIn(name: string): number {
  let count = 0;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code === DOT || code === BRACKET) count += 1;
  }
  return count;
}

const [DOT, BRACKET] = [0x2e, 0x5b];

/** A key in brackets is one step, even with dots in it. */
function stepsOf(name: string): number {
  const names = name.includes('[') ? name.replace(/\[[^\]]*\]?/g, '.') : name;
  let steps = 1;
  for (let dot = names.indexOf('.'); dot >= 0; dot = names.indexOf('.', dot + 1)) steps += 1;
  return steps;
}

// The value may be a card number under an unreadable name, so it is never sent back.
function misread(reading: Reading, name: string, message: string): void {
  reading.faults.push({ name: printable(name), value: '***', message, after: reading.fields.size });
  if (reading.faults.length >= misreadsMax) reading.isWhole = false;
}

/** As much of the name as is shown. */
function rawName(piece: string): string {
  const equals = piece.indexOf('=');
  const raw = piece.slice(0, Math.min(equals < 0 ? piece.length : equals, RAW_NAME_BYTES_MAX));
  return unescaped(raw) ?? raw;
}

/**
 * An unknown name as a reply or a log may show it: short, on one line, without anything that hides or turns around
 * other text, and without a long number, because a body without names is read as a name.
 */
export function printable(name: string, lengthMax = faultNameMax): string {
  const shown = name
    .slice(0, 2 * lengthMax)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
    .replace(/[0-9][0-9 -]{6,}[0-9]/g, '***');
  return maskCardNumbers(shown, { isStrict: true }).slice(0, lengthMax).toWellFormed();
}

/**
 * The names of the catalogue, found by their length and a few of their characters. A name from here is the very string that other tables
 * have as their key; one that is cut out of a form is another string, which the engine has to look up before it can compare the two.
 */
const SLOTS = 2_048;

/** Factors for which few names share a slot. */
const slotOf = (text: string, start: number, end: number): number => {
  const length = end - start;
  const characters =
    text.charCodeAt(start) * 389 + text.charCodeAt(start + (length >> 2)) * 613 + text.charCodeAt(start + (length >> 1)) * 97;
  return (length * 1_543 + characters + text.charCodeAt(end - 1) * 31) & (SLOTS - 1);
};

/** Names in the order of their slots. Where a slot is taken, a name is in the next free one. */
const slots: readonly (string | null)[] = createSlots();

function createSlots(): (string | null)[] {
  const made = Array<string | null>(SLOTS).fill(null);
  // A name with an index or a key stands for many.
  for (const name of Object.keys(parameters).filter((one) => !one.includes('['))) {
    let slot = slotOf(name, 0, name.length);
    while (made[slot] !== null) slot = (slot + 1) % SLOTS;
    made[slot] = name;
  }
  return made;
}

/** The name that this part of a text is; null when the catalogue has no such name, or has it with an index or a key. */
export function knownName(text: string, start: number, end: number): string | null {
  if (end <= start) return null;
  for (let slot = slotOf(text, start, end); ; slot = (slot + 1) % SLOTS) {
    const name = slots[slot] as string | null;
    if (name === null) return null;
    // To compare with a part that was cut out is quicker than to compare inside the text.
    if (name.length === end - start && text.slice(start, end) === name) return name;
  }
}
