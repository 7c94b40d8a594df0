/** The first faults of a file of ranges, each with its line. */
export type FileFaults = { readonly faults: readonly string[] };

export const isFaulty = (parsed: object): parsed is FileFaults => 'faults' in parsed;

const FAULTS_MAX = 10;
const LINES_MAX = 2_000_000;
const SHOWN_MAX = 24;

/** An excerpt for messages. A wrong file may contain anything: of a long number only a BIN is shown, of a long text only its beginning. */
export const shown = (text: string): string => {
  const masked = text.replace(/([0-9]{8})[0-9]+/g, '$1…');
  return JSON.stringify(masked.length > SHOWN_MAX ? `${masked.slice(0, SHOWN_MAX)}…` : masked);
};

export type Rows = {
  readonly columns: readonly string[];
  /** How many of the columns are required. */
  readonly needed: number;
  /** Receives the cells of one line; returns their fault, or null. */
  take(cells: readonly string[], line: number): string | null;
};

/** The number of lines: an upper bound for the number of rows. */
export function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * Reads comma-separated lines. Empty lines, lines that begin with # and a header line are skipped; a quoted cell may contain commas and
 * doubled quotation marks. Returns the faults.
 */
export function readRows(text: string, { columns, needed, take }: Rows): readonly string[] {
  const lines = linesOf(text);
  if (lines > LINES_MAX) return [`has ${lines} lines, and ${LINES_MAX} are the most that are read`];
  const faults: string[] = [];
  let [line, at] = [0, text.charCodeAt(0) === 0xfeff ? 1 : 0];
  while (at < text.length && faults.length < FAULTS_MAX) {
    const end = text.indexOf('\n', at);
    const row = text.slice(at, end === -1 ? text.length : end).trim();
    at = end === -1 ? text.length : end + 1;
    line += 1;
    if (row === '' || row.startsWith('#')) continue;
    const cells = cellsOf(row);
    if (line === 1 && cells?.join().toLowerCase() === columns.slice(0, cells?.length).join()) continue;
    const isWhole = cells !== null && cells.length >= needed && cells.length <= columns.length;
    const says = isWhole ? take(cells, line) : `is not ${columns.join(',')}`;
    if (says !== null) faults.push(`line ${line}: ${says}`);
  }
  return faults.length < FAULTS_MAX ? faults : [...faults, 'and perhaps more'];
}

const QUOTED = /^(?:[^",]*|"(?:[^"]|"")*")(?:,(?:[^",]*|"(?:[^"]|"")*"))*$/;

function cellsOf(row: string): readonly string[] | null {
  if (!row.includes('"')) return row.split(',').map((cell) => cell.trim());
  if (!QUOTED.test(row)) return null;
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, marked, plain]) =>
    (marked?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}
