import { LIST_MEGABYTES_MAX } from '../../payments/storeErrors.ts';
import { isSliced, readBrief, readInSlices, type WithFields } from './longRecords.ts';

/** Rows in lists. A cart can make a record megabytes long, and a list has hundreds of records: long ones are read one by one. */

/** A longer record is read apart from the others of its list. */
const LISTED_BYTES_MAX = 65_536;
const shortData = `CASE WHEN octet_length(data) <= ${LISTED_BYTES_MAX} THEN data END AS data`;

/** Columns for a list: `data` is null where it is long. The database finds the length without reading the data. */
export const listedColumns = (columns: string): string =>
  `${columns.replace(/\bdata\b/, shortData)}, octet_length(data) AS bytes`;

type Stored = { readonly data: string };
/** A row with these columns. */
export type Listed<Row extends Stored> = Omit<Row, 'data'> & { readonly data: string | null; readonly bytes: string | number };

export type ListReading<Row extends Stored, Data, Thing = Data> = {
  readonly of: (row: Row, data: Data) => Thing;
  /** Reads the row of a long record; undefined: it is gone. */
  readonly whole: (row: Listed<Row>) => Promise<Row | undefined>;
  /** A long record that was read before. */
  readonly known?: (row: Listed<Row>) => Thing | undefined;
};

const isShort = <Row extends Stored>(row: Listed<Row>): boolean => row.data !== null;
/** A short row has the columns of every other. */
const shortRow = <Row extends Stored>(row: Listed<Row>): Row => row as unknown as Row;

/** For lists without details: long records come without the items of their carts. */
export async function readBriefly<Row extends Stored, Data extends WithFields, Thing>(
  rows: readonly Listed<Row>[],
  { of, whole, known = () => undefined }: ListReading<Row, Data, Thing>,
): Promise<Thing[]> {
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

/** For work that is repeated until nothing is left: whole records, as many as fit into the memory for a list, and at least one. */
export function readFirst<Row extends Stored, Data extends WithFields, Thing>(
  rows: readonly Listed<Row>[],
  { of, whole }: ListReading<Row, Data, Thing>,
): Promise<Thing[]> {
  let bytes = 0;
  return oneByOne(rows, async (row, isFirst) => {
    bytes += Number(row.bytes);
    if (!isFirst && bytes > LIST_MEGABYTES_MAX * 1_048_576) return undefined;
    const found = isShort(row) ? shortRow(row) : await whole(row);
    return found && of(found, await readData<Data>(found.data));
  });
}

/** The JSON of a record; a long one is read in slices, and other requests come in between. */
export async function readData<Data extends WithFields>(text: string): Promise<Data> {
  return isSliced(text) ? readInSlices<Data>(text) : (JSON.parse(text) as Data);
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
