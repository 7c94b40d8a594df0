import { columnsNamed, cut, type ReadColumn, type ReportRow } from './columns.ts';

/** Matches most cells, which need neither mark nor quotes. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9 ._:/]*$/;
/**
 * The beginning of a formula for a spreadsheet, full-width signs included, after any characters that it skips. Such a text is marked with
 * an apostrophe. A text that has one there already gets another, so that the first one can always be removed.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^'*[\t\r\n]/u;
const QUOTED = /[;,"\p{Cc}\p{Cf}\u2028\u2029]|^\s|\s$/u;

/** A cell of a text column: never a formula, and always one cell. */
export function textCell(text: string): string {
  if (text === '' || PLAIN.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The original text of a cell: removes the mark of `textCell`. */
export const textOfCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

type Cell = (row: ReportRow) => string;

/**
 * Makes the cells of a column. Amounts and codes are never marked: a minus before a number is a minus. Consecutive records are equal in
 * most columns, so the last text is cached with its cell.
 */
function cellsOf({ row: { kind, most }, read, inFile = (text) => text }: ReadColumn): Cell {
  const written = (text: string): string => {
    if (kind === 'code' || (kind === 'number' && NUMBER.test(text))) return text;
    return textCell(cut(text, most));
  };
  let last = '';
  let cell = '';
  return (reportRow) => {
    const value = read(reportRow);
    if (value === null) return '';
    if (typeof value !== 'string') return textCell(value.join(','));
    if (value !== last) {
      last = value;
      cell = written(inFile(value));
    }
    return cell;
  };
}

/** The first line: the names of the columns. */
export const headLine = (names: readonly string[]): string => `${names.join(';')}\r\n`;

const CHUNK_CHARACTERS = 65_536;

/** The file in chunks of UTF-8. One batch of records is in memory at a time. */
export async function* csvChunks(
  names: readonly string[],
  batches: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<Uint8Array> {
  const cells = columnsNamed(names).map(cellsOf);
  const row = names.map(() => '');
  let lines = [headLine(names)];
  let characters = 0;
  for await (const batch of batches) {
    for (const reportRow of batch) {
      for (let at = 0; at < cells.length; at += 1) row[at] = (cells[at] as Cell)(reportRow);
      const line = `${row.join(';')}\r\n`;
      lines.push(line);
      characters += line.length;
      if (characters < CHUNK_CHARACTERS) continue;
      yield Buffer.from(lines.join(''), 'utf8');
      lines = [];
      characters = 0;
    }
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''), 'utf8');
}
