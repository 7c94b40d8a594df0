import { columnsNamed, cut, type Gathered, type ReadColumn } from '../columns.ts';

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

type Cell = (gathered: Gathered) => string;

/** What makes the cells of a column. Amounts and names of ours are never marked: a minus before a number is a minus. */
function cellsOf({ row: { kind, most }, read }: ReadColumn): Cell {
  const written = (text: string): string => {
    if (kind === 'code' || (kind === 'number' && NUMBER.test(text))) return text;
    return textCell(cut(text, most));
  };
  return (gathered) => {
    const value = read(gathered);
    if (typeof value === 'string') return written(value);
    return value === null ? '' : textCell(value.join(','));
  };
}

/** The first line: the names of the columns. */
export const headLine = (names: readonly string[]): string => `${names.join(';')}\r\n`;

function lineOf(cells: readonly Cell[], gathered: Gathered): string {
  let line = '';
  for (const cell of cells) line += `${cell(gathered)};`;
  return `${line.slice(0, -1)}\r\n`;
}

const PIECE_CHARACTERS = 65_536;

/** The file, piece by piece in UTF-8: never more of it in memory than a portion of records. */
export async function* csvPieces(
  names: readonly string[],
  portions: AsyncIterable<readonly Gathered[]>,
): AsyncGenerator<Uint8Array> {
  const cells = columnsNamed(names).map(cellsOf);
  let text = headLine(names);
  for await (const portion of portions) {
    for (const gathered of portion) {
      text += lineOf(cells, gathered);
      if (text.length < PIECE_CHARACTERS) continue;
      yield Buffer.from(text, 'utf8');
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text, 'utf8');
}
