import type { DueQuestion } from '../merchants/whose.ts';
import type { HistoryQuestion } from '../payments/needs.ts';
import type { Payment } from '../payments/payment.ts';
import { StoreOutOfOrder } from './errors.ts';
import { sqliteLaterReads } from './laterStatements.ts';
import { sqliteQueryReads } from './queryStatements.ts';
import { type SealedTable, sealedTables } from './registrationRows.ts';
import { sealedCount, sealedReads } from './registrationStatements.ts';
import { sqliteReportReads } from './reportLists.ts';
import { sqliteOnlyReads } from './sqliteClaims.ts';
import { openForReading } from './sqliteFile.ts';
import { preparePages } from './sqlitePages.ts';
import { reads } from './statements.ts';

export type ReadName =
  | keyof typeof reads
  | keyof typeof sqliteOnlyReads
  | keyof typeof sqliteQueryReads
  | keyof typeof sqliteReportReads
  | keyof typeof sqliteLaterReads
  | `sealed in ${SealedTable}`
  | `count in ${SealedTable}`;

/** The connection of the calling thread, with everything it may be asked. */
export type Reads = {
  all<Row>(name: ReadName, ...cells: readonly (string | number | null)[]): Row[];
  history(asked: HistoryQuestion): Payment[];
  close(): void;
};

/** Rows of these tables are hardly ever removed, so the highest number given to one tells how many there are. */
const rowsOf = (table: SealedTable): string => `(SELECT COALESCE(MAX(rowid), 0) FROM ${table})`;

const texts: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(reads),
  ...Object.entries(sqliteOnlyReads),
  ...Object.entries(sqliteQueryReads),
  ...Object.entries(sqliteReportReads),
  ...Object.entries(sqliteLaterReads),
  ...sealedTables.map((table) => [`sealed in ${table}`, sealedReads[table]] as const),
  ...sealedTables.map((table) => [`count in ${table}`, sealedCount(table, rowsOf(table))] as const),
];

export function openReads(path: string): Reads {
  const db = openForReading(path);
  const statements = new Map(texts.map(([name, text]) => [name, db.prepare(text)]));
  const page = preparePages(db);
  const mustBeOpen = () => {
    if (!db.isOpen) throw new StoreOutOfOrder('the store is closed');
  };
  return {
    history: (asked) => {
      mustBeOpen();
      return page(asked);
    },
    all: <Row>(name: ReadName, ...cells: readonly (string | number | null)[]) => {
      mustBeOpen();
      return (statements.get(name)?.all(...cells) ?? []) as Row[];
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

export type DueName = 'due' | 'callsDue' | 'outlived' | 'awaitingToken' | 'laterDue' | 'daysDue';

/** What is due of one merchant, or of all but some. */
export const dueRows = <Row>(read: Reads, name: DueName, { now, limit, whose }: DueQuestion): Row[] =>
  'only' in whose
    ? read.all<Row>(`${name}Of`, now, limit, whose.only)
    : read.all<Row>(name, now, limit, JSON.stringify(whose.except));
