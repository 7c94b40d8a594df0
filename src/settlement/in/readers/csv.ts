import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import type { LineFault } from '../../record.ts';
import { aliases, type Column, columns, lineOf, unreadColumns } from './csvColumns.ts';
import { decoded } from './decode.ts';
import { type Format, faultOf, type ReadResult, Unreadable } from './reader.ts';

const PORTION = 500;
/** Of one line, quotation marks included. */
const LINE_MAX = 16_384;

const firstLine = (head: string): string => /^[^\r\n]*/.exec(head)?.[0] ?? '';
const namesIn = (line: string, separator: string): readonly string[] =>
  line.split(separator).map((name) => lower(name.replace(/^"|"$/g, '')));

const lower = (name: string): string => {
  const own = name.trim().toLowerCase();
  return aliases[own] ?? own;
};

const separatorOf = (line: string): string => (line.split(';').length >= line.split(',').length ? ';' : ',');

/** Our own CSV: a line of names, then a line for each settled transaction. */
export const ownCsv: Format = {
  name: 'turnpike-csv',
  says: 'CSV whose first line names its columns, ReconciliationType among them',
  begins: (head) => {
    const line = firstLine(head);
    return namesIn(line, separatorOf(line)).includes('reconciliationtype');
  },
  async *read(bytes) {
    const texts = decoded(bytes)[Symbol.asyncIterator]();
    try {
      yield* linesIn(texts);
    } catch (error) {
      yield [faultOf(unreadable(error))];
    }
  },
};

function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  // By its class and not by its code: that of a quotation mark inside a value does not begin like the others.
  if (!(error instanceof CsvError)) throw error;
  const { lines } = error as { readonly lines?: number };
  const says =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `a line is longer than ${LINE_MAX} characters`
      : 'quotation marks are not closed or stand in the wrong place';
  return new Unreadable(lines ?? 0, says);
}

type Row = { readonly record: readonly string[]; readonly info: Info };

async function* linesIn(texts: AsyncIterator<string>): AsyncIterable<readonly ReadResult[]> {
  const { head, all } = await withHead(texts);
  const parser = Readable.from(all).compose(
    parse({
      delimiter: separatorOf(firstLine(head)),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LINE_MAX,
    }),
  ) as AsyncIterable<Row>;
  let header: Header | null = null;
  let portion: ReadResult[] = [];
  for await (const { record, info } of parser) {
    if (header === null) {
      header = headerOf(record);
      if (header.faults.length > 0) {
        yield header.faults;
        return;
      }
      continue;
    }
    portion.push(...readLine(header, record, info.lines));
    if (portion.length < PORTION) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

/** Enough text to hold the first line, and all of it. */
async function withHead(texts: AsyncIterator<string>): Promise<{ readonly head: string; readonly all: AsyncIterable<string> }> {
  let head = '';
  while (!/[\r\n]/.test(head) && head.length < LINE_MAX) {
    const { value, done } = await texts.next();
    if (done === true) break;
    head += value;
  }
  return {
    head,
    all: (async function* () {
      yield head;
      yield* { [Symbol.asyncIterator]: () => texts };
    })(),
  };
}

type Header = {
  readonly columns: readonly (Column | null)[];
  readonly faults: readonly LineFault[];
};

function headerOf(names: readonly string[]): Header {
  const known = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const unread = new Set(unreadColumns.map((name) => name.toLowerCase()));
  const own = names.map(lower);
  const message = (name: string, at: number): readonly string[] => {
    if (!known.has(name) && !unread.has(name)) return [`there is no column ${JSON.stringify(names[at])}`];
    return own.indexOf(name) < at ? [`the column ${names[at]} is there twice`] : [];
  };
  const missing = columns.filter(({ name, isNeeded }) => isNeeded && !own.includes(name.toLowerCase()));
  const messages = [...own.flatMap(message), ...missing.map(({ name }) => `the column ${name} is missing`)];
  return {
    columns: own.map((name) => known.get(name) ?? null),
    faults: messages.map((each) => ({ line: 1, message: each })),
  };
}

/** The line, or every fault of it. An empty value counts as absent. */
function readLine(header: Header, cells: readonly string[], line: number): readonly ReadResult[] {
  const wrong = (message: string): LineFault => ({ line, message });
  if (cells.length !== header.columns.length) {
    return [wrong(`there are ${cells.length} values where ${header.columns.length} columns are named`)];
  }
  const values: Record<string, unknown> = {};
  const faults = header.columns.flatMap((column, at): readonly LineFault[] => {
    const text = cells[at] ?? '';
    if (column === null) return [];
    if (text === '') return column.isNeeded ? [wrong(`${column.name} may not be empty`)] : [];
    const value = column.read(text);
    if ('must' in value) return [wrong(`${column.name} must ${value.must}`)];
    values[column.member] = value.is;
    return [];
  });
  if (faults.length > 0) return faults;
  const read = lineOf(line, values);
  return [typeof read === 'string' ? wrong(read) : read];
}
