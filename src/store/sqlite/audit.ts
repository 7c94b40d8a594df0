import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { NO_ENTRIES } from '../../audit/entry.ts';
import type { Stored, Unreadable } from '../../ledger/ports.ts';
import { DamagedTable, StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { Audited } from '../openAudit.ts';
import { type AuditRow, auditColumns, auditEntryOf, auditHeadOf, auditHeadText, type HeadRow } from '../tables/auditLog.ts';
import { type BlockRow, blockOf } from '../tables/ledger.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { readPage } from '../tables/readPage.ts';
import { keyOf, type StoredKey, type StoredSealed } from '../tables/registrations.ts';
import { reads } from '../tables/statements.ts';
import {
  auditReads,
  type ContentRow,
  familyReads,
  memberName,
  paymentReading,
  recordReads,
  type SettlementRow,
  type SumsRow,
  sealedPages,
  settlementReading,
  sqliteBrokenRecords,
  storedSums,
  unreadableIn,
} from '../tables/verification.ts';
import { sizeOf, WHOLE_BYTES_MAX } from './check.ts';
import { sqliteCode } from './errors.ts';
import { frozen, openForReading, pathOf, type SqliteLocation } from './file.ts';
import { type ListedCells, lookThroughCells, wholeIn } from './pages.ts';

const PAGE = 1_000;

/** Reads a file as it is at one moment, while others may write to it; nothing of it is changed. */
export async function auditSqlite<T>(place: SqliteLocation, work: (audit: Audited) => Promise<T>): Promise<T> {
  const path = pathOf(place);
  if (!existsSync(path)) throw new StoreOutOfOrder(`There is no database at ${path}: start the gateway once.`);
  const db = openForReading(path);
  try {
    // One transaction is one view of the file.
    db.exec('BEGIN');
    const applied = db.prepare(appliedMigrations).all() as AppliedMigration[];
    checkSchema('sqlite', applied);
    return await work(auditOf(db));
  } finally {
    db.close();
  }
}

/** The records of a small database that cannot be read. All others can be used. `isFrozen`: its disk is full. */
export function unreadableRecords(path: string, isFrozen = false): readonly Unreadable[] {
  if (sizeOf(path) > WHOLE_BYTES_MAX) return [];
  const db = openForReading(isFrozen ? frozen(path) : path);
  try {
    return sqliteBrokenRecords.flatMap(({ noun, text }) =>
      (db.prepare(text).all() as unknown as ContentRow[]).flatMap((row) => unreadableIn(row, noun) ?? []),
    );
  } finally {
    db.close();
  }
}

/** Rows come as arrays where there are many: see pages.ts. */
function auditOf(db: DatabaseSync): Audited {
  const { members, sums } = familyReads('(SELECT value ->> 0 AS owner, value ->> 1 AS root FROM json_each(?1))');
  const [findMembers, findSums] = [db.prepare(members), db.prepare(sums)];
  const whole = wholeIn(db);
  const number = (text: string, merchantId: string | null): number =>
    Number(db.prepare(text).get(...merchants(merchantId))?.count ?? 0);
  return {
    counts: async (merchantId) => {
      const isOne = merchantId !== null;
      return {
        postings: number(auditReads.countPostings(isOne), merchantId),
        payments: number(auditReads.countPayments(isOne), merchantId),
      };
    },
    postings: (merchantId) => postingsOf(db, merchantId),
    blocks: (merchantId) =>
      pages(db, auditReads.blocks(merchantId !== null), { merchantId, read: (cells: BlockCells) => blockOf(blockRow(cells)) }),
    payments: async function* (merchantId) {
      const all = pages(db, auditReads.payments(merchantId !== null), { merchantId, read: (cells: ListedCells) => cells });
      const nameOf = ([owner, id, familyId]: ListedCells) => ({ merchantId: owner, id, familyId });
      const reading = paymentReading((rows: readonly ListedCells[]) => lookThroughCells(rows, whole), nameOf);
      for await (const page of all) yield await readPage(page, reading);
    },
    settlements: async function* (merchantId) {
      const all = pages(db, auditReads.settlements(merchantId !== null), {
        merchantId,
        read: (row: SettlementRow) => row,
        isNamed: true,
      });
      for await (const page of all) yield await readPage(page, settlementReading);
    },
    unreadable: (merchantId) => unreadableOf(db, merchantId),
    sealed: (merchantId) =>
      sealedPages(
        merchantId,
        (text, cells) => [...readable(text, () => db.prepare(text).iterate(...cells))] as unknown as StoredSealed[],
      ),
    keys: async (owner) => {
      const rows = owner === null ? db.prepare(reads.keys).all() : db.prepare(reads.keysOf).all(owner);
      return (rows as unknown as StoredKey[]).map(keyOf);
    },
    logHead: async () => {
      const row = db.prepare(auditHeadText).get() as HeadRow | undefined;
      return row ? auditHeadOf(row) : NO_ENTRIES;
    },
    log: (after) =>
      pages(db, `SELECT ${auditColumns} FROM audit_entry WHERE number > ${after} ORDER BY number`, {
        merchantId: null,
        read: (row: AuditRow) => auditEntryOf(row),
        isNamed: true,
      }),
    families: async (names) => {
      const roots = JSON.stringify(names.map(({ merchantId, familyId }) => [merchantId, familyId]));
      const members = [...readable('FROM payment', () => findMembers.iterate(roots))] as unknown as ListedRow[];
      const page = await readPage(
        members,
        paymentReading((rows: readonly ListedRow[]) => lookThrough(rows, whole), memberName),
      );
      const ids = JSON.stringify(page.records.map(({ merchantId, id }) => [merchantId, id]));
      return {
        ...page,
        sums: ([...readable('FROM balance', () => findSums.iterate(ids))] as unknown as SumsRow[]).map(storedSums),
      };
    },
  };
}

/** Records that cannot be read. A table whose pages are damaged is one of them. */
async function* unreadableOf(db: DatabaseSync, merchantId: string | null): AsyncGenerator<readonly Unreadable[]> {
  for (const { noun, text } of recordReads(merchantId !== null)) {
    const read = (row: ContentRow) => unreadableIn(row, noun);
    try {
      for await (const page of pages(db, text, { merchantId, read, isNamed: true })) yield page.filter((one) => one !== null);
    } catch (error) {
      if (!(error instanceof DamagedTable)) throw error;
      yield [{ merchantId: '', id: error.table, says: error.message }];
    }
  }
}

const merchants = (merchantId: string | null): string[] => (merchantId === null ? [] : [merchantId]);

type BlockCells = readonly [string, number, number, number, number, number, number, string, string, string];

const blockRow = ([
  merchant_id,
  number,
  count,
  first_at,
  last_at,
  through_at,
  late_ms,
  balances,
  previous,
  hash,
]: BlockCells): BlockRow => ({
  merchant_id,
  number,
  count,
  first_at,
  last_at,
  through_at,
  late_ms,
  balances,
  previous,
  hash,
});

type Reading<Row, Thing> = {
  readonly merchantId: string | null;
  readonly read: (cells: Row) => Thing;
  readonly isNamed?: boolean;
};

async function* pages<Row, Thing>(
  db: DatabaseSync,
  text: string,
  { merchantId, read, isNamed = false }: Reading<Row, Thing>,
): AsyncGenerator<Thing[]> {
  const statement = db.prepare(text);
  statement.setReturnArrays(!isNamed);
  let page: Thing[] = [];
  for (const cells of readable(text, () => statement.iterate(...merchants(merchantId)))) {
    page.push(read(cells as unknown as Row));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const tableIn = (text: string): string => /\bFROM (\w+)/.exec(text)?.[1] ?? '';

/** Says which table it was whose pages are damaged. */
function* readable<Row>(text: string, read: () => Iterable<Row>): Generator<Row> {
  try {
    yield* read();
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_CORRUPT') throw error;
    throw new DamagedTable(tableIn(text));
  }
}

type BlockRange = readonly [merchantId: string, number: number, from: number, to: number];
type Numbered = readonly [merchantId: string, n: number, line: string];

/** Each posting with the block that holds its number; both come in the same order. */
async function* postingsOf(db: DatabaseSync, merchantId: string | null): AsyncGenerator<Stored[]> {
  const statement = db.prepare(auditReads.blockRanges(merchantId !== null));
  statement.setReturnArrays(true);
  const ranges = statement.iterate(...merchants(merchantId)) as unknown as Iterator<BlockRange>;
  let range = ranges.next();
  const blockAt = (owner: string, n: number): number => {
    while (!range.done && (range.value[0] < owner || (range.value[0] === owner && range.value[3] < n))) {
      range = ranges.next();
    }
    return !range.done && range.value[0] === owner && range.value[2] <= n ? range.value[1] : 0;
  };
  const read = ([owner, n, line]: Numbered): Stored => ({ merchantId: owner, block: blockAt(owner, n), line });
  yield* pages(db, auditReads.postings(merchantId !== null), { merchantId, read });
}
