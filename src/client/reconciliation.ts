import { ReconciliationError } from './errors.ts';
import { columnKinds, type ReconciliationRecord } from './generated/reconciliation.ts';

export type { ReconciliationRecord };

/** The file as text, or as it arrives: the body of a response, a stream of a file, a list of pieces. */
export type FileContent = string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | Iterable<string>;

/** A cell that a spreadsheet could read as a formula has an apostrophe before it. */
const MARKED = /^'(?:[\s\p{Cc}\p{Cf}']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|'*[\t\r\n])/u;

async function* piecesOf(content: FileContent): AsyncGenerator<string> {
  if (typeof content === 'string') {
    yield content;
    return;
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of isStream(content) ? chunksOf(content) : content)
    yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Checks for the method, because a stream of another realm is not an instance of this realm's class. */
const isStream = (content: object): content is ReadableStream<Uint8Array> =>
  'getReader' in content && typeof content.getReader === 'function';

/** Not every runtime iterates over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

type Line = { readonly cells: readonly string[]; readonly line: number };

/** Lines of cells by RFC 4180 with semicolons: a quoted cell may hold semicolons, quotes and line breaks. */
async function* linesOf(content: FileContent): AsyncGenerator<Line> {
  let [cells, cell, line, begun]: [string[], string, number, number] = [[], '', 1, 1];
  let state: 'plain' | 'quoted' | 'closed' = 'plain';
  let wasReturn = false;
  for await (const piece of piecesOf(content))
    for (const sign of piece) {
      if (sign === '\n') line += 1;
      if (state === 'quoted') {
        if (sign === '"') state = 'closed';
        else cell += sign;
      } else if (sign === '"' && state === 'closed') {
        cell += '"';
        state = 'quoted';
      } else if (sign === '"' && cell === '') state = 'quoted';
      else if (sign === ';') {
        cells.push(cell);
        [cell, state] = ['', 'plain'];
      } else if (sign === '\n') {
        if (!wasReturn) throw new ReconciliationError(begun, 'ends without a carriage return: the file was changed');
        yield { cells: [...cells, cell], line: begun };
        [cells, cell, state, begun] = [[], '', 'plain', line];
      } else if (sign !== '\r') {
        if (state === 'closed') throw new ReconciliationError(begun, 'has a character behind a quoted cell');
        cell += sign;
      }
      wasReturn = sign === '\r';
    }
  if (state === 'quoted' || cell !== '' || cells.length > 0)
    throw new ReconciliationError(begun, 'is not complete: the file was cut off');
}

function cellValue(column: string, cell: string, line: number): string | bigint | null {
  const kind = columnKinds[column];
  if (kind !== 'amount') return kind === 'text' && MARKED.test(cell) ? cell.slice(1) : cell;
  if (cell === '') return null;
  try {
    return parseAmount(cell);
  } catch {
    throw new ReconciliationError(line, `${column} is not an amount`);
  }
}

/**
 * Reads a reconciliation file record by record, in constant memory. Amounts are exact counts of hundredths; every other cell is the text
 * that the gateway wrote, without the mark against formulas. A file that was cut off or changed throws a ReconciliationError.
 */
export async function* readReconciliation(content: FileContent): AsyncGenerator<ReconciliationRecord> {
  let columns: readonly string[] | null = null;
  for await (const { cells, line } of linesOf(content)) {
    if (columns === null) {
      columns = cells.map((name, at) => (at === 0 ? name.replace(/^\uFEFF/, '') : name));
      const unknown = columns.find((name) => columnKinds[name] === undefined);
      if (unknown !== undefined) throw new ReconciliationError(line, `has the unknown column ${JSON.stringify(unknown)}`);
      continue;
    }
    if (cells.length !== columns.length)
      throw new ReconciliationError(line, `has ${cells.length} cells instead of ${columns.length}`);
    const values = columns.map((name, at) => [name, cellValue(name, cells[at] ?? '', line)] as const);
    yield Object.fromEntries(values) as ReconciliationRecord;
  }
  if (columns === null) throw new ReconciliationError(1, 'is missing: the file is empty');
}

/** The settled amount with its sign: positive when the merchant receives it. */
export function settledAmount({ SettlementAmount, Cashflow }: ReconciliationRecord): bigint {
  const amount = SettlementAmount ?? null;
  if (amount === null || (Cashflow !== 'POS' && Cashflow !== 'NEG'))
    throw new RangeError('the record needs SettlementAmount and Cashflow');
  return Cashflow === 'NEG' ? -amount : amount;
}

const AMOUNT = /^(-?)([0-9]{1,18})(?:\.([0-9]{2}))?$/;

/** `92.00` of 9200n: the API writes amounts with two decimals in every currency. */
export function formatAmount(hundredths: bigint): string {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** 9200n of `92.00`. Throws a RangeError for anything that is not an amount: a wrong sum must not pass silently. */
export function parseAmount(text: string): bigint {
  const [, sign, whole = '', decimals = '00'] = AMOUNT.exec(text) ?? [];
  if (sign === undefined) throw new RangeError(`${JSON.stringify(text)} is not an amount such as 92.00`);
  const hundredths = BigInt(whole + decimals);
  return sign === '-' ? -hundredths : hundredths;
}
