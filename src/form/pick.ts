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
  const bytesOfNames = names.map((name) => Buffer.from(name));
  const spans = new Map<string, Span[]>();
  const length = Math.min(form.length, bodyBytesMax);
  let [start, pieces] = [0, 0];
  /** Looks at so many pieces more; true: at all of them. */
  function lookOn(piecesMax: number): boolean {
    const last = Math.min(pieces + piecesMax, fieldsMax);
    for (; start < length && pieces < last; pieces += 1) {
      const found = form.indexOf(AMPERSAND, start);
      const end = found < 0 || found > length ? length : found;
      const at = bytesOfNames.findIndex((name) => hasName(form, { start, end }, name));
      if (at >= 0) addSpan(spans, names[at] as string, { start, end });
      start = end + 1;
    }
    return start >= length || pieces >= fieldsMax;
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

/**
 * Whether a field has this name, which may be written in escapes. The bytes are compared until they differ: a text of each name would be a
 * hundred times the work, and the sender is not known.
 */
function hasName(form: Buffer, { start, end }: Span, name: Buffer): boolean {
  let at = start;
  for (const wanted of name) {
    if (at >= end) return false;
    const isEscape = form[at] === PERCENT;
    const code = isEscape ? 16 * digitOf(form[at + 1] ?? AMPERSAND) + digitOf(form[at + 2] ?? AMPERSAND) : form[at];
    if (code !== wanted) return false;
    at += isEscape ? 3 : 1;
  }
  return at >= end || form[at] === EQUALS;
}

/** What is picked is an id or a password: a longer field is not read before the sender is known. */
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
