import type { Payment } from '../../payments/payment.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { ticks } from '../../runtime/ticks.ts';
import type {
  Aggregation,
  FileCount,
  NamedPaymentsQuery,
  PaymentName,
  RecordQuery,
  SettlementStore,
} from '../../settlement/ports.ts';
import { bookedAmount } from '../../settlement/postings.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import { type Cell, type Database, DELETE_BATCH, each, first, needed, type SnapshotRead, step } from '../database.ts';
import { type ListedRow, readBrief } from './payments.ts';
import {
  bookingColumns,
  readRecord,
  recordColumns,
  recordText,
  settlementStatements as statements,
} from './settlementStatements.ts';

/** Settlement files, their records, and the payments that match them. */

export const settlementMethods = (db: Database): SettlementStore => ({
  ...fileMethods(db),
  ...matchingMethods(db),
  record: async (id) => {
    const row = await first(db.read<RecordRow>(statements.settlementRecord, id));
    return row ? recordOf(row) : null;
  },
  saveRecord: async (record, at) => {
    checkRecord(record, null);
    const booking = bookingCells(record, at);
    // The postings go with the record, or not at all.
    const changed = await db.write(
      needed(statements.holdRecord, record.id, record.revision),
      step(statements.bookLeaving, ...booking),
      step(statements.bookComing, ...booking),
      needed(statements.saveRecord, ...recordCells(record)),
    );
    return changed > 0;
  },
  unrecorded: async (limit) => (await db.read<RecordRow>(statements.unrecorded, limit)).map(recordOf),
  records: (query) => {
    const statement = query.isBackwards ? statements.settlementRecordsBackwards : statements.settlementRecords;
    return db.walk<RecordRowCells, SettlementRecord>(statement, listCells(query), recordOfCells);
  },
  countRecords: async (query) => (await totalsOf(db, query)).reduce((sum, { count }) => sum + count, 0),
  exceptions: async ({ entityIds, status, after = '', limit }) =>
    (await db.read<RecordRow>(statements.exceptions, JSON.stringify(entityIds), status, after, limit)).map(recordOf),
  aggregations: ({ currency, ...query }) => totalsOf(db, { ...query, ...(currency !== null && { currency }) }),
});

type Files = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

const fileMethods = (db: Database): Pick<SettlementStore, Files> => ({
  beginFile: async (file) => {
    checkFile(file);
    if ((await db.write(step(statements.beginFile, ...fileCells(file)))) > 0) return null;
    const row = await first(db.read<FileRow>(statements.fileInTheWay, file.entityId, file.digest, file.pspId));
    // The other file is gone by now: returns the caller's own file as an abandoned one, so that the caller tries again.
    return row ? fileOf(row) : { ...file, readUntil: 0 };
  },
  addRecords: async (fileId, records, readUntil) => {
    for (const record of records) checkRecord(record, fileId);
    // The file first: its row lock makes a concurrent drop wait, or makes this wait for the drop.
    const changed = await db.write(
      needed(statements.goOnReading, fileId, readUntil),
      each(statements.addRecords, records.map(recordCells), fileId),
    );
    return changed > 0;
  },
  keepFile: async (file) => {
    const changed = await db.writeLong(
      needed(statements.holdFile, file.id),
      step(statements.bookFile, file.id),
      needed(statements.keepFile, ...keptCells(file)),
    );
    return changed > 0;
  },
  dropFile: async (fileId) => {
    await db.write(step(statements.markDropped, fileId));
    while ((await db.write(step(statements.dropRecords, fileId, DELETE_BATCH))) === DELETE_BATCH) {}
    await db.write(step(statements.dropFile, fileId));
  },
  abandonedFiles: async (now, limit) => (await db.read<FileRow>(statements.abandonedFiles, now, limit)).map(fileOf),
  file: async (id) => {
    const row = await first(db.read<FileRow>(statements.settlementFile, id));
    return row ? fileOf(row) : null;
  },
  files: async (entityIds, limit) => (await db.read<FileRow>(statements.filesOf, JSON.stringify(entityIds), limit)).map(fileOf),
  countFile: async (fileId) => countOf(await db.read<CountRow>(statements.countFile, fileId)),
});

const lookup = {
  id: statements.paymentsById,
  merchantTransactionId: statements.paymentsByOwnId,
  shortId: statements.paymentsByShortId,
  connectorTxId: statements.paymentsByReference,
} as const;

/** The cells behind the two lists, for each kind of name. */
const lookupCells = (kind: PaymentName['kind'], { from, before, each: most }: NamedPaymentsQuery): readonly number[] =>
  kind === 'id' ? [] : kind === 'merchantTransactionId' ? [most] : [from, before];

function matchingMethods(db: Database): Pick<SettlementStore, 'paymentsNamed' | 'paymentsAlike' | 'recordsOfPayments'> {
  const payments = async (rows: Promise<readonly ListedRow[]>) => readBrief(db, await rows);
  return {
    paymentsNamed: async (query) => {
      const merchants = JSON.stringify(query.merchantIds);
      return byNames(query, (kind, values) =>
        payments(db.read<ListedRow>(lookup[kind], merchants, JSON.stringify(values), ...lookupCells(kind, query))),
      );
    },
    paymentsAlike: async ({ merchantIds, from, before, sums, limit }) => {
      const texts = sums.map(({ amount, currency }) => `${currency} ${amount}`);
      const cells = [JSON.stringify(merchantIds), JSON.stringify(texts), from, before, limit];
      return payments(db.read<ListedRow>(statements.paymentsAlike, ...cells));
    },
    recordsOfPayments: async (merchantIds, paymentIds, readingId) => {
      const cells = [JSON.stringify(merchantIds), JSON.stringify(paymentIds), readingId];
      return (await db.read<RecordRow>(statements.recordsOfPayments, ...cells)).map(recordOf);
    },
  };
}

type TotalsQuery = Omit<RecordQuery, 'after' | 'isBackwards' | 'skip' | 'limit'>;
type RecordCursor = { readonly settled_on: string; readonly id: string };

/** The records that are added up in one tick of the event loop: some 2 ms. */
const TOTALS_BATCH = 1_000;
/** Behind every id. */
const LAST = '~';

/** Adds records up by day and currency. Where a statement blocks this thread, more than one batch is read batch by batch. */
async function totalsOf(db: Database, query: TotalsQuery): Promise<readonly Aggregation[]> {
  const cells = questionCells(query);
  const [merchantId, , from, to] = cells;
  const batchEnd = [merchantId, from, '', to, TOTALS_BATCH - 1] as const;
  if (db.inSnapshot === null || (await db.read(statements.batchEnd, ...batchEnd)).length === 0)
    return (await db.read<AggregationRow>(statements.aggregations, ...cells)).map(aggregationOf);
  return db.inSnapshot((read) => totalsInBatches(read, cells));
}

async function totalsInBatches(read: SnapshotRead, cells: ReturnType<typeof questionCells>): Promise<readonly Aggregation[]> {
  const [merchantId, , from, to] = cells;
  const endAfter = ({ settled_on, id }: RecordCursor): RecordCursor | undefined =>
    read<RecordCursor>(statements.batchEnd, merchantId, settled_on, id, to, TOTALS_BATCH - 1)[0];
  const sums = new Map<string, Aggregation>();
  for (let at: RecordCursor | undefined = { settled_on: from, id: '' }; at !== undefined; ) {
    const end: RecordCursor | undefined = endAfter(at);
    const upTo: RecordCursor = end ?? { settled_on: to, id: LAST };
    const rows = read<AggregationRow>(statements.batchTotals, ...cells, at.settled_on, at.id, upTo.settled_on, upTo.id);
    for (const row of rows) addTo(sums, aggregationOf(row));
    at = end;
    await ticks.next();
  }
  return [...sums.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const keyOf = ({ settledOn, currency }: Aggregation): string => `${settledOn} ${currency}`;

function addTo(sums: Map<string, Aggregation>, more: Aggregation): void {
  const sum = sums.get(keyOf(more));
  const { settledOn, currency } = more;
  sums.set(
    keyOf(more),
    sum === undefined
      ? more
      : { settledOn, currency, count: sum.count + more.count, amount: sum.amount + more.amount, fee: sum.fee + more.fee },
  );
}

/** PostgreSQL returns large integers as strings. */

type FileRow = {
  readonly id: string;
  readonly entity_id: string;
  readonly psp_id: string;
  readonly digest: string;
  readonly state: SettlementFile['state'] | 'dropping';
  readonly read_until: string | number;
  readonly lines: string | number;
  readonly created_at: string | number;
  readonly data: string;
};

/** A file that is being dropped is returned as one that was abandoned long ago, so that the next caller drops the rest of it. */
const fileOf = (row: FileRow): SettlementFile => ({
  ...(JSON.parse(row.data) as SettlementFile),
  id: row.id,
  entityId: row.entity_id,
  pspId: row.psp_id,
  digest: row.digest,
  state: row.state === 'dropping' ? 'reading' : row.state,
  readUntil: row.state === 'dropping' ? 0 : Number(row.read_until),
  lines: Number(row.lines),
  createdAt: Number(row.created_at),
});

/** In the order of the columns of a file. */
function fileCells({ id, entityId, pspId, digest, state, readUntil, lines, createdAt, ...rest }: SettlementFile) {
  return [id, entityId, pspId, digest, state, readUntil, lines, createdAt, JSON.stringify(rest)] as const satisfies Cell[];
}

/** Of a file that is about to be kept: its id, its lines and its data. */
function keptCells(file: SettlementFile) {
  const [id, , , , , , lines, , data] = fileCells(file);
  return [id, lines, data] as const satisfies Cell[];
}

export function checkFile({ id, state, digest }: SettlementFile): void {
  if (id === '' || state === 'kept' || !/^[0-9a-f]{64}$/.test(digest))
    throw new BrokenCommit('a file begins by being read or refused, and has the digest of its bytes');
}

export type RecordRow = {
  readonly id: string;
  readonly file_id: string;
  readonly merchant_id: string | null;
  readonly entity_id: string | null;
  readonly line: string | number;
  readonly created_at: string | number;
  readonly revision: string | number;
  readonly data: string;
};

/** The columns of recordList in their order, where a driver gives rows without the names. */
export type RecordRowCells = readonly [
  id: string,
  fileId: string,
  merchantId: string | null,
  entityId: string | null,
  line: string | number,
  createdAt: string | number,
  revision: string | number,
  data: string,
];

export const recordOf = (row: RecordRow): SettlementRecord =>
  readRecord(row.data, {
    id: row.id,
    fileId: row.file_id,
    merchantId: row.merchant_id,
    entityId: row.entity_id,
    line: Number(row.line),
    createdAt: Number(row.created_at),
    revision: Number(row.revision),
  });

export const recordOfCells = (row: RecordRowCells): SettlementRecord =>
  readRecord(row[7], {
    id: row[0],
    fileId: row[1],
    merchantId: row[2],
    entityId: row[3],
    line: Number(row[4]),
    createdAt: Number(row[5]),
    revision: Number(row[6]),
  });

/** The amount that the merchant got; negative: deducted. */
export const signed = ({ cashflow, settledAmount }: Pick<SettlementRecord, 'cashflow' | 'settledAmount'>): bigint =>
  cashflow === 'NEG' ? -settledAmount : settledAmount;

/** In the order of `recordColumns`. Amounts are strings, which every driver takes. */
function recordCells(record: SettlementRecord) {
  const { id, fileId, merchantId, entityId, line, createdAt, revision, ...rest } = record;
  const { match, recordType, chargebackId, settledOn, settledCurrency } = rest;
  const booked = bookedAmount(record);
  return [
    id,
    fileId,
    merchantId,
    entityId,
    line,
    recordType,
    match.status,
    match.isOpen ? 1 : 0,
    match.status === 'MATCHED' ? (match.paymentIds[0] ?? null) : null,
    chargebackId,
    settledOn,
    settledCurrency,
    String(signed(record)),
    String(rest.fee ?? 0n),
    createdAt,
    revision,
    recordText(rest),
    booked?.currency ?? null,
    booked?.settled.toString() ?? null,
    booked?.fee.toString() ?? null,
    match.exception?.kind ?? null,
  ] as const satisfies Cell[];
}

/** The cells of the statements that post what a changed record does. */
function bookingCells(record: SettlementRecord, at: number): readonly (string | number | null)[] {
  const cells = recordCells(record);
  return [...bookingColumns.map((name) => cells[recordColumns.indexOf(name)] ?? null), at];
}

/** Throws when a record contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkRecord({ id, line, match, merchantId, revision }: SettlementRecord, fileId: string | null): void {
  const { status, paymentIds } = match;
  const isOne = status !== 'MATCHED' || (paymentIds.length === 1 && merchantId !== null);
  const isCounted = Number.isSafeInteger(revision) && (fileId === null ? revision > 1 : revision === 1);
  if (id === '' || !isOne || !isCounted || !Number.isSafeInteger(line))
    throw new BrokenCommit('a record that contradicts itself');
}

/** The places of the statements that filter records. */
const questionCells = (query: TotalsQuery) =>
  [
    query.merchantId,
    query.entityId ?? null,
    query.from ?? '',
    query.to ?? '9999-12-31',
    query.currency ?? null,
    query.recordType ?? null,
  ] as const;

/** The places of the statements that list records: where a list ends, and behind which place it begins. */
function listCells(query: RecordQuery) {
  const { merchantId, entityId = null, currency = null, recordType = null, after, isBackwards, limit, skip = 0 } = query;
  const [from, to] = [query.from ?? '', query.to ?? '9999-12-31'];
  const start = isBackwards ? ([to, '~'] as const) : ([from, ''] as const);
  const isInside = after !== undefined && (isBackwards ? after.settledOn <= to : after.settledOn >= from);
  const place = isInside ? ([after.settledOn, after.id] as const) : start;
  return [merchantId, entityId, isBackwards ? from : to, currency, recordType, ...place, limit, skip] as const;
}

type AggregationRow = {
  readonly settled_on: string;
  readonly currency: string;
  readonly count: string | number;
  readonly amount: string;
  readonly fee: string;
};

export const aggregationOf = (row: AggregationRow): Aggregation => ({
  settledOn: row.settled_on,
  currency: row.currency,
  count: Number(row.count),
  amount: BigInt(row.amount),
  fee: BigInt(row.fee),
});

type CountRow = { readonly status: keyof FileCount; readonly count: string | number; readonly open: string | number };

export function countOf(rows: readonly CountRow[]): FileCount {
  const counts = { MATCHED: 0, MULTIPLE_MATCHES: 0, NOT_MATCHED: 0, open: 0 };
  for (const { status, count, open } of rows) {
    counts[status] += Number(count);
    counts.open += Number(open);
  }
  return counts;
}

/** The names of a payment in the order of the kinds. */
export function namesOf({ id, merchantTransactionId, shortId, details }: Payment): readonly PaymentName[] {
  const given = ['ConnectorTxID1', 'ConnectorTxID2', 'ConnectorTxID3'].flatMap((key) => details.resultDetails?.[key] ?? []);
  return [
    { kind: 'id', value: id },
    ...(merchantTransactionId === null ? [] : [{ kind: 'merchantTransactionId', value: merchantTransactionId } as const]),
    { kind: 'shortId', value: shortId },
    ...given.map((value): PaymentName => ({ kind: 'connectorTxId', value })),
  ];
}

type Named = { readonly name: PaymentName; readonly payment: Payment };

/** Looks up each kind of name in the query, and returns for each payment the name by which it was found. */
async function byNames(
  { names }: NamedPaymentsQuery,
  find: (kind: PaymentName['kind'], values: readonly string[]) => Promise<readonly Payment[]>,
): Promise<readonly Named[]> {
  const found: Named[] = [];
  for (const [kind, own] of Map.groupBy(names, (name) => name.kind)) {
    const values = new Set(own.map(({ value }) => value));
    for (const payment of await find(kind, [...values])) {
      for (const name of namesOf(payment)) if (name.kind === kind && values.has(name.value)) found.push({ name, payment });
    }
  }
  return found;
}
