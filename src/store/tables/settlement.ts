import type { Payment } from '../../payments/payment.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Aggregation, FileCount, NamedPaymentsQuery, PaymentName, RecordQuery } from '../../settlement/ports.ts';
import { bookedAmount } from '../../settlement/postings.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import type { Cell } from './payments.ts';
import { readRecord, recordText } from './recordText.ts';

/** Every statement about settlement, in the form of statements.ts. */

const fileColumns = ['id', 'entity_id', 'psp_id', 'digest', 'state', 'read_until', 'lines', 'created_at', 'data'] as const;
export const recordColumns = [
  'id',
  'file_id',
  'merchant_id',
  'entity_id',
  'line',
  'record_type',
  'status',
  'is_open',
  'payment_id',
  'chargeback_id',
  'settled_on',
  'currency',
  'amount',
  'fee',
  'created_at',
  'revision',
  'data',
  'booked_currency',
  'booked_settled',
  'booked_fee',
  'exception',
] as const;

export const fileList = fileColumns.join(', ');
export const recordList = 'r.id, r.file_id, r.merchant_id, r.entity_id, r.line, r.created_at, r.revision, r.data';
const places = (count: number) => Array.from({ length: count }, (_, at) => `?${at + 1}`);
/** A duplicate is in no list and no sum of settled money until a user has matched it. */
const reported = "(r.exception IS NULL OR r.exception <> 'duplicate')";
export const keptFile = "EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = r.file_id AND f.state = 'kept')";

/** The records of a query; its places are those of `questionCells`. */
export const recordFilter = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND r.settled_on >= ?3 AND r.settled_on <= ?4
  AND (CAST(?5 AS TEXT) IS NULL OR r.currency = CAST(?5 AS TEXT))
  AND (CAST(?6 AS TEXT) IS NULL OR r.record_type = CAST(?6 AS TEXT)) AND ${reported} AND ${keptFile}`;

/** What is added up for a day and a currency. */
export const totals =
  'r.settled_on, r.currency, COUNT(*) AS count, CAST(SUM(r.amount) AS TEXT) AS amount, CAST(SUM(r.fee) AS TEXT) AS fee';

/** The same for lists, which begin at a cursor only: with a second bound every page would begin at that bound again. */
const among = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND (CAST(?4 AS TEXT) IS NULL OR r.currency = CAST(?4 AS TEXT))
  AND (CAST(?5 AS TEXT) IS NULL OR r.record_type = CAST(?5 AS TEXT)) AND ${reported} AND ${keptFile}`;

export const settlementReads = {
  settlementFile: `SELECT ${fileList} FROM settlement_file WHERE id = ?1`,
  fileInTheWay: `
    SELECT ${fileList} FROM settlement_file WHERE entity_id = ?1 AND digest = ?2
    UNION ALL
    SELECT ${fileList} FROM settlement_file WHERE psp_id = ?3 AND state = 'reading'`,
  abandonedFiles: `
    SELECT ${fileList} FROM settlement_file
    WHERE state IN ('reading', 'dropping') AND (state = 'dropping' OR read_until < ?1) ORDER BY created_at, id LIMIT ?2`,
  countFile: 'SELECT status, COUNT(*) AS count, SUM(is_open) AS open FROM settlement_record r WHERE file_id = ?1 GROUP BY status',
  unrecorded: `
    SELECT ${recordList} FROM settlement_record r
    WHERE r.status = 'MATCHED' AND r.chargeback_id IS NULL AND r.record_type IN ('CHARGEBACK', 'CHARGEBACK REVERSAL')
      AND ${keptFile}
    ORDER BY r.id LIMIT ?1`,
  settlementRecord: `SELECT ${recordList} FROM settlement_record r WHERE r.id = ?1 AND ${keptFile}`,
  settlementRecords: `
    SELECT ${recordList} FROM settlement_record r
    WHERE ${among} AND r.settled_on <= ?3 AND (r.settled_on, r.id) > (?6, ?7)
    ORDER BY r.settled_on, r.id LIMIT ?8 OFFSET ?9`,
  settlementRecordsBackwards: `
    SELECT ${recordList} FROM settlement_record r
    WHERE ${among} AND r.settled_on >= ?3 AND (r.settled_on, r.id) < (?6, ?7)
    ORDER BY r.settled_on DESC, r.id DESC LIMIT ?8 OFFSET ?9`,
  countRecords: `SELECT COUNT(*) AS count FROM settlement_record r WHERE ${recordFilter}`,
  aggregations: `
    SELECT ${totals} FROM settlement_record r WHERE ${recordFilter}
    GROUP BY r.settled_on, r.currency ORDER BY r.settled_on, r.currency`,
} as const;

/** What a record does to the books. */
const booked = ['booked_currency', 'booked_settled', 'booked_fee'];

/** What becomes of a line is updated, what it says is not: a change of that finds nothing to write. */
const judged = [
  ...['merchant_id', 'entity_id', 'status', 'is_open', 'payment_id', 'chargeback_id', 'revision', 'data', 'exception'],
  ...booked,
];
const numbered = recordColumns.map((name, at) => ({ name, place: `?${at + 1}` }));
const changed = numbered.filter(({ name }) => judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);
const fixed = numbered.filter(({ name }) => !judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);

/** What the postings of a record that changes depend on: what stays, and what may differ. The instant stands behind them. */
const bookingColumns = recordColumns.filter(
  (name) => !['entity_id', 'status', 'is_open', 'chargeback_id', 'data', 'exception'].includes(name),
);
const placeOf = (name: string): string => `?${(bookingColumns as readonly string[]).indexOf(name) + 1}`;
const instant = `CAST(?${bookingColumns.length + 1} AS BIGINT)`;
const number = (name: string): string => `CAST(${placeOf(name)} AS BIGINT)`;
const alike = ['merchant_id', 'payment_id', ...booked].map((name) => `r.${name} IS NOT DISTINCT FROM ${placeOf(name)}`);
const stays = bookingColumns.filter((name) => !judged.includes(name)).map((name) => `r.${name} = ${placeOf(name)}`);
/** Exactly where the record will be written, and differs in what it does. */
const changing = `
    WHERE ${stays.join(' AND ')} AND r.revision + 1 = ${placeOf('revision')} AND ${keptFile} AND NOT (${alike.join(' AND ')})`;

const intoBooks = 'INSERT INTO posting (merchant_id, subject_id, revision, kind, at, currency, mode, merchant, acquirer, fees)';
const coming = '-r.booked_settled - r.booked_fee, r.booked_settled, r.booked_fee';
const leaving = 'r.booked_settled + r.booked_fee, -r.booked_settled, -r.booked_fee';
const [settled, fee] = [number('booked_settled'), number('booked_fee')];

export const settlementWrites = {
  // A row with the same bytes or the same PSP reference leaves it out.
  beginFile: `INSERT INTO settlement_file (${fileList}) VALUES (${places(fileColumns.length).join(', ')}) ON CONFLICT DO NOTHING`,
  goOnReading: "UPDATE settlement_file SET read_until = ?2 WHERE id = ?1 AND state = 'reading'",
  keepFile: "UPDATE settlement_file SET state = 'kept', lines = ?2, data = ?3 WHERE id = ?1 AND state = 'reading'",
  // Of a file that is about to be kept. Revisions are numbered as in settlement/postings.ts. CROSS says which table comes first.
  bookFile: `
    ${intoBooks}
    SELECT r.merchant_id, r.id, 2 * r.revision - 1, 'settlement', r.created_at, r.booked_currency, p.mode, ${coming}
    FROM settlement_record r CROSS JOIN payment p
    WHERE r.file_id = ?1 AND r.booked_settled IS NOT NULL AND p.merchant_id = r.merchant_id AND p.id = r.payment_id
      AND EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = ?1 AND f.state = 'reading')
    ORDER BY r.id`,
  bookLeaving: `
    ${intoBooks}
    SELECT r.merchant_id, r.id, 2 * r.revision, 'settlement', ${instant}, r.booked_currency, p.mode, ${leaving}
    FROM settlement_record r CROSS JOIN payment p ${changing}
      AND r.booked_settled IS NOT NULL AND p.merchant_id = r.merchant_id AND p.id = r.payment_id`,
  bookComing: `
    ${intoBooks}
    SELECT p.merchant_id, r.id, 2 * r.revision + 1, 'settlement', ${instant}, ${placeOf('booked_currency')}, p.mode,
      -${settled} - ${fee}, ${settled}, ${fee}
    FROM settlement_record r CROSS JOIN payment p ${changing}
      AND ${settled} IS NOT NULL AND p.merchant_id = ${placeOf('merchant_id')} AND p.id = ${placeOf('payment_id')}`,
  markDropped: "UPDATE settlement_file SET state = 'dropping' WHERE id = ?1 AND state <> 'kept'",
  dropRecords: `
    DELETE FROM settlement_record WHERE id IN (
      SELECT r.id FROM settlement_record r
      WHERE r.file_id = ?1 AND EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = ?1 AND f.state = 'dropping') LIMIT ?2
    )`,
  dropFile: "DELETE FROM settlement_file WHERE id = ?1 AND state = 'dropping'",
  addRecord: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    SELECT ${places(recordColumns.length).join(', ')}, f.entity_id FROM settlement_file f WHERE f.id = ?2 AND f.state = 'reading'`,
  saveRecord: `UPDATE settlement_record SET ${changed.join(', ')} WHERE ${fixed.join(' AND ')} AND revision + 1 = ?16`,
} as const;

/** For PostgreSQL, where others write at the same time: locks the row, so that what is read stays true until the commit. */
export const postgresHolds = {
  file: "SELECT 1 FROM settlement_file WHERE id = ?1 AND state = 'reading' FOR UPDATE",
  record: 'SELECT 1 FROM settlement_record WHERE id = ?1 AND revision + 1 = ?2 FOR UPDATE',
} as const;

/** Rows of the tables of settlement as they are read. 64-bit columns come as text from PostgreSQL. */

export type FileRow = {
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
export const fileOf = (row: FileRow): SettlementFile => ({
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
export function fileCells({ id, entityId, pspId, digest, state, readUntil, lines, createdAt, ...rest }: SettlementFile) {
  return [id, entityId, pspId, digest, state, readUntil, lines, createdAt, JSON.stringify(rest)] as const satisfies Cell[];
}

/** Of a file that is about to be kept: its id, its lines and its data. */
export function keptCells(file: SettlementFile) {
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
  line: number,
  createdAt: number,
  revision: number,
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
    line: row[4],
    createdAt: row[5],
    revision: row[6],
  });

/** What the merchant got, below zero what was deducted. */
export const signed = ({ cashflow, settledAmount }: Pick<SettlementRecord, 'cashflow' | 'settledAmount'>): bigint =>
  cashflow === 'NEG' ? -settledAmount : settledAmount;

/** In the order of `recordColumns`; amounts as text, so that every way to a database takes them. */
export function recordCells(record: SettlementRecord) {
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
export function bookingCells(record: SettlementRecord, at: number): readonly (string | number | null)[] {
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
export const questionCells = (query: Omit<RecordQuery, 'after' | 'isBackwards' | 'skip' | 'limit'>) =>
  [
    query.merchantId,
    query.entityId ?? null,
    query.from ?? '',
    query.to ?? '9999-12-31',
    query.currency ?? null,
    query.recordType ?? null,
  ] as const;

/** The places of the statements that list records: where a list ends, and behind which place it begins. */
export function listCells(query: RecordQuery) {
  const { merchantId, entityId = null, currency = null, recordType = null, after, isBackwards, limit, skip = 0 } = query;
  const [from, to] = [query.from ?? '', query.to ?? '9999-12-31'];
  const start = isBackwards ? ([to, '~'] as const) : ([from, ''] as const);
  const isInside = after !== undefined && (isBackwards ? after.settledOn <= to : after.settledOn >= from);
  const place = isInside ? ([after.settledOn, after.id] as const) : start;
  return [merchantId, entityId, isBackwards ? from : to, currency, recordType, ...place, limit, skip] as const;
}

export type AggregationRow = {
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

export type CountRow = { readonly status: keyof FileCount; readonly count: string | number; readonly open: string | number };

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
export async function byNames(
  { names }: NamedPaymentsQuery,
  find: (kind: PaymentName['kind'], values: readonly string[]) => Promise<readonly Payment[]> | readonly Payment[],
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

/** A sum as the statements compare it. */
export const sumText = ({ amount, currency }: { readonly amount: bigint; readonly currency: string }): string =>
  `${currency} ${amount}`;
