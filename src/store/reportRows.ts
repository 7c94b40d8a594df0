import type { Payment } from '../payments/payment.ts';
import { bookedOf } from '../reports/entry.ts';
import type { Aggregation, FileCount, NamedQuestion, PaymentName, RecordQuestion } from '../reports/needs.ts';
import type { SettlementFile, SettlementRecord } from '../reports/record.ts';
import { BrokenCommit } from './errors.ts';
import { readRecord, recordText } from './recordText.ts';
import { bookingColumns, recordColumns } from './reportStatements.ts';
import type { Cell } from './rows.ts';

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

/** One that is being dropped is told as one that was left long ago: whoever meets it drops the rest of it. */
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

/** In the order of the columns in reportStatements.ts. */
export function fileCells({ id, entityId, pspId, digest, state, readUntil, lines, createdAt, ...rest }: SettlementFile) {
  return [id, entityId, pspId, digest, state, readUntil, lines, createdAt, JSON.stringify(rest)] as const satisfies Cell[];
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

/** What the merchant got, below zero what was taken from him. */
export const signed = ({ cashflow, settledAmount }: Pick<SettlementRecord, 'cashflow' | 'settledAmount'>): bigint =>
  cashflow === 'NEG' ? -settledAmount : settledAmount;

/** In the order of the columns in reportStatements.ts; amounts as text, so that every way to a database takes them. */
export function recordCells(record: SettlementRecord) {
  const { id, fileId, merchantId, entityId, line, createdAt, revision, ...rest } = record;
  const { match, recordType, chargebackId, settledOn, settledCurrency } = rest;
  const booked = bookedOf(record);
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
    throw new BrokenCommit('a record that makes no sense: what is matched is one payment of somebody');
}

/** The places of the statements that filter records. */
export const questionCells = (asked: Omit<RecordQuestion, 'after' | 'isBackwards' | 'skip' | 'limit'>) =>
  [
    asked.merchantId,
    asked.entityId ?? null,
    asked.from ?? '',
    asked.to ?? '9999-12-31',
    asked.currency ?? null,
    asked.recordType ?? null,
  ] as const;

/** The places of the statements that list records: where a list ends, and behind which place it begins. */
export function listCells(asked: RecordQuestion) {
  const { merchantId, entityId = null, currency = null, recordType = null, after, isBackwards, limit, skip = 0 } = asked;
  const [from, to] = [asked.from ?? '', asked.to ?? '9999-12-31'];
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

/** Asks for each kind of name that is wanted, and tells by which of them a payment was found. */
export async function byNames(
  { names }: NamedQuestion,
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
