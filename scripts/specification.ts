import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Extracts the facts of the API's documents that the rows of `src/spec` must agree with: names, needs and formats, no sentences.
 * `node scripts/specification.ts [folder]` writes them to `test/specificationRows.json`, so that the tests need no documents.
 */

/** One parameter or field: its name, `R`, `C` or `O`, and its format as the document writes it. */
export type SpecificationRow = readonly [name: string, need: string, format: string];
type Table = { readonly heading: string; readonly intro: string; readonly rows: readonly SpecificationRow[] };

export type Specification = {
  /** The request tables by document and heading, in the order of the documents. */
  readonly requests: readonly {
    readonly document: 2 | 3;
    readonly heading: string;
    readonly rows: readonly SpecificationRow[];
  }[];
  readonly paymentResponse: readonly SpecificationRow[];
  readonly reconciliation: {
    readonly columns: readonly string[];
    readonly selectable: readonly string[];
    readonly rows: readonly (readonly [column: string, api: string | null, format: string, need: string])[];
  };
};

const root = join(import.meta.dirname, '..');
export const specificationFolder: string = join(root, '..', 'shared', 'spec');
const target = join(root, 'test', 'specificationRows.json');

export const storedSpecification = (): Specification => JSON.parse(readFileSync(target, 'utf8'));

const [FIRST, SECOND, THIRD] = [
  '1-overview-operations-behaviour.md',
  '2-request-structures.md',
  '3-request-structures.md',
] as const;

export function readSpecification(folder: string): Specification {
  const document = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const third = tablesOf(document(THIRD));
  const tables = { 2: tablesOf(document(SECOND)), 3: third };
  const requests = ([2, 3] as const).flatMap((number) => {
    const headings = new Set(tables[number].map(({ heading }) => heading));
    return [...headings].map((heading) => ({ document: number, heading, rows: rowsUnder(tables[number], heading) }));
  });
  const redirect = third.filter(isResponse).flatMap(({ rows }) => rows);
  const first = document(FIRST);
  return { requests, paymentResponse: responseRows(tablesOf(first), redirect), reconciliation: reconciliationOf(first) };
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** `a.b, .c` and `a.b1, 2, 3` name several parameters; `<network>` stands for five. */
function namesIn(cell: string): string[] {
  const [first = '', ...others] = cell.replace(/ \(line 2\)$/, '').split(', ');
  const all = others.map((other) => {
    if (other.startsWith('.')) return first.slice(0, first.lastIndexOf('.')) + other;
    return /^[0-9]$/.test(other) ? first.replace(/[0-9]$/, other) : other;
  });
  return [first, ...all].flatMap((name) =>
    name.includes('<network>') ? [1, 2, 3, 4, 5].map((at) => name.replace('<network>', `network${at}`)) : [name],
  );
}

/** Every table with Parameter or Field as its first column, with its heading and the line of text before it. */
function tablesOf(text: string): Table[] {
  const lines = text.split('\n');
  let heading = '';
  let intro = '';
  return lines.flatMap((line, at) => {
    if (line.startsWith('#')) [heading, intro] = [line.replace(/^#+ /, ''), ''];
    else if (line !== '' && !line.startsWith('|')) intro = line;
    if (!/^\| (?:Parameter|Field) \|/.test(line)) return [];
    const columns = cellsOf(line);
    const end = lines.findIndex((other, index) => index > at && !other.startsWith('|'));
    const cells = lines.slice(at + 2, end < 0 ? undefined : end).map(cellsOf);
    const needAt = columns.indexOf('Req');
    const unsaid = heading === 'Airline' ? 'C' : 'O';
    const rows = cells.flatMap(([names = '', format = '', ...rest]) =>
      namesIn(names).map((name): SpecificationRow => {
        const need = needAt < 0 ? unsaid : (rest[needAt - 2] ?? '').slice(0, 1);
        return [name, need, format];
      }),
    );
    return [{ heading, intro, rows }];
  });
}

const isResponse = ({ heading, intro }: Table): boolean => heading === 'Asynchronous payments' && intro.startsWith('Response');

const rowsUnder = (tables: readonly Table[], heading: string): readonly SpecificationRow[] =>
  tables.filter((table) => table.heading === heading && !isResponse(table)).flatMap(({ rows }) => rows);

/** The fields of a payment in an answer. The table of document 1 names them for readers, our rows by their JSON names. */
function responseRows(tables: readonly Table[], redirect: readonly SpecificationRow[]): readonly SpecificationRow[] {
  return rowsUnder(tables, 'Payment response (JSON object)').flatMap(([name, need, format]): readonly SpecificationRow[] => {
    if (name === 'id (checkout)') return [];
    if (name === 'resultDetails') return [['resultDetails[name]', need, format]];
    if (name.startsWith('redirect.')) return redirect.filter(([other]) => other === name);
    return [[name.replace(' (payment)', '').replace('id (registration)', 'registrationId'), need, format]];
  });
}

function reconciliationOf(text: string): Specification['reconciliation'] {
  const [, list = ''] = /Column order: ([^.]+)\./.exec(text) ?? [];
  const [, ...selectable] = /Two further CSV names, (\w+) and (\w+),/.exec(text) ?? [];
  const start = text.indexOf('| CSV column |');
  const lines = text.slice(start, text.indexOf('\n\n', start)).split('\n').slice(2);
  return { columns: list.split(', '), selectable: [...selectable], rows: lines.flatMap(columnsIn) };
}

/** `ConnectorTxId1, ConnectorTxId2, ConnectorTxId3` and `clearingInstitute.txId1, txId2, txId3` are three rows. */
function columnsIn(line: string): readonly (readonly [string, string | null, string, string])[] {
  const [names = '', apis = '', format = '', need = ''] = cellsOf(line);
  const paths = apis.split(', ');
  return names.split(', ').map((column, at) => {
    const path = paths[at] ?? '';
    const full = at === 0 ? path : `${paths[0]?.split('.').slice(0, -1).join('.')}.${path}`;
    return [column, full === 'none' ? null : full, format, need] as const;
  });
}

if (import.meta.main) {
  writeFileSync(target, `${JSON.stringify(readSpecification(process.argv[2] ?? specificationFolder), null, 2)}\n`);
  console.log(`written ${target}`);
}
