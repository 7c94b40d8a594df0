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
] as const;

export const fileList = fileColumns.join(', ');
export const recordList = 'r.id, r.file_id, r.merchant_id, r.entity_id, r.line, r.created_at, r.revision, r.data';
const places = (count: number) => Array.from({ length: count }, (_, at) => `?${at + 1}`);
export const keptFile = "EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = r.file_id AND f.state = 'kept')";

const asked = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND r.settled_on >= ?3 AND r.settled_on <= ?4
  AND (CAST(?5 AS TEXT) IS NULL OR r.currency = CAST(?5 AS TEXT))
  AND (CAST(?6 AS TEXT) IS NULL OR r.record_type = CAST(?6 AS TEXT)) AND ${keptFile}`;

/** The same for lists, whose beginning is a place and nothing else: a second bound there would be walked from again for every page. */
const among = `
  r.merchant_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR r.entity_id = CAST(?2 AS TEXT))
  AND (CAST(?4 AS TEXT) IS NULL OR r.currency = CAST(?4 AS TEXT))
  AND (CAST(?5 AS TEXT) IS NULL OR r.record_type = CAST(?5 AS TEXT)) AND ${keptFile}`;

export const reportReads = {
  settlementFile: `SELECT ${fileList} FROM settlement_file WHERE id = ?1`,
  fileInTheWay: `
    SELECT ${fileList} FROM settlement_file WHERE entity_id = ?1 AND digest = ?2
    UNION ALL
    SELECT ${fileList} FROM settlement_file WHERE psp_id = ?3 AND state = 'reading'`,
  abandonedFiles: `
    SELECT ${fileList} FROM settlement_file
    WHERE state IN ('reading', 'dropping') AND (state = 'dropping' OR read_until < ?1) ORDER BY created_at, id LIMIT ?2`,
  countFile: `SELECT status, COUNT(*) AS count, SUM(is_open) AS open FROM settlement_record WHERE file_id = ?1 GROUP BY status`,
  settlementRecord: `SELECT ${recordList} FROM settlement_record r WHERE r.id = ?1 AND ${keptFile}`,
  unrecorded: `
    SELECT ${recordList} FROM settlement_record r
    WHERE r.status = 'MATCHED' AND r.chargeback_id IS NULL AND r.record_type IN ('CHARGEBACK', 'CHARGEBACK REVERSAL') AND ${keptFile}
    ORDER BY r.id LIMIT ?1`,
  settlementRecords: `
    SELECT ${recordList} FROM settlement_record r
    WHERE ${among} AND r.settled_on <= ?3 AND (r.settled_on, r.id) > (?6, ?7)
    ORDER BY r.settled_on, r.id LIMIT ?8 OFFSET ?9`,
  settlementRecordsBackwards: `
    SELECT ${recordList} FROM settlement_record r
    WHERE ${among} AND r.settled_on >= ?3 AND (r.settled_on, r.id) < (?6, ?7)
    ORDER BY r.settled_on DESC, r.id DESC LIMIT ?8 OFFSET ?9`,
  countRecords: `SELECT COUNT(*) AS count FROM settlement_record r WHERE ${asked}`,
  aggregations: `
    SELECT r.settled_on, r.currency, COUNT(*) AS count, CAST(SUM(r.amount) AS TEXT) AS amount, CAST(SUM(r.fee) AS TEXT) AS fee
    FROM settlement_record r WHERE ${asked}
    GROUP BY r.settled_on, r.currency ORDER BY r.settled_on, r.currency`,
} as const;

/** What becomes of a line is updated, what it says is not: a change of that finds nothing to write. */
const judged = ['merchant_id', 'entity_id', 'status', 'is_open', 'payment_id', 'chargeback_id', 'revision', 'data'];
const numbered = recordColumns.map((name, at) => ({ name, place: `?${at + 1}` }));
const changed = numbered.filter(({ name }) => judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);
const fixed = numbered.filter(({ name }) => !judged.includes(name)).map(({ name, place }) => `${name} = ${place}`);

export const reportWrites = {
  // Whatever stands in the way, by its bytes or by its PSP, leaves it out.
  beginFile: `INSERT INTO settlement_file (${fileList}) VALUES (${places(fileColumns.length).join(', ')}) ON CONFLICT DO NOTHING`,
  goOnReading: "UPDATE settlement_file SET read_until = ?2 WHERE id = ?1 AND state = 'reading'",
  keepFile: "UPDATE settlement_file SET state = 'kept', lines = ?2 WHERE id = ?1 AND state = 'reading'",
  markDropped: "UPDATE settlement_file SET state = 'dropping' WHERE id = ?1 AND state <> 'kept'",
  dropRecords: `
    DELETE FROM settlement_record WHERE id IN (
      SELECT r.id FROM settlement_record r
      WHERE r.file_id = ?1 AND EXISTS (SELECT 1 FROM settlement_file f WHERE f.id = ?1 AND f.state = 'dropping') LIMIT ?2
    )`,
  dropFile: "DELETE FROM settlement_file WHERE id = ?1 AND state = 'dropping'",
  addRecord: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, brought_by)
    SELECT ${places(recordColumns.length).join(', ')}, f.entity_id FROM settlement_file f WHERE f.id = ?2 AND f.state = 'reading'`,
  saveRecord: `UPDATE settlement_record SET ${changed.join(', ')} WHERE ${fixed.join(' AND ')} AND revision + 1 = ?16`,
} as const;
