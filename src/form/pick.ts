import { decode } from './decode.ts';
import { bodyBytesMax, fieldsMax } from './limits.ts';
import { digitOf } from './percent.ts';

const [AMPERSAND, EQUALS, PERCENT] = [0x26, 0x3d, 0x25];

/**
 * Only the fields of these names, which are ASCII, as `decode` reads them: of a repeated one the last that can be read. It looks at no more
 * pieces than `decode` and copies none of the others: it is used before the sender is known.
 */
export function pick(form: Buffer, names: readonly string[]): ReadonlyMap<string, string> {
  const picker = createPicker(form, names);
  picker.lookOn(Number.POSITIVE_INFINITY);
  return picker.picked();
}

/** As many pieces as are looked at in a millisecond. */
const PICK_PIECES = 4_096;

/** The same for a long form. */
export async function pickInSlices(
  form: Buffer,
  names: readonly string[],
  rest: () => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const picker = createPicker(form, names);
  while (!picker.lookOn(PICK_PIECES)) await rest();
  await rest();
  return picker.picked();
}

function createPicker(form: Buffer, names: readonly string[]) {
  const nameAt = nameFinder(names);
  const spans = new Map<string, Span[]>();
  const bytes = form.length > bodyBytesMax ? form.subarray(0, bodyBytesMax) : form;
  let [start, pieces] = [0, 0];
  /** Looks at so many pieces more; true: at all of them. */
  function lookOn(piecesMax: number): boolean {
    const last = Math.min(pieces + piecesMax, fieldsMax);
    for (; start < bytes.length && pieces < last; pieces += 1) {
      const end = pieceEnd(bytes, start);
      const name = nameAt(bytes, start);
      if (name !== null) addSpan(spans, name, { start, end });
      start = end + 1;
    }
    return start >= bytes.length || pieces >= fieldsMax;
  }
  function picked(): ReadonlyMap<string, string> {
    const values = new Map<string, string>();
    for (const [name, found] of spans) {
      const value = lastReadable(form, name, found);
      if (value !== undefined) values.set(name, value);
    }
    return values;
  }
  return { lookOn, picked };
}

type Span = { readonly start: number; readonly end: number };

/** The first fields of a form, for a reader that takes as long as there are fields. */
export function firstFields(form: Buffer, count: number): Buffer {
  let end = -1;
  for (let fields = 0; fields < count && end < form.length; fields += 1) end = pieceEnd(form, end + 1);
  return form.subarray(0, end);
}

/** So many bytes are looked at one by one: to call the engine's search for each of thousands of short pieces is ten times the work. */
const NEAR_BYTES = 32;

function pieceEnd(bytes: Buffer, start: number): number {
  const near = Math.min(start + NEAR_BYTES, bytes.length);
  for (let at = start; at < near; at += 1) if (bytes[at] === AMPERSAND) return at;
  const found = near < bytes.length ? bytes.indexOf(AMPERSAND, near) : -1;
  return found < 0 ? bytes.length : found;
}

/** Finds which of these names a piece of a form has. Nearly every piece is left at its first character. */
function nameFinder(names: readonly string[]): (bytes: Buffer, start: number) => string | null {
  const firsts = new Uint8Array(256);
  for (const name of names) firsts[name.charCodeAt(0)] = 1;
  return (bytes, start) => {
    const first = codeAt(bytes, start);
    if (firsts[first] !== 1) return null;
    for (const name of names) if (hasName(bytes, start, name)) return name;
    return null;
  };
}

/** The character of an ASCII name that stands there, as it is or in an escape. */
function codeAt(bytes: Buffer, at: number): number {
  const code = bytes[at] as number;
  return code === PERCENT ? 16 * digitOf(bytes[at + 1] ?? AMPERSAND) + digitOf(bytes[at + 2] ?? AMPERSAND) : code;
}

/**
 * Whether a piece has this name, which may be written in escapes. The bytes are compared until they differ: a text of each name would be a
 * hundred times the work, and the sender is not known.
 */
function hasName(bytes: Buffer, start: number, name: string): boolean {
  let at = start;
  for (let index = 0; index < name.length; index += 1) {
    if (at >= bytes.length || codeAt(bytes, at) !== name.charCodeAt(index)) return false;
    at += bytes[at] === PERCENT ? 3 : 1;
  }
  return at >= bytes.length || bytes[at] === EQUALS || bytes[at] === AMPERSAND;
}

/** Ids and passwords are shorter: a longer field is not read before the sender is known. */
const PICKED_BYTES_MAX = 4_096;

/** The last places of one name are remembered: trying thousands that cannot be read would be work for nothing. */
const SPANS_MAX = 64;

function addSpan(spans: Map<string, Span[]>, name: string, span: Span): void {
  const found = spans.get(name);
  if (found === undefined) spans.set(name, [span]);
  else if (found.push(span) > 2 * SPANS_MAX) found.splice(0, SPANS_MAX);
}

function lastReadable(form: Buffer, name: string, spans: readonly Span[]): string | undefined {
  for (const { start, end } of spans.toReversed()) {
    // It names nobody, whatever it says.
    if (end - start > PICKED_BYTES_MAX) return '';
    const value = decode(form.subarray(start, end)).fields.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
