import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Unreadable } from '../../ledger/ports.ts';
import { DamagedTable, StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { type Audited, type AuditReader, auditOf, sqliteBrokenRecords, unreadableIn } from '../areas/audit.ts';
import { historyMethods } from '../areas/payments.ts';
import type { Cell } from '../database.ts';
import { sqliteCode } from '../errors.ts';
import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { OpenedHistory } from '../store.ts';
import { sizeOf, WHOLE_BYTES_MAX } from './check.ts';
import { openReads, sqliteReads } from './database.ts';
import { frozen, openForReading, pathOf, type SqliteLocation } from './file.ts';

/** Reads of a file from the outside, while a gateway may write to it. Nothing in the file is changed. */

/** The file as it is at one moment. */
export async function auditSqlite<T>(place: SqliteLocation, work: (audit: Audited) => Promise<T>): Promise<T> {
  const db = openForReading(existing(place));
  try {
    // One transaction is one view of the file.
    db.exec('BEGIN');
    checkSchema('sqlite', db.prepare(appliedMigrations).all() as AppliedMigration[]);
    return await work(auditOf(auditReader(db)));
  } finally {
    db.close();
  }
}

/** The past, on a connection of its own. A page is one statement: between two pages nothing blocks the writer's checkpoints. */
export async function openSqliteHistory(place: SqliteLocation): Promise<OpenedHistory> {
  const reads = openReads(existing(place));
  try {
    checkSchema('sqlite', reads.all<AppliedMigration>(appliedMigrations, []));
    return { ...historyMethods(sqliteReads(reads)), close: async () => reads.close() };
  } catch (error) {
    reads.close();
    throw error;
  }
}

/** The records of a small database that cannot be read. All others can be used. `isFrozen`: its disk is full. */
export function unreadableRecords(path: string, isFrozen = false): readonly Unreadable[] {
  if (sizeOf(path) > WHOLE_BYTES_MAX) return [];
  const db = openForReading(isFrozen ? frozen(path) : path);
  try {
    return sqliteBrokenRecords.flatMap(({ noun, text }) => {
      const statement = db.prepare(text);
      statement.setReturnArrays(true);
      return (statement.all() as unknown as Parameters<typeof unreadableIn>[0][]).flatMap((row) => unreadableIn(row, noun) ?? []);
    });
  } finally {
    db.close();
  }
}

function existing(place: SqliteLocation): string {
  const path = pathOf(place);
  if (!existsSync(path)) throw new StoreOutOfOrder(`There is no database at ${path}: start the gateway once.`);
  return path;
}

const auditReader = (db: DatabaseSync): AuditReader => ({
  dialect: 'sqlite',
  rows: async <Row extends object>(text: string, cells: readonly Cell[]) =>
    [...readable(text, () => db.prepare(text).iterate(...cells))] as unknown as Row[],
  pages: <Row extends readonly unknown[]>(text: string, cells: readonly Cell[], size: number) =>
    pagesOf<Row>(db, text, cells, size),
});

async function* pagesOf<Row extends readonly unknown[]>(
  db: DatabaseSync,
  text: string,
  cells: readonly Cell[],
  size: number,
): AsyncGenerator<Row[]> {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  let page: Row[] = [];
  for (const row of readable(text, () => statement.iterate(...cells))) {
    page.push(row as unknown as Row);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const tableIn = (text: string): string => /\bFROM (\w+)/.exec(text)?.[1] ?? '';

/** Names the table whose pages are damaged. */
function* readable<Row>(text: string, read: () => Iterable<Row>): Generator<Row> {
  try {
    yield* read();
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_CORRUPT') throw error;
    throw new DamagedTable(tableIn(text));
  }
}
