import { type AuditEntry, type AuditHead, NO_ENTRIES } from '../../audit/entry.ts';
import { callsOfBatch } from '../../developer/callBatch.ts';
import type { Audit, Stored, StoredSettlement, Unreadable } from '../../ledger/ports.ts';
import type { Payment } from '../../payments/payment.ts';
import { DamagedTable } from '../../payments/storeErrors.ts';
import { bookedAmount } from '../../settlement/postings.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { type SealedRow, sealedTables } from '../../vault/ports.ts';
import type { PaymentRow } from '../commit/cells.ts';
import { type Cell, type Statement, textFor } from '../database.ts';
import type { Dialect } from '../migrate.ts';
import { damageOf, type PageReading, readPage } from '../records/readPage.ts';
import { type BlockRow, blockColumns, blockOf, line } from './ledger.ts';
import {
  briefPayments,
  type ListedCells,
  type ListedRow,
  listable,
  paymentStatements,
  readCells,
  type Whole,
} from './payments.ts';
import { type RecordRowCells, recordOfCells } from './settlement.ts';
import { keptFile, recordList } from './settlementStatements.ts';
import { type AuditRow, auditEntryOf, auditHeadOf, auditHeadText, auditLogStatements, type HeadRow } from './users.ts';
import { keyOf, type StoredKey, type StoredSealed, sealedReads, sealedRowOf, vaultStatements } from './vault.ts';

/** Reads a database as it is at one moment, to prove the books: all of it or the records of one merchant. */

/** The books, and the audit log beside them. */
export type Audited = Audit & {
  logHead(): Promise<AuditHead>;
  /** The entries behind a number, in the order of the chain. */
  log(after: number): AsyncIterable<readonly AuditEntry[]>;
};

/** One view of a database, while others may write to it. A damaged page of SQLite throws `DamagedTable`. */
export interface AuditReader {
  readonly dialect: Dialect;
  rows<Row extends object>(text: string, cells: readonly Cell[]): Promise<readonly Row[]>;
  /** Rows as arrays, page after page along a cursor. */
  pages<Row extends readonly unknown[]>(text: string, cells: readonly Cell[], size: number): AsyncIterable<readonly Row[]>;
}

const where = (isOne: boolean): string => (isOne ? 'WHERE merchant_id = ?1' : '');

const auditReads = {
  // In SQLite by their numbers; the blocks say which numbers they hold.
  postings: (isOne: boolean) => `SELECT merchant_id, n, ${line} AS line FROM posting ${where(isOne)} ORDER BY merchant_id, n`,
  blockRanges: (isOne: boolean) =>
    `SELECT merchant_id, number, from_n, to_n FROM ledger_block ${where(isOne)} ORDER BY merchant_id, number`,
  // In PostgreSQL by their blocks.
  postingsInBlocks: (isOne: boolean) =>
    `SELECT merchant_id, block, ${line} AS line FROM posting ${where(isOne)} ORDER BY merchant_id, block, subject_id, revision`,
  blocks: (isOne: boolean) => `SELECT ${blockColumns} FROM ledger_block ${where(isOne)} ORDER BY merchant_id, number`,
  // In any order, which is the fastest.
  payments: (isOne: boolean) => `SELECT ${listable} FROM payment ${where(isOne)}`,
  // The line itself is read again, whatever the columns say from which the postings were made.
  settlements: (isOne: boolean) => `
    SELECT ${recordList}, p.mode FROM settlement_record r
    LEFT JOIN payment p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
    WHERE r.status = 'MATCHED' AND ${keptFile} ${isOne ? 'AND r.merchant_id = ?1' : ''}`,
  // Sealed postings: the others are of the last second.
  countPostings: (isOne: boolean) => `SELECT COALESCE(SUM(count), 0) AS count FROM ledger_block ${where(isOne)}`,
  // Payments are counted by the day as they are written.
  countPayments: (isOne: boolean) =>
    `SELECT COALESCE(SUM(count), 0) AS count FROM payment_count WHERE span = 86400000 ${isOne ? 'AND merchant_id = ?1' : ''}`,
} as const;

type Names = { readonly owner: string; readonly root: string };

/** The names of families in a JSON list. */
const names: Readonly<Record<Dialect, string>> = {
  sqlite: "(SELECT value ->> 'owner' AS owner, value ->> 'root' AS root FROM json_each(?1))",
  postgres: '(SELECT n.owner, n.root FROM json_to_recordset(?1::text::json) AS n (owner text, root text)) AS names',
};
const members = (list: string): string => `
      SELECT ${listable} FROM ${list} CROSS JOIN payment WHERE merchant_id = owner AND id = root
      UNION ALL
      SELECT ${listable} FROM ${list} CROSS JOIN payment
      WHERE merchant_id = owner AND family_id = root AND referenced_id IS NOT NULL AND id <> family_id`;
const sums = (list: string): string => `
      SELECT merchant_id, payment_id, CAST(available AS TEXT) AS available, CAST(captured AS TEXT) AS captured,
        CAST(refunded AS TEXT) AS refunded, CAST(reversed AS TEXT) AS reversed, CAST(charged_back AS TEXT) AS charged_back
      FROM ${list} CROSS JOIN balance WHERE merchant_id = owner AND payment_id = root`;

/** The members of families, and the sums that the database keeps of them. */
export const familyStatements = {
  members: { sqlite: members(names.sqlite), postgres: members(names.postgres) },
  sums: { sqlite: sums(names.sqlite), postgres: sums(names.postgres) },
} as const;

/** Throws when the content is JSON, and not that of a payment. */
function assertPayment({ phase, mode, movedAt, details, fields }: Payment): void {
  const isFinished = phase.at !== 'final' || Object.hasOwn(resultCodes, phase.code);
  const isWhole = typeof phase.at === 'string' && typeof mode === 'string' && Number.isFinite(movedAt);
  const objects: readonly unknown[] = [details, fields];
  if (isFinished && isWhole && objects.every((one) => typeof one === 'object' && one !== null)) return;
  throw new TypeError('not the content of a payment');
}

/** Reads payments, and checks that the books can be made of them. */
const paymentReading = <Row>(
  read: (rows: readonly Row[]) => Promise<readonly Payment[]>,
  nameOf: (row: Row) => Omit<Unreadable, 'says'>,
): PageReading<Row, Payment> => ({
  noun: 'payment',
  nameOf,
  read: async (rows) => {
    const payments = await read(rows);
    payments.forEach(assertPayment);
    return payments;
  },
});

type SettlementCells = readonly [...RecordRowCells, mode: StoredSettlement['mode']];

const settlementReading: PageReading<SettlementCells, StoredSettlement> = {
  noun: 'line of a settlement',
  nameOf: ([id, , merchantId]) => ({ merchantId: merchantId ?? '', id }),
  read: async (rows) => rows.flatMap((row) => storedSettlement(row) ?? []),
};

type RecordTable = { readonly table: string; readonly noun: string; readonly merchant: string; readonly id: string } & {
  readonly content: string;
  /** There may be none. */
  readonly isOptional?: true;
};

/** The columns that hold JSON, other than those of payments and lines of settlements. Their ids and owners are columns. */
const recordTables: readonly RecordTable[] = [
  { table: 'entity', noun: 'entity', merchant: 'id', id: 'id', content: 'settings' },
  { table: 'registration', noun: 'registration', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'checkout', noun: 'checkout', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'schedule', noun: 'schedule', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'webhook', noun: 'webhook', merchant: 'entity_id', id: 'id', content: 'data' },
  { table: 'outbox', noun: 'event', merchant: 'merchant_id', id: 'id', content: 'detail', isOptional: true },
  { table: 'delivery', noun: 'delivery', merchant: 'merchant_id', id: 'id', content: 'detail', isOptional: true },
  { table: 'delivery', noun: 'delivery', merchant: 'merchant_id', id: 'id', content: 'tries' },
  { table: 'settlement_file', noun: 'settlement file', merchant: 'entity_id', id: 'id', content: 'data' },
  { table: 'scheduled_settlement', noun: 'scheduled settlement', merchant: 'merchant_id', id: 'payment_id', content: 'act' },
  { table: 'reconciliation_run', noun: 'reconciliation', merchant: 'merchant_id', id: 'day', content: 'data' },
  { table: 'document', noun: 'document', merchant: 'owner_id', id: "collection || '/' || id", content: 'body' },
];

type RecordRead = { readonly noun: string; readonly text: string };

const readOf = ({ table, noun, merchant, id, content }: RecordTable, conditions: readonly (string | false)[]): RecordRead => {
  const all = conditions.filter(Boolean);
  const where = all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
  return { noun, text: `SELECT ${merchant} AS owner, ${id} AS id, ${content} AS content FROM ${table}${where}` };
};

const isThere = ({ content, isOptional }: RecordTable): string | false => isOptional === true && `${content} IS NOT NULL`;

/** For each column the statement that reads its records; calls are read as their bytes. */
export const recordReads = (isOne: boolean): readonly RecordRead[] =>
  [
    ...recordTables,
    { table: 'call_batch', noun: 'batch of API calls', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
  ].map((its) => readOf(its, [isThere(its), isOne && `${its.merchant} = ?1`]));

/** For each column the statement that finds records without an object or a list in SQLite, which reads JSON itself. */
export const sqliteBrokenRecords: readonly RecordRead[] = [
  ...recordTables,
  { table: 'payment', noun: 'payment', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
  { table: 'settlement_record', noun: 'line of a settlement', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
].map((its) =>
  readOf(its, [
    isThere(its),
    `CASE WHEN json_valid(${its.content}) THEN json_type(${its.content}) NOT IN ('object', 'array') ELSE 1 END`,
  ]),
);

type ContentCells = readonly [owner: string | null, id: string, content: string | Uint8Array];

/** Null: the record can be read. */
export function unreadableIn([owner, id, content]: ContentCells, noun: string): Unreadable | null {
  try {
    const value: unknown = typeof content === 'string' ? JSON.parse(content) : callsOfBatch(content);
    if (typeof value === 'object' && value !== null) return null;
  } catch {}
  return { merchantId: owner ?? '', id, says: damageOf(noun) };
}

type SumsRow = {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly available: string;
  readonly captured: string;
  readonly refunded: string;
  readonly reversed: string;
  readonly charged_back: string;
};

const storedSums = (row: SumsRow) => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  available: BigInt(row.available),
  captured: BigInt(row.captured),
  refunded: BigInt(row.refunded),
  reversed: BigInt(row.reversed),
  chargedBack: BigInt(row.charged_back),
});

/** The effect that a line must have had on the books; null: none. */
function storedSettlement(row: SettlementCells): StoredSettlement | null {
  const [id, , merchantId, , , , , , mode] = row;
  const booked = bookedAmount(recordOfCells(row as unknown as RecordRowCells));
  return booked && { ...booked, merchantId: merchantId ?? '', recordId: id, mode };
}

/** The sealed texts of one read. */
const SEALED = 500;

/** Sealed texts along the keys of their tables. A proof in a damaged payment is left out: the payment is named. */
async function* sealedPages(reader: AuditReader, merchantId: string | null): AsyncGenerator<readonly SealedRow[]> {
  for (const table of sealedTables) {
    const read = sealedRowOf(table);
    for (let cursor: readonly [string, string] | null = [merchantId ?? '', '']; cursor !== null; ) {
      const rows: readonly StoredSealed[] = await reader.rows<StoredSealed>(sealedReads[table], [...cursor, SEALED]);
      const own = rows.filter(({ owner_id }) => merchantId === null || owner_id === merchantId);
      yield own.flatMap((row) => {
        try {
          const text = read(row);
          return table === 'proof' && text.sealed.length === 0 ? [] : [text];
        } catch {
          return [];
        }
      });
      const last = own.at(-1);
      const isEnd = rows.length < SEALED || own.length < rows.length;
      cursor = last && !isEnd ? [last.owner_id, table === 'secret' ? last.field : last.record_id] : null;
    }
  }
}

const PAGE = 1_000;
/** Whole contents may be long. */
const CONTENTS = 50;

export function auditOf(reader: AuditReader): Audited {
  const textOf = (statement: Statement): string => textFor(reader.dialect, statement) ?? '';
  const whole: Whole = async (merchantId, id) => (await reader.rows<PaymentRow>(paymentStatements.payment, [merchantId, id]))[0];
  const number = async (text: string, merchantId: string | null): Promise<number> =>
    Number((await reader.rows<{ readonly count: number | string }>(text, merchants(merchantId)))[0]?.count ?? 0);
  return {
    counts: async (merchantId) => ({
      postings: await number(auditReads.countPostings(merchantId !== null), merchantId),
      payments: await number(auditReads.countPayments(merchantId !== null), merchantId),
    }),
    postings: (merchantId) => postingsOf(reader, merchantId),
    blocks: async function* (merchantId) {
      const pages = reader.pages(auditReads.blocks(merchantId !== null), merchants(merchantId), PAGE);
      for await (const page of pages) yield page.map((cells) => blockOf(named<BlockRow>(blockColumns, cells)));
    },
    payments: async function* (merchantId) {
      const reading = paymentReading((rows: readonly ListedCells[]) => readCells(rows, whole), nameOfCells);
      const pages = reader.pages<ListedCells>(auditReads.payments(merchantId !== null), merchants(merchantId), PAGE);
      for await (const page of pages) yield await readPage(page, reading);
    },
    settlements: async function* (merchantId) {
      const pages = reader.pages<SettlementCells>(auditReads.settlements(merchantId !== null), merchants(merchantId), PAGE);
      for await (const page of pages) yield await readPage(page, settlementReading);
    },
    unreadable: (merchantId) => unreadableOf(reader, merchantId),
    sealed: (merchantId) => sealedPages(reader, merchantId),
    keys: async (owner) => {
      const text = owner === null ? vaultStatements.keys : vaultStatements.keysOf;
      return (await reader.rows<StoredKey>(text, merchants(owner))).map(keyOf);
    },
    logHead: async () => {
      const [row] = await reader.rows<HeadRow>(auditHeadText, []);
      return row ? auditHeadOf(row) : NO_ENTRIES;
    },
    log: (after) => logBehind(reader, after),
    families: async (families) => {
      const list = (all: readonly Names[]): string => JSON.stringify(all);
      const roots = list(families.map(({ merchantId, familyId }) => ({ owner: merchantId, root: familyId })));
      const rows = await reader.rows<ListedRow>(textOf(familyStatements.members), [roots]);
      const reading = paymentReading((some: readonly ListedRow[]) => briefPayments(some, whole), memberName);
      const page = await readPage(rows, reading);
      const ids = list(page.records.map(({ merchantId, id }) => ({ owner: merchantId, root: id })));
      const found = await reader.rows<SumsRow>(textOf(familyStatements.sums), [ids]);
      return { ...page, sums: found.map(storedSums) };
    },
  };
}

const merchants = (merchantId: string | null): readonly string[] => (merchantId === null ? [] : [merchantId]);

/** A row by the names of its columns. */
const named = <Row>(columns: string, cells: readonly unknown[]): Row =>
  Object.fromEntries(columns.split(', ').map((name, at) => [name, cells[at]])) as Row;

const memberName = ({ merchant_id, id, family_id }: ListedRow) => ({ merchantId: merchant_id, id, familyId: family_id });
const nameOfCells = ([merchantId, id, familyId]: ListedCells) => ({ merchantId, id, familyId });

/** Records that cannot be read. A table whose pages are damaged is one of them. */
async function* unreadableOf(reader: AuditReader, merchantId: string | null): AsyncGenerator<readonly Unreadable[]> {
  for (const { noun, text } of recordReads(merchantId !== null)) {
    try {
      for await (const page of reader.pages<ContentCells>(text, merchants(merchantId), CONTENTS))
        yield page.map((cells) => unreadableIn(cells, noun)).filter((one) => one !== null);
    } catch (error) {
      if (!(error instanceof DamagedTable)) throw error;
      yield [{ merchantId: '', id: error.table, says: error.message }];
    }
  }
}

async function* logBehind(reader: AuditReader, after: number): AsyncGenerator<readonly AuditEntry[]> {
  for (let last = after; ; ) {
    const rows = await reader.rows<AuditRow>(auditLogStatements.auditChain, [last, PAGE]);
    const entries = rows.map(auditEntryOf);
    if (entries.length > 0) yield entries;
    if (entries.length < PAGE) return;
    last = entries.at(-1)?.number ?? last;
  }
}

type PostingCells = readonly [merchantId: string, place: number | string, line: string];
type BlockRange = readonly [merchantId: string, number: number, from: number, to: number];

/** Each posting with its block. PostgreSQL stores the block; in SQLite the blocks say which numbers of postings they hold. */
async function* postingsOf(reader: AuditReader, merchantId: string | null): AsyncGenerator<Stored[]> {
  const isOne = merchantId !== null;
  if (reader.dialect === 'postgres') {
    for await (const page of reader.pages<PostingCells>(auditReads.postingsInBlocks(isOne), merchants(merchantId), PAGE))
      yield page.map(([owner, block, text]) => ({ merchantId: owner, block: Number(block), line: text }));
    return;
  }
  const search = await createBlockSearch(reader, merchantId);
  for await (const page of reader.pages<PostingCells>(auditReads.postings(isOne), merchants(merchantId), PAGE)) {
    const stored: Stored[] = [];
    for (const [owner, place, text] of page) {
      const n = Number(place);
      // Few postings are the last ones of their block: an await for each of them would be most of the work.
      while (search.isPassed(owner, n)) await search.next();
      stored.push({ merchantId: owner, block: search.blockAt(owner, n), line: text });
    }
    yield stored;
  }
}

/** Walks along the blocks, which come in the same order as the postings. */
async function createBlockSearch(reader: AuditReader, merchantId: string | null) {
  const pages = reader.pages<BlockRange>(auditReads.blockRanges(merchantId !== null), merchants(merchantId), PAGE);
  const ranges = rowsOf(pages);
  let current = await ranges.next();
  return {
    isPassed: (owner: string, n: number): boolean =>
      !current.done && (current.value[0] < owner || (current.value[0] === owner && current.value[3] < n)),
    next: async (): Promise<void> => {
      current = await ranges.next();
    },
    /** 0: the posting is in no block. */
    blockAt: (owner: string, n: number): number =>
      !current.done && current.value[0] === owner && current.value[2] <= n ? current.value[1] : 0,
  };
}

async function* rowsOf<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}
