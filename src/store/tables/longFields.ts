import { BrokenCommit } from '../../payments/storeErrors.ts';
import { ticks } from '../../runtime/ticks.ts';
import { namesOf, noteNames } from '../../spec/longJson.ts';

/**
 * Records with thousands of fields. As one JSON text such a record takes tens of milliseconds, so it is written and read in slices, each in
 * a turn of the event loop of its own. The text is JSON like any other; its slices are lines, because no text within JSON has a line break.
 */

type Fields = Readonly<Record<string, string>>;
export type WithFields = { readonly fields: Fields; readonly isBrief?: true };

/** As many fields as are written or read in a millisecond or two. */
const SLICE_FIELDS = 1_000;
/** A shorter text has fewer fields than a slice. */
const LONG_TEXT = 16_384;

/** Whether a record is to be written in slices. One without some of its fields must not take the place of the whole. */
export function hasManyFields({ fields, isBrief }: WithFields): boolean {
  if (isBrief) throw new BrokenCommit('a record that was read without some of its fields');
  return namesOf(fields).length > SLICE_FIELDS;
}

/** Whether a text was written in slices. */
export const isSliced = (text: string): boolean => text.length > LONG_TEXT && text.includes('\n');

/** The JSON of a record. Its fields come last, and it has other members too. */
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

/** What `writeInSlices` has written. */
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
 * The same of a long text, for lists that are looked through: without the items of carts and other lists (`cart.items[0].name`), and with
 * so many at most of the fields that a shop names itself (`customParameters[colour]`). Nothing but the whole is ever stored.
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

/** The same. `keptAs`: the name under which a field is kept; null: it is not. It sees the value as JSON. */
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

/** A slice that is passed over takes a fraction of the time of one that is read. */
const PASSED_SLICES = 4;

/** Visits the fields of a line, which are not read: each value is as it was written. */
function eachText(line: string, visit: (name: string, json: string) => void): void {
  for (let at = 0; at < line.length; ) {
    const nameEnd = textEnd(line, at + 1);
    const end = textEnd(line, nameEnd + 3);
    const name = line.slice(at + 1, nameEnd);
    visit(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name, line.slice(nameEnd + 2, end + 1));
    at = end + 2;
  }
}

/** The quote that ends a text: one behind an even number of backslashes. */
function textEnd(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end >= 0; end = line.indexOf('"', end + 1)) {
    let at = end;
    while (at > from && line[at - 1] === '\\') at -= 1;
    if ((end - at) % 2 === 0) return end;
  }
  throw new SyntaxError('a text without an end');
}

/**
 * Names and texts of a line, in turns. Without a backslash no text has a quote in it, so that quotes around a colon stand only between a
 * name and its text, and the line becomes a list: the engine reads that in a third of the time of an object.
 */
const entriesOf = (line: string): readonly string[] =>
  line.includes('\\')
    ? Object.entries(JSON.parse(`{${line}}`) as Fields).flat()
    : JSON.parse(`[${line.replaceAll('":"', '","')}]`);

/** Adds fields and returns their names. A field may have the name of what every object has. */
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
