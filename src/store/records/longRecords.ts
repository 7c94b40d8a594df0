import { BrokenCommit } from '../../payments/storeErrors.ts';
import { namesOf, noteNames } from '../../runtime/json.ts';
import { ticks } from '../../runtime/ticks.ts';

/**
 * Records with thousands of fields. As one JSON string such a record takes tens of milliseconds, so it is written and read in slices, each
 * in its own tick of the event loop. The result is JSON like any other; its slices are lines, because no string within JSON has a line
 * break.
 */

type Fields = Readonly<Record<string, string>>;
export type WithFields = { readonly fields: Fields; readonly isBrief?: true };

/** The fields that are written or read in one or two milliseconds. */
const SLICE_FIELDS = 1_000;
/** A shorter string has fewer fields than a slice. */
const LONG_TEXT = 16_384;

/** Whether a record must be written in slices. Throws for a record without some of its fields: it must not replace the whole one. */
export function hasManyFields({ fields, isBrief }: WithFields): boolean {
  if (isBrief) throw new BrokenCommit('a record that was read without some of its fields');
  return namesOf(fields).length > SLICE_FIELDS;
}

/** Whether a string was written in slices. */
export const isSliced = (text: string): boolean => text.length > LONG_TEXT && text.includes('\n');

/** The JSON of a record. Its fields come last, after at least one other member. */
export async function writeInSlices({ fields, ...rest }: WithFields): Promise<string> {
  await ticks.next();
  const names = namesOf(fields);
  const lines = [`${JSON.stringify(rest).slice(0, -1)},"fields":{`];
  for (let from = 0; from < names.length; from += SLICE_FIELDS) {
    await ticks.next();
    const slice = names.slice(from, from + SLICE_FIELDS).map((name) => `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`);
    lines.push(`${slice.join()}${from + SLICE_FIELDS < names.length ? ',' : ''}`);
  }
  await ticks.next();
  lines.push('}}');
  return lines.join('\n');
}

/** Reads what `writeInSlices` has written. */
export async function readInSlices<Read extends WithFields>(text: string): Promise<Read> {
  await ticks.next();
  const [head, ...lines] = text.split('\n').slice(0, -1);
  const record = JSON.parse(`${head}}}`) as Read;
  const names: string[] = [];
  for (const line of lines) {
    await ticks.next();
    for (const name of addTo(record.fields, entriesOf(line.endsWith(',') ? line.slice(0, -1) : line))) names.push(name);
  }
  noteNames(record.fields, names);
  await ticks.next();
  return record;
}

/**
 * Reads a long record for a list, without the items of carts and other lists (`cart.items[0].name`), and with a limited number of the
 * fields that a shop names itself (`customParameters[colour]`). Only whole records are ever stored.
 */
export async function readBrief<Read extends WithFields>(text: string): Promise<Read> {
  let named = 0;
  const isKept = (name: string): boolean => {
    if (!name.includes('[')) return true;
    if (/\[[0-9]/.test(name)) return false;
    named += 1;
    return named <= SLICE_FIELDS;
  };
  if (isSliced(text)) return { ...(await readInPart<Read>(text, (name) => (isKept(name) ? name : null))), isBrief: true };
  const record = JSON.parse(text) as Read;
  const fields: Record<string, string> = {};
  addTo(fields, Object.entries(record.fields).flat(), isKept);
  return { ...record, fields, isBrief: true };
}

/** Reads some of the fields. `keptAs` gets a field's name and its value as JSON; it returns the name to keep the field under, or null. */
export async function readInPart<Read extends WithFields>(
  text: string,
  keptAs: (name: string, json: string) => string | null,
): Promise<Read> {
  await ticks.next();
  const [head, ...lines] = text.split('\n').slice(0, -1);
  const record = JSON.parse(`${head}}}`) as Read;
  const names: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % PASSED_SLICES === 0) await ticks.next();
    const kept: string[] = [];
    eachText(line, (name, json) => {
      const own = keptAs(name, json);
      if (own !== null) kept.push(own, JSON.parse(json) as string);
    });
    for (const name of addTo(record.fields, kept)) names.push(name);
  }
  noteNames(record.fields, names);
  return record;
}

/** The slices of one tick: most of their fields are skipped, which takes a fraction of the time. */
const PASSED_SLICES = 4;

/** Visits the fields of a line without parsing their values. */
function eachText(line: string, visit: (name: string, json: string) => void): void {
  for (let at = 0; at < line.length; ) {
    const nameEnd = textEnd(line, at + 1);
    const end = textEnd(line, nameEnd + 3);
    const name = line.slice(at + 1, nameEnd);
    visit(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name, line.slice(nameEnd + 2, end + 1));
    at = end + 2;
  }
}

/** The quote that ends a string: one after an even number of backslashes. */
function textEnd(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end >= 0; end = line.indexOf('"', end + 1)) {
    let at = end;
    while (at > from && line[at - 1] === '\\') at -= 1;
    if ((end - at) % 2 === 0) return end;
  }
  throw new SyntaxError('a text without an end');
}

/**
 * Names and values of a line, alternating. Without a backslash no value has a quote in it, so quotes around a colon stand only between a
 * name and its value. Then the line is parsed as an array, in a third of the time of an object.
 */
const entriesOf = (line: string): readonly string[] =>
  line.includes('\\')
    ? Object.entries(JSON.parse(`{${line}}`) as Fields).flat()
    : JSON.parse(`[${line.replaceAll('":"', '","')}]`);

/** Adds fields and returns their names. A field may have the name of a property that every object has. */
function addTo(fields: Record<string, string>, entries: readonly string[], isKept = (_name: string) => true): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    const [name, value] = [entries[at] as string, entries[at + 1] as string];
    if (!isKept(name)) continue;
    names.push(name);
    if (name in Object.prototype) {
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    } else fields[name] = value;
  }
  return names;
}
