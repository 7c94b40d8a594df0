import type { SettlementRecord } from '../../settlement/record.ts';
import { type BulkStatement, inBoth, postgresWords, sqliteWords } from '../database.ts';
import { listable } from './payments.ts';

/** Statements about settlement files and their records. */

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

const fileList = fileColumns.join(', ');
export const recordList = 'r.id, r.file_id, r.merchant_id, r.entity_id, r.line, r.created_at, r.revision, r.data';
const places = (count: number) => Array.from({ length: count }, (_, at) => `?${at + 1}`);
/** A duplicate is in no list and no sum of settled money until a user has matched it. */
const reported = "(r.exception IS NULL OR r.exception <> 'duplicate')";
export const keptFile = "EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = r.file_id AND f.state = 'kept')";

/** The records of a query; its places are the ones of `questionCells`. */
const recordFilter = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND r.settled_on >= ?3 AND r.settled_on <= ?4
  AND (CAST(?5 AS TEXT) IS NULL OR r.currency = CAST(?5 AS TEXT))
  AND (CAST(?6 AS TEXT) IS NULL OR r.record_type = CAST(?6 AS TEXT)) AND ${reported} AND ${keptFile}`;

/** The sums of a day and a currency. */
const totals =
  'r.settled_on, r.currency, COUNT(*) AS count, CAST(SUM(r.amount) AS TEXT) AS amount, CAST(SUM(r.fee) AS TEXT) AS fee';

/** The same for lists, which begin at a cursor only: with a second bound every page would begin at that bound again. */
const among = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND (CAST(?4 AS TEXT) IS NULL OR r.currency = CAST(?4 AS TEXT))
  AND (CAST(?5 AS TEXT) IS NULL OR r.record_type = CAST(?5 AS TEXT)) AND ${reported} AND ${keptFile}`;

/** The effect of a record on the ledger. */
const booked = ['booked_currency', 'booked_settled', 'booked_fee'];

/** The fate of a line is updated, its content is not: a statement that changes content updates no row. */
const judged = [
  ...['merchant_id', 'entity_id', 'status', 'is_open', 'payment_id', 'chargeback_id', 'revision', 'data', 'exception'],
  ...booked,
];
const numbered = recordColumns.map((name, at) => ({ name, place: `?${at + 1}` }));
const changed = numbered.filter(({ name }) => judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);
const fixed = numbered.filter(({ name }) => !judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);

/** The columns that the postings of a changed record depend on: fixed ones, then ones that may differ, then the instant. */
export const bookingColumns = recordColumns.filter(
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

const connectorTxIds = ['ConnectorTxID1', 'ConnectorTxID2', 'ConnectorTxID3'] as const;

/** `reference`: a member of the result details inside the JSON of a payment. */
const byReference = (among: (place: string) => string, reference: (name: string) => string): string => `
      SELECT ${listable} FROM payment
      WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4
        AND (${connectorTxIds.map((name) => `${reference(name)} IN (${among('?2')})`).join(' OR ')})`;

const own = 'q.merchant_id = m.value AND q.merchant_transaction_id = n.value ORDER BY q.created_at, q.id LIMIT ?3';

export const settlementStatements = {
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
  aggregations: `
    SELECT ${totals} FROM settlement_record r WHERE ${recordFilter}
    GROUP BY r.settled_on, r.currency ORDER BY r.settled_on, r.currency`,
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
  saveRecord: `UPDATE settlement_record SET ${changed.join(', ')} WHERE ${fixed.join(' AND ')} AND revision + 1 = ?16`,
  addRecords: {
    columns: recordColumns,
    sqlite: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    SELECT ${places(recordColumns.length).join(', ')}, f.entity_id FROM settlement_file f
    WHERE f.id = ?${recordColumns.length + 1} AND f.state = 'reading'`,
    postgres: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    SELECT ${recordColumns.map((name) => `o.${name}`).join(', ')}, f.entity_id
    FROM settlement_file f CROSS JOIN json_to_recordset(?1::text::json) AS o(
      id text, file_id text, merchant_id text, entity_id text, line bigint, record_type text, status text, is_open bigint,
      payment_id text, chargeback_id text, settled_on text, currency text, amount bigint, fee bigint, created_at bigint,
      revision bigint, data text, booked_currency text, booked_settled bigint, booked_fee bigint, exception text
    )
    WHERE f.id = ?2 AND f.state = 'reading'`,
  } satisfies BulkStatement,
  // PostgreSQL locks the row, so that what it has read stays true until the commit.
  holdFile: {
    sqlite: null,
    postgres: "SELECT 1 FROM settlement_file WHERE id = ?1 AND state = 'reading' FOR UPDATE",
  },
  holdRecord: { sqlite: null, postgres: 'SELECT 1 FROM settlement_record WHERE id = ?1 AND revision + 1 = ?2 FOR UPDATE' },
  filesOf: inBoth(
    ({ among }) => `
    SELECT ${fileList} FROM settlement_file
    WHERE entity_id IN (${among('?1')}) AND state IN ('kept', 'refused') ORDER BY created_at DESC, id DESC LIMIT ?2`,
  ),
  paymentsById: inBoth(
    ({ among }) => `SELECT ${listable} FROM payment WHERE merchant_id IN (${among('?1')}) AND id IN (${among('?2')})`,
  ),
  paymentsByShortId: inBoth(
    ({ among }) => `
    SELECT ${listable} FROM payment
    WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4 AND short_id IN (${among('?2')})`,
  ),
  paymentsAlike: inBoth(
    ({ among }) => `
    SELECT ${listable} FROM payment
    WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4 AND state = 'approved'
      AND currency || ' ' || CAST(amount AS TEXT) IN (${among('?2')})
    ORDER BY created_at, id LIMIT ?5`,
  ),
  // A scalar subquery: PostgreSQL would answer EXISTS behind an OR by a hash of all files.
  recordsOfPayments: inBoth(
    ({ among }) => `
    SELECT ${recordList} FROM settlement_record r
    WHERE r.merchant_id IN (${among('?1')}) AND r.payment_id IN (${among('?2')}) AND r.payment_id IS NOT NULL
      AND (r.file_id = CAST(?3 AS TEXT) OR (SELECT f.state = 'kept' FROM settlement_file f WHERE f.id = r.file_id))
    ORDER BY r.id`,
  ),
  exceptions: inBoth(
    ({ among }) => `
    SELECT ${recordList} FROM settlement_record r
    WHERE r.is_open = 1 AND r.file_entity_id IN (${among('?1')}) AND (CAST(?2 AS TEXT) IS NULL OR r.status = CAST(?2 AS TEXT))
      AND r.id > ?3 AND ${keptFile}
    ORDER BY r.id LIMIT ?4`,
  ),
  paymentsByReference: {
    sqlite: byReference(sqliteWords.among, (name) => `json_extract(data, '$.details.resultDetails.${name}')`),
    postgres: byReference(postgresWords.among, (name) => `(data::json #>> '{details,resultDetails,${name}}')`),
  },
  // CROSS says which table comes first.
  paymentsByOwnId: {
    sqlite: `
    SELECT ${listable} FROM (SELECT value FROM json_each(?1)) m CROSS JOIN (SELECT value FROM json_each(?2)) n
    CROSS JOIN payment ON payment.rowid IN (SELECT q.rowid FROM payment q WHERE ${own})`,
    postgres: `
    SELECT ${listable} FROM json_array_elements_text(?1::text::json) m(value) CROSS JOIN json_array_elements_text(?2::text::json) n(value)
    CROSS JOIN LATERAL (SELECT q.* FROM payment q WHERE ${own}) found`,
  },
  // A batch of records behind one place: where it ends, and its sums. PostgreSQL adds all of them up in one statement.
  batchEnd: {
    sqlite: `
    SELECT settled_on, id FROM settlement_record
    WHERE merchant_id = ?1 AND (settled_on, id) > (?2, ?3) AND settled_on <= ?4
    ORDER BY settled_on, id LIMIT 1 OFFSET ?5`,
    postgres: null,
  },
  batchTotals: {
    sqlite: `
    SELECT ${totals} FROM settlement_record r
    WHERE ${recordFilter} AND (r.settled_on, r.id) > (?7, ?8) AND (r.settled_on, r.id) <= (?9, ?10)
    GROUP BY r.settled_on, r.currency ORDER BY r.settled_on, r.currency`,
    postgres: null,
  },
} as const;

/** The content of a record without a column of its own; amounts as strings. */
type Written = Omit<SettlementRecord, Column | 'amount' | 'settledAmount' | 'fee'> & {
  readonly amount: string;
  readonly settledAmount: string;
  readonly fee: string | null;
};
type Column = 'id' | 'fileId' | 'merchantId' | 'entityId' | 'line' | 'createdAt' | 'revision';
type Match = Written['match'];
type Institute = Written['clearingInstitute'];

/**
 * The values without their names, in an order that is never changed: a new one is put at the end. A file for a merchant is made of a
 * million records, and reading the names of each again took half of the time and of the space.
 */
type RecordTuple = readonly [
  format: Written['format'],
  status: Match['status'],
  paymentIds: Match['paymentIds'],
  by: Match['by'],
  why: Match['why'],
  isOpen: Match['isOpen'],
  chargebackId: Written['chargebackId'],
  recordType: Written['recordType'],
  transactionType: Written['transactionType'],
  cashflow: Written['cashflow'],
  instituteName: Institute['name'],
  instituteMerchantId: Institute['merchantId'],
  txId1: Institute['txId1'],
  txId2: Institute['txId2'],
  txId3: Institute['txId3'],
  settlementId: Written['settlementId'],
  paymentId: Written['paymentId'],
  shortId: Written['shortId'],
  merchantTransactionId: Written['merchantTransactionId'],
  invoiceId: Written['invoiceId'],
  amount: Written['amount'],
  currency: Written['currency'],
  paymentBrand: Written['paymentBrand'],
  presentedAt: Written['presentedAt'],
  settledAmount: Written['settledAmount'],
  settledCurrency: Written['settledCurrency'],
  fee: Written['fee'],
  fxRate: Written['fxRate'],
  settledOn: Written['settledOn'],
  settled: Written['status'],
  descriptor: Written['descriptor'],
  last4: Written['last4'],
  bankCode: Written['bankCode'],
  holder: Written['holder'],
  reasonCode: Written['reasonCode'],
  reasonText: Written['reasonText'],
  /** Left out where there is none, as for most. */
  exception?: NonNullable<Match['exception']>,
];

function saidIn(record: Written): RecordTuple {
  const { match, clearingInstitute: institute } = record;
  return [
    record.format,
    match.status,
    match.paymentIds,
    match.by,
    match.why,
    match.isOpen,
    record.chargebackId,
    record.recordType,
    record.transactionType,
    record.cashflow,
    institute.name,
    institute.merchantId,
    institute.txId1,
    institute.txId2,
    institute.txId3,
    record.settlementId,
    record.paymentId,
    record.shortId,
    record.merchantTransactionId,
    record.invoiceId,
    record.amount,
    record.currency,
    record.paymentBrand,
    record.presentedAt,
    record.settledAmount,
    record.settledCurrency,
    record.fee,
    record.fxRate,
    record.settledOn,
    record.status,
    record.descriptor,
    record.last4,
    record.bankCode,
    record.holder,
    record.reasonCode,
    record.reasonText,
    ...(match.exception ? ([match.exception] as const) : ([] as const)),
  ];
}

/** The text of a record's column `data`. */
export function recordText(record: Omit<SettlementRecord, Column>): string {
  const { amount, settledAmount, fee } = record;
  const texts = { amount: String(amount), settledAmount: String(settledAmount), fee: fee === null ? null : String(fee) };
  return JSON.stringify(saidIn({ ...record, ...texts }));
}

/** The content of the string, completed from the columns. Strings of the first kind have the names too. */
export function readRecord(text: string, columns: Pick<SettlementRecord, Column>): SettlementRecord {
  const read = JSON.parse(text) as RecordTuple | Written;
  const said = 'format' in read ? saidIn(read) : read;
  return {
    id: columns.id,
    fileId: columns.fileId,
    format: said[0],
    merchantId: columns.merchantId,
    entityId: columns.entityId,
    match: {
      status: said[1],
      paymentIds: said[2],
      by: said[3],
      why: said[4],
      isOpen: said[5],
      ...(said[36] && { exception: said[36] }),
    },
    chargebackId: said[6],
    createdAt: columns.createdAt,
    revision: columns.revision,
    line: columns.line,
    recordType: said[7],
    transactionType: said[8],
    cashflow: said[9],
    clearingInstitute: { name: said[10], merchantId: said[11], txId1: said[12], txId2: said[13], txId3: said[14] },
    settlementId: said[15],
    paymentId: said[16],
    shortId: said[17],
    merchantTransactionId: said[18],
    invoiceId: said[19],
    amount: BigInt(said[20]),
    currency: said[21],
    paymentBrand: said[22],
    presentedAt: said[23],
    settledAmount: BigInt(said[24]),
    settledCurrency: said[25],
    fee: said[26] === null ? null : BigInt(said[26]),
    fxRate: said[27],
    settledOn: said[28],
    status: said[29],
    descriptor: said[30],
    last4: said[31],
    bankCode: said[32],
    holder: said[33],
    reasonCode: said[34],
    reasonText: said[35],
  };
}
