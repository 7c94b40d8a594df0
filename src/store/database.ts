import { type DueQuery, type MerchantFilter, SKEW_MS_MAX } from '../merchants/merchantFilter.ts';
import type { Dialect } from './migrate.ts';

/** The port of the areas to a database. SQLite and PostgreSQL each implement it, and know nothing of the areas. */

export type Cell = string | number | bigint | Uint8Array | null;

/**
 * A text for each database; null: the database does without the statement. Parameters are ?1, ?2 and so on. `plan`: PostgreSQL plans the
 * statement for the cells of each call, where a generic query plan would read too much.
 */
export type Dialects = { readonly sqlite: string | null; readonly postgres: string | null; readonly plan?: 'anew' };

/** One text where the databases agree. */
export type Statement = string | Dialects;

/**
 * A statement for many rows. SQLite runs it once for each row, whose cells are ?1, ?2 and so on. PostgreSQL runs it once for all rows: they
 * come as JSON in ?1, as objects with these columns.
 */
export type BulkStatement = Dialects & { readonly columns: readonly string[] };

type Row = readonly Cell[];

/** A statement of a write, with its rows. `isNeeded`: it must change a row, or the whole write does nothing. */
export type Step =
  | { readonly statement: Statement; readonly cells: Row; readonly isNeeded: boolean }
  | { readonly bulk: BulkStatement; readonly rows: readonly Row[]; readonly shared: Row };

export const step = (statement: Statement, ...cells: Row): Step => ({ statement, cells, isNeeded: false });

/** A step that must change a row: if it changes none, the others have no effect either. */
export const needed = (statement: Statement, ...cells: Row): Step => ({ statement, cells, isNeeded: true });

/** The same for many rows. The cells of `shared` follow the cells of each row, or the JSON. */
export const each = (bulk: BulkStatement, rows: readonly Row[], ...shared: Row): Step => ({ bulk, rows, shared });

export interface Database {
  readonly dialect: Dialect;
  /** Rows of a statement that changes nothing. */
  read<Found extends object>(statement: Statement, ...cells: Row): Promise<readonly Found[]>;
  /** The rows that a bulk statement finds for each of the given rows. */
  readEach<Found extends object>(statement: BulkStatement, rows: readonly Row[], ...shared: Row): Promise<readonly Found[]>;
  /** One row by its key. The database may answer simultaneous calls together. The columns are `merchant` and `record`. */
  find<Found extends object>(statement: BulkStatement, merchantId: string, id: string): Promise<Found | null>;
  /** Rows of a table of any size, as arrays in the order of the columns; each row is converted as soon as it is read. */
  walk<Found extends readonly unknown[], T>(statement: Statement, cells: Row, convert: (row: Found) => T): Promise<readonly T[]>;
  /**
   * Reads one state of the database in as many ticks of the event loop as the work takes, while the gateway answers other requests. Null:
   * a statement of any length does not block this thread, so there is nothing to divide.
   */
  readonly inSnapshot: (<T>(work: (read: SnapshotRead) => Promise<T>) => Promise<T>) | null;
  /** All steps in one transaction, or none of them. Returns the number of rows that they changed. */
  write(...steps: readonly Step[]): Promise<number>;
  /** The same with the time limits of a settlement file of a million lines. */
  writeLong(...steps: readonly Step[]): Promise<number>;
  /** Independent steps: each may take effect without the others. */
  writeApart(...steps: readonly Step[]): Promise<void>;
  /** A write that returns the rows that it changed. */
  returning<Found extends object>(statement: Statement, ...cells: Row): Promise<readonly Found[]>;
}

/** The part of a database that a replica has too. */
export type ReadDatabase = Pick<Database, 'dialect' | 'read' | 'readEach' | 'walk' | 'inSnapshot'>;

export type SnapshotRead = <Found extends object>(statement: Statement, ...cells: Row) => readonly Found[];

/** The text for a database; null: it does without the statement. */
export const textFor = (dialect: Dialect, statement: Statement): string | null =>
  typeof statement === 'string' ? statement : statement[dialect];

/** The only row of a result, or the first. */
export async function first<Found>(rows: Promise<readonly Found[]>): Promise<Found | undefined> {
  return (await rows)[0];
}

/** A delete of more rows would delay the commits behind it. */
export const DELETE_BATCH = 2_000;

/** Repeats a write that changes up to `DELETE_BATCH` rows until it changes fewer; commits come in between. */
export async function inBatches(writeBatch: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const changed = await writeBatch();
    sum += changed;
    if (changed < DELETE_BATCH) return sum;
  }
}

/** Deletes all rows before an instant, or up to a number: ?1 is the bound and ?2 the size of a batch. */
export const deleteInBatches = (db: Database, statement: Statement, bound: number): Promise<number> =>
  inBatches(() => db.write(step(statement, bound, DELETE_BATCH)));

/** A statement for all merchants except some, which it takes as a JSON list, and one for a single merchant. */
export type ByMerchant = { readonly ofAll: Statement; readonly ofOne: Statement };

/** The statement for a filter, and the cell that stands for the merchants. */
export const forMerchants = ({ ofAll, ofOne }: ByMerchant, merchants: MerchantFilter): readonly [Statement, string] =>
  merchants.kind === 'only' ? [ofOne, merchants.merchantId] : [ofAll, JSON.stringify(merchants.merchantIds)];

/** Due records: ?1 is now, ?2 the limit, ?3 the merchants. `text` takes the condition on the merchant; `own` is it for one merchant. */
export const dueStatements = (text: (merchants: string, words: Words) => string, own = 'merchant_id = ?3'): ByMerchant => ({
  ofAll: inBoth((words) => text(`merchant_id NOT IN (${words.among('?3')})`, words)),
  ofOne: inBoth((words) => text(own, words)),
});

export function readDue<Found extends object>(
  db: ReadDatabase,
  due: ByMerchant,
  { now, limit, merchants }: DueQuery,
): Promise<readonly Found[]> {
  const [statement, cell] = forMerchants(due, merchants);
  return db.read<Found>(statement, now, limit, cell);
}

/**
 * Whether work is not claimed at ?1, by a claim that would end at ?2. A claim that ends far later was made by a clock that has been set
 * back since.
 */
export const isFree = (claimedUntil: string): string => `(${claimedUntil} <= ?1 OR ${claimedUntil} - ${SKEW_MS_MAX} > ?2)`;

/** Expressions that the databases spell differently. */
export type Words = {
  /** A query for the strings of a JSON list, as a column without or with a name. */
  readonly among: (place: string, column?: string) => string;
  /** Parameters of a type that PostgreSQL cannot infer. */
  readonly text: (place: string) => string;
  readonly number: (place: string) => string;
  /** The position of a part in a text, from 1 on; 0: the text does not contain it. */
  readonly position: (text: string, part: string) => string;
  /** A number in JSON text. */
  readonly numberAt: (json: string, name: string) => string;
};

export const sqliteWords: Words = {
  among: (place, column) => `SELECT value${column === undefined ? '' : ` AS ${column}`} FROM json_each(${place})`,
  text: (place) => place,
  number: (place) => place,
  position: (text, part) => `instr(${text}, ${part})`,
  numberAt: (json, name) => `json_extract(${json}, '$.${name}')`,
};

export const postgresWords: Words = {
  among: (place, column) => `SELECT json_array_elements_text(${place}::text::json)${column === undefined ? '' : ` AS ${column}`}`,
  text: (place) => `${place}::text`,
  number: (place) => `${place}::bigint`,
  position: (text, part) => `strpos(${text}, ${part})`,
  numberAt: (json, name) => `(${json}::json ->> '${name}')::bigint`,
};

export const inBoth = (text: (words: Words) => string): Dialects => ({
  sqlite: text(sqliteWords),
  postgres: text(postgresWords),
});
