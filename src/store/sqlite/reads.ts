import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DueQuery } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { HistoryQuery } from '../../payments/ports.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { type SealedTable, sealedTables } from '../../vault/ports.ts';
import { sqliteDirectoryReads } from '../tables/directory.ts';
import type { Whole } from '../tables/listedPayments.ts';
import { sqliteListReads } from '../tables/listStatements.ts';
import type { PaymentRow } from '../tables/payments.ts';
import { sqliteQueryReads } from '../tables/queryStatements.ts';
import { sealedCount, sealedReads } from '../tables/registrations.ts';
import { sqliteScheduledSettlementReads } from '../tables/scheduledSettlement.ts';
import { sqliteSearchReads } from '../tables/searchStatements.ts';
import { sqliteSettlementReads } from '../tables/settlementLists.ts';
import { reads } from '../tables/statements.ts';
import { sqliteTraceReads } from '../tables/trace.ts';
import { sqliteOnlyReads } from './claimStatements.ts';
import { isDamaged, sqliteCode } from './errors.ts';
import { openForReading } from './file.ts';
import { withUnplannedLimits } from './limits.ts';
import { preparePages } from './pages.ts';
import { sqliteQueueReads } from './queues.ts';
import { recordTotalReads } from './recordTotals.ts';

export type ReadName =
  | keyof typeof reads
  | keyof typeof sqliteOnlyReads
  | keyof typeof sqliteQueueReads
  | keyof typeof sqliteQueryReads
  | keyof typeof sqliteSearchReads
  | keyof typeof sqliteTraceReads
  | keyof typeof sqliteSettlementReads
  | keyof typeof recordTotalReads
  | keyof typeof sqliteScheduledSettlementReads
  | keyof typeof sqliteListReads
  | keyof typeof sqliteDirectoryReads
  | `sealed in ${SealedTable}`
  | `count in ${SealedTable}`;

/** The connection of the calling thread, with everything it may be asked. */
export type Reads = {
  all<Row>(name: ReadName, ...cells: readonly (string | number | null)[]): Row[];
  /**
   * For what walks through a table of any size: rows without the names of their columns, in the order of the statement, by a connection
   * of its own, so that frequently read pages stay in the cache of the other.
   */
  walk<Row extends readonly unknown[], T>(name: ReadName, cells: readonly (string | number | null)[], read: (row: Row) => T): T[];
  /** The version of a family, read before each reply that was kept: without names of columns and lists of rows. */
  familyVersion(merchantId: string, familyId: string): number | null;
  /** Reads one state of the database in as many turns of the event loop as it takes, by a connection of its own, one after the other. */
  inSnapshot<T>(work: (all: Reads['all']) => Promise<T>): Promise<T>;
  history(query: HistoryQuery): Promise<readonly Payment[]>;
  /** From now on everything is read from another place. */
  reopen(path: string): void;
  close(): void;
};

/** Rows of these tables are hardly ever removed, so that the highest row number is nearly their count. */
const rowsOf = (table: string): string => `(SELECT COALESCE(MAX(rowid), 0) FROM ${table})`;

const texts = [
  ...Object.entries(reads),
  ...Object.entries(sqliteOnlyReads),
  ...Object.entries(sqliteQueueReads),
  ...Object.entries(sqliteQueryReads),
  ...Object.entries(sqliteSearchReads),
  ...Object.entries(sqliteTraceReads),
  ...Object.entries(sqliteSettlementReads),
  ...Object.entries(recordTotalReads),
  ...Object.entries(sqliteScheduledSettlementReads),
  ...Object.entries(sqliteListReads),
  ...Object.entries(sqliteDirectoryReads),
  ...sealedTables.map((table) => [`sealed in ${table}`, sealedReads[table]] as const),
  ...sealedTables.map((table) => [`count in ${table}`, sealedCount(table, rowsOf)] as const),
].map(([name, text]) => [name, withUnplannedLimits(text)] as const);

/** In KiB: nothing is read twice. */
const WALK_CACHE = 2_048;

/** One connection with everything prepared. */
function connect(path: string) {
  const db = openForReading(path);
  try {
    const familyVersion = db.prepare(reads.familyVersion);
    familyVersion.setReturnArrays(true);
    return {
      db,
      statements: new Map(texts.map(([name, text]) => [name, db.prepare(text)])),
      familyVersion,
      page: preparePages(db),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The connection for `walk`, opened on first use. */
function walking(path: string) {
  const statements = new Map<string, StatementSync>();
  let db: DatabaseSync | null = null;
  return {
    statement(name: ReadName): StatementSync {
      const known = statements.get(name);
      if (known !== undefined) return known;
      db ??= openForReading(path, WALK_CACHE);
      const statement = db.prepare(texts.find(([one]) => one === name)?.[1] ?? '');
      statement.setReturnArrays(true);
      statements.set(name, statement);
      return statement;
    },
    close: () => db?.isOpen && db.close(),
  };
}

/** An error of SQLite in our own words: the caller has done nothing wrong. */
const explained = (error: unknown): unknown =>
  isDamaged(error) ? new StoreOutOfOrder(`the database is damaged: ${(error as Error).message}`, sqliteCode(error)) : error;

function query<T>(question: () => T): T {
  try {
    return question();
  } catch (error) {
    throw explained(error);
  }
}

async function inSnapshot<T>(path: string, work: (all: Reads['all']) => Promise<T>): Promise<T> {
  const db = openForReading(path, WALK_CACHE);
  const statements = new Map<string, StatementSync>();
  const statementOf = (name: ReadName): StatementSync => {
    const known = statements.get(name) ?? db.prepare(texts.find(([one]) => one === name)?.[1] ?? '');
    statements.set(name, known);
    return known;
  };
  try {
    db.exec('BEGIN');
    return await work(<Row>(name: ReadName, ...cells: readonly (string | number | null)[]) =>
      query(() => statementOf(name).all(...cells) as Row[]),
    );
  } finally {
    db.close();
  }
}

export function openReads(path: string): Reads {
  let place = path;
  let current = connect(path);
  let walker = walking(path);
  /** One at a time: each has a connection and a cache of its own. */
  let snapshots: Promise<unknown> = Promise.resolve();
  const opened = () => {
    if (!current.db.isOpen) throw new StoreOutOfOrder('the store is closed');
    return current;
  };
  const close = () => {
    walker.close();
    if (current.db.isOpen) current.db.close();
  };
  return {
    familyVersion: (merchantId, familyId) => {
      const { familyVersion } = opened();
      try {
        const row = familyVersion.get(merchantId, familyId) as unknown as readonly [number] | undefined;
        return row === undefined ? null : row[0];
      } catch (error) {
        throw explained(error);
      }
    },
    inSnapshot: (work) => {
      const next = snapshots.then(() => {
        opened();
        return inSnapshot(place, work);
      });
      snapshots = next.catch(() => {});
      return next;
    },
    history: async (question) => {
      try {
        return await opened().page(question);
      } catch (error) {
        throw explained(error);
      }
    },
    all: <Row>(name: ReadName, ...cells: readonly (string | number | null)[]) =>
      query(
        () =>
          (opened()
            .statements.get(name)
            ?.all(...cells) ?? []) as Row[],
      ),
    walk: <Row extends readonly unknown[], T>(
      name: ReadName,
      cells: readonly (string | number | null)[],
      read: (row: Row) => T,
    ) => {
      opened();
      const rows: unknown[] = query(() => walker.statement(name).all(...cells));
      // Each row makes way for what is read from it: both for all of them at once would be twice the memory.
      for (let at = 0; at < rows.length; at += 1) rows[at] = read(rows[at] as Row);
      return rows as T[];
    },
    reopen: (other) => {
      opened();
      const next = connect(other);
      close();
      current = next;
      place = other;
      walker = walking(other);
    },
    close,
  };
}

/** Reads the row of a payment that is long in a list. */
export const wholePayment =
  (read: Reads): Whole =>
  (merchantId, id) =>
    read.all<PaymentRow>('payment', merchantId, id)[0];

export type DueName =
  | 'due'
  | 'misdated'
  | 'misdatedSchedules'
  | 'callsDue'
  | 'outlived'
  | 'awaitingToken'
  | 'scheduledSettlementsDue'
  | 'daysDue'
  | 'releasesDue';

/** What is due of one merchant, or of all but some. */
export const dueRows = <Row>(read: Reads, name: DueName, { now, limit, merchants }: DueQuery): Row[] =>
  merchants.kind === 'only'
    ? read.all<Row>(`${name}Of`, now, limit, merchants.merchantId)
    : read.all<Row>(name, now, limit, JSON.stringify(merchants.merchantIds));
