import { LIST_MEGABYTES_MAX } from '../../payments/storeErrors.ts';
import { isSliced, readBrief, readInSlices, type WithFields } from './longFields.ts';

/** Rows in lists. A cart can make a record megabytes long, and a list has hundreds of them: long ones are read one by one. */

/** A longer record is read apart from the others of its list. */
const LISTED_BYTES_MAX = 65_536;
const shortData = `CASE WHEN octet_length(data) <= ${LISTED_BYTES_MAX} THEN data END AS data`;

/** Columns for a list. The length is read without the data. */
export const listedColumns = (columns: string): string =>
  `${columns.replace(/\bdata\b/, shortData)}, octet_length(data) AS bytes`;

type Stored = { readonly data: string };

/** A row with these columns. */
export type Listed<Row extends Stored> = Omit<Row, 'data'> & { readonly data: string | null; readonly bytes: string | number };

export type ListReading<Row extends Stored, Data, Thing = Data> = {
  readonly of: (row: Row, data: Data) => Thing;
  /** The row of a long one; undefined: it is gone. */
  readonly whole: (row: Listed<Row>) => Row | undefined | Promise<Row | undefined>;
  /** A long one that was read before. */
  readonly known?: (row: Listed<Row>) => Thing | undefined;
};

const isShort = <Row extends Stored>(row: Listed<Row>): boolean => row.data !== null;
/** The columns of a short row are those of every other. */
const shortRow = <Row extends Stored>(row: Listed<Row>): Row => row as unknown as Row;

/** For lists that are looked through: long records without the items of their carts. */
export function readBriefly<Row extends Stored, Data extends WithFields, Thing>(
  rows: readonly Listed<Row>[],
  { of, whole, known = () => undefined }: ListReading<Row, Data, Thing>,
): Thing[] | Promise<Thing[]> {
  const short = (row: Row): Thing => of(row, JSON.parse(row.data) as Data);
  if (rows.every(isShort)) return rows.map((row) => short(shortRow(row)));
  return oneByOne(rows, async (row) => {
    if (isShort(row)) return short(shortRow(row));
    const earlier = known(row);
    if (earlier !== undefined) return earlier;
    const found = await whole(row);
    return found && of(found, await readBrief<Data>(found.data));
  });
}

/** For work that comes again: whole records, as many of the first as fit into the memory for a list, and one at least. */
export function readFirst<Row extends Stored, Data extends WithFields, Thing>(
  rows: readonly Listed<Row>[],
  { of, whole }: ListReading<Row, Data, Thing>,
): Promise<Thing[]> {
  let bytes = 0;
  return oneByOne(rows, async (row, isFirst) => {
    bytes += Number(row.bytes);
    if (!isFirst && bytes > LIST_MEGABYTES_MAX * 1_048_576) return undefined;
    const found = isShort(row) ? shortRow(row) : await whole(row);
    return found && of(found, isSliced(found.data) ? await readInSlices<Data>(found.data) : (JSON.parse(found.data) as Data));
  });
}

async function oneByOne<Row, Thing>(
  rows: readonly Row[],
  read: (row: Row, isFirst: boolean) => Promise<Thing | undefined>,
): Promise<Thing[]> {
  const things: Thing[] = [];
  for (const row of rows) {
    const thing = await read(row, things.length === 0);
    if (thing !== undefined) things.push(thing);
  }
  return things;
}
