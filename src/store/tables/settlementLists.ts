import { listable } from './listedPayments.ts';
import { fileList, keptFile, recordColumns, recordList } from './settlement.ts';

/** Statements about settlement that take lists, which each database unfolds in its own way. */

/** How each database unfolds a list, and looks into the JSON of a payment. */
type Words = {
  readonly among: (place: string) => string;
  readonly reference: (name: string) => string;
};

const connectorTxIds = ['ConnectorTxID1', 'ConnectorTxID2', 'ConnectorTxID3'] as const;

const listed = ({ among, reference }: Words) =>
  ({
    filesOf: `
      SELECT ${fileList} FROM settlement_file
      WHERE entity_id IN (${among('?1')}) AND state IN ('kept', 'refused') ORDER BY created_at DESC, id DESC LIMIT ?2`,
    paymentsById: `SELECT ${listable} FROM payment WHERE merchant_id IN (${among('?1')}) AND id IN (${among('?2')})`,
    paymentsByShortId: `
      SELECT ${listable} FROM payment
      WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4 AND short_id IN (${among('?2')})`,
    paymentsByReference: `
      SELECT ${listable} FROM payment
      WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4
        AND (${connectorTxIds.map((name) => `${reference(name)} IN (${among('?2')})`).join(' OR ')})`,
    paymentsAlike: `
      SELECT ${listable} FROM payment
      WHERE merchant_id IN (${among('?1')}) AND created_at >= ?3 AND created_at < ?4 AND state = 'approved'
        AND currency || ' ' || CAST(amount AS TEXT) IN (${among('?2')})
      ORDER BY created_at, id LIMIT ?5`,
    // A scalar subquery: PostgreSQL would answer EXISTS behind an OR by a hash of all files.
    recordsOfPayments: `
      SELECT ${recordList} FROM settlement_record r
      WHERE r.merchant_id IN (${among('?1')}) AND r.payment_id IN (${among('?2')}) AND r.payment_id IS NOT NULL
        AND (r.file_id = CAST(?3 AS TEXT) OR (SELECT f.state = 'kept' FROM settlement_file f WHERE f.id = r.file_id))
      ORDER BY r.id`,
    exceptions: `
      SELECT ${recordList} FROM settlement_record r
      WHERE r.is_open = 1 AND r.file_entity_id IN (${among('?1')}) AND (CAST(?2 AS TEXT) IS NULL OR r.status = CAST(?2 AS TEXT))
        AND r.id > ?3 AND ${keptFile}
      ORDER BY r.id LIMIT ?4`,
  }) as const;

const own = 'q.merchant_id = m.value AND q.merchant_transaction_id = n.value ORDER BY q.created_at, q.id LIMIT ?3';

export const sqliteSettlementReads = {
  ...listed({
    among: (place) => `SELECT value FROM json_each(${place})`,
    reference: (name) => `json_extract(data, '$.details.resultDetails.${name}')`,
  }),
  // CROSS says which table comes first.
  paymentsByOwnId: `
    SELECT ${listable} FROM (SELECT value FROM json_each(?1)) m CROSS JOIN (SELECT value FROM json_each(?2)) n
    CROSS JOIN payment ON payment.rowid IN (SELECT q.rowid FROM payment q WHERE ${own})`,
} as const;

export const postgresSettlementReads = {
  ...listed({
    among: (place) => `SELECT json_array_elements_text(${place}::text::json)`,
    reference: (name) => `(data::json #>> '{details,resultDetails,${name}}')`,
  }),
  paymentsByOwnId: `
    SELECT ${listable} FROM json_array_elements_text(?1::text::json) m(value) CROSS JOIN json_array_elements_text(?2::text::json) n(value)
    CROSS JOIN LATERAL (SELECT q.* FROM payment q WHERE ${own}) found`,
  addRecords: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    SELECT ${recordColumns.map((name) => `o.${name}`).join(', ')}, f.entity_id
    FROM settlement_file f CROSS JOIN json_to_recordset(?2::text::json) AS o(
      id text, file_id text, merchant_id text, entity_id text, line bigint, record_type text, status text, is_open bigint,
      payment_id text, chargeback_id text, settled_on text, currency text, amount bigint, fee bigint, created_at bigint,
      revision bigint, data text, booked_currency text, booked_settled bigint, booked_fee bigint, exception text
    )
    WHERE f.id = ?1 AND f.state = 'reading'`,
} as const;
