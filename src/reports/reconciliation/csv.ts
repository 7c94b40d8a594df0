import { columnsNamed, cut, type ReadColumn, type ReportRow } from './columns.ts';

/** What stands in most cells and needs nothing. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9 ._:/]*$/;
/**
 * What a spreadsheet would take for the beginning of a formula, wide forms of the signs too, behind anything that it may pass over. The
 * apostrophe is what marks a text as such, so one before a sign is marked once more, and the first one can always be taken away again.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^'*[\t\r\n]/u;
const QUOTED = /[;,"\p{Cc}\p{Cf}\u2028\u2029]|^\s|\s$/u;

/** A cell of a text column: no formula, whoever opens the file, and one cell, whatever is in it. */
export function textCell(text: string): string {
  if (text === '' || PLAIN.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text that a cell was made of, for whoever reads such a file: takes away the mark of `textCell`. */
export const textOfCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

type Cell = (gathered: ReportRow) => string;

/**
 * What makes the cells of a column. Amounts and names of ours are never marked: a minus before a number is a minus. Records that follow
 * each other say the same in most columns, so the last text of each is kept with its cell.
 */
function cellsOf({ row: { kind, most }, read }: ReadColumn): Cell {
  const written = (text: string): string => {
    if (kind === 'code' || (kind === 'number' && NUMBER.test(text))) return text;
    return textCell(cut(text, most));
  };
  let [last, cell] = ['', ''];
  return (gathered) => {
    const value = read(gathered);
    if (value === null) return '';
    if (typeof value !== 'string') return textCell(value.join(','));
    if (value !== last) [last, cell] = [value, written(value)];
    return cell;
  };
}

/** The first line: the names of the columns. */
export const headLine = (names: readonly string[]): string => `${names.join(';')}\r\n`;

const PIECE_CHARACTERS = 65_536;

/** The file, piece by piece in UTF-8: never more of it in memory than a portion of records. */
export async function* csvPieces(
  names: readonly string[],
  portions: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<Uint8Array> {
  const cells = columnsNamed(names).map(cellsOf);
  const row = names.map(() => '');
  let [lines, characters] = [[headLine(names)], 0];
  for await (const portion of portions) {
    for (const gathered of portion) {
      for (let at = 0; at < cells.length; at += 1) row[at] = (cells[at] as Cell)(gathered);
      const line = `${row.join(';')}\r\n`;
      lines.push(line);
      characters += line.length;
      if (characters < PIECE_CHARACTERS) continue;
      yield Buffer.from(lines.join(''), 'utf8');
      [lines, characters] = [[], 0];
    }
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''), 'utf8');
}
