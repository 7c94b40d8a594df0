import type { HistoryQuestion } from '../payments/needs.ts';
import type { Payment } from '../payments/payment.ts';
import { StoreOutOfOrder } from './errors.ts';
import { type SealedTable, sealedTables } from './registrationRows.ts';
import { sealedCount, sealedReads } from './registrationStatements.ts';
import { sqliteOnlyReads } from './sqliteClaims.ts';
import { openForReading } from './sqliteFile.ts';
import { preparePages } from './sqlitePages.ts';
import { reads } from './statements.ts';

export type ReadName = keyof typeof reads | keyof typeof sqliteOnlyReads | `sealed in ${SealedTable}` | `count in ${SealedTable}`;

/** The connection of the calling thread, with everything it may be asked. */
export type Reads = {
  all<Row>(name: ReadName, ...cells: readonly (string | number)[]): Row[];
  history(asked: HistoryQuestion): Payment[];
  close(): void;
};

/** Rows of these tables are hardly ever removed, so the highest number given to one tells how many there are. */
const rowsOf = (table: SealedTable): string => `(SELECT COALESCE(MAX(rowid), 0) FROM ${table})`;

const texts: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(reads),
  ...Object.entries(sqliteOnlyReads),
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
    all: <Row>(name: ReadName, ...cells: readonly (string | number)[]) => {
      mustBeOpen();
      return (statements.get(name)?.all(...cells) ?? []) as Row[];
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
