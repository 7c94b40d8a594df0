import type { DatabaseSync } from 'node:sqlite';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import {
  type BulkStatement,
  type Cell,
  type Database,
  type ReadDatabase,
  type Statement,
  type Step,
  textFor,
} from '../database.ts';
import { isDamaged, sqliteCode } from '../errors.ts';
import { createPrepare, openForReading } from './file.ts';
import type { WriteStep } from './jobs.ts';
import type { Writer } from './threads.ts';

type Cells = readonly Cell[];

/** The connections by which the calling thread reads. */
export type Reads = {
  all<Row>(text: string, cells: Cells): Row[];
  /**
   * For a walk through a table of any size: rows without the names of their columns, on a connection of its own, so that the pages that
   * are read all the time stay in the cache of the other one.
   */
  walk<Row extends readonly unknown[], T>(text: string, cells: Cells, convert: (row: Row) => T): T[];
  /** Reads one state of the database in as many ticks of the event loop as the work takes. One such work at a time. */
  inSnapshot<T>(work: (all: Reads['all']) => Promise<T>): Promise<T>;
  /** Reads from another file from now on. */
  reopen(path: string): void;
  close(): void;
};

/** In KiB: a walk reads nothing twice. */
const WALK_CACHE = 2_048;

function connect(path: string, { cache, isArrays = false }: { readonly cache?: number; readonly isArrays?: boolean } = {}) {
  const db = openForReading(path, cache);
  const prepare = createPrepare(db, isArrays);
  return { db, all: (text: string, cells: Cells): unknown[] => query(() => prepare(text).all(...cells)) };
}

/** The connection for `walk`, opened on first use. */
function walking(path: string) {
  let connection: ReturnType<typeof connect> | null = null;
  return {
    all: (text: string, cells: Cells): unknown[] => {
      connection ??= connect(path, { cache: WALK_CACHE, isArrays: true });
      return connection.all(text, cells);
    },
    close: () => closeOpen(connection?.db),
  };
}

const closeOpen = (db: DatabaseSync | undefined): void => {
  if (db?.isOpen) db.close();
};

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
  const { db, all } = connect(path, { cache: WALK_CACHE });
  try {
    db.exec('BEGIN');
    return await work(<Row>(text: string, cells: Cells) => all(text, cells) as Row[]);
  } finally {
    db.close();
  }
}

export function openReads(path: string): Reads {
  let place = path;
  let current = connect(path);
  let walker = walking(path);
  let lastSnapshot: Promise<unknown> = Promise.resolve();
  const opened = () => {
    if (!current.db.isOpen) throw new StoreOutOfOrder('the store is closed');
    return current;
  };
  const close = () => {
    walker.close();
    closeOpen(current.db);
  };
  return {
    all: <Row>(text: string, cells: Cells) => opened().all(text, cells) as Row[],
    walk: <Row extends readonly unknown[], T>(text: string, cells: Cells, convert: (row: Row) => T) => {
      opened();
      const rows = walker.all(text, cells);
      // Converted in place: two lists at the same time would need twice the memory.
      for (let at = 0; at < rows.length; at += 1) rows[at] = convert(rows[at] as Row);
      return rows as T[];
    },
    inSnapshot: (work) => {
      const next = lastSnapshot.then(() => {
        opened();
        return inSnapshot(place, work);
      });
      lastSnapshot = next.catch(() => {});
      return next;
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

/** A statement that only PostgreSQL has is never read here. */
function textOf(statement: Statement | BulkStatement): string {
  const text = textFor('sqlite', statement);
  if (text === null) throw new Error('SQLite does without this statement');
  return text;
}

/** The steps that SQLite has, as the writer takes them. */
function writeSteps(steps: readonly Step[]): readonly WriteStep[] {
  return steps.flatMap((step): WriteStep[] => {
    if ('bulk' in step) {
      const { bulk, rows, shared } = step;
      if (bulk.sqlite === null || rows.length === 0) return [];
      return [[bulk.sqlite, false, shared.length === 0 ? rows : rows.map((row) => [...row, ...shared])]];
    }
    const text = textFor('sqlite', step.statement);
    return text === null ? [] : [[text, step.isNeeded, [step.cells]]];
  });
}

/** The areas' view of a file for reads alone. */
export const sqliteReads = (read: Reads): ReadDatabase => ({
  dialect: 'sqlite',
  read: async (statement, ...cells) => read.all(textOf(statement), cells),
  readEach: async <Found extends object>(
    statement: BulkStatement,
    rows: readonly (readonly Cell[])[],
    ...shared: readonly Cell[]
  ) => rows.flatMap((row) => read.all<Found>(textOf(statement), [...row, ...shared])),
  walk: async (statement, cells, convert) => read.walk(textOf(statement), cells, convert),
  inSnapshot: (work) => read.inSnapshot((all) => work((statement, ...cells) => all(textOf(statement), cells))),
});

/** The areas' view of a file: this thread reads it, the writer's thread changes it. */
export function sqliteDatabase(read: Reads, writer: Writer): Database {
  const write = (...steps: readonly Step[]): Promise<number> => writer.ask({ do: 'write', steps: writeSteps(steps) });
  return {
    ...sqliteReads(read),
    find: async <Found extends object>(statement: BulkStatement, merchantId: string, id: string) =>
      read.all<Found>(textOf(statement), [merchantId, id])[0] ?? null,
    write,
    writeLong: write,
    writeApart: async (...steps) => void (await write(...steps)),
    returning: async (statement, ...cells) => writer.rows(textOf(statement), cells),
  };
}
