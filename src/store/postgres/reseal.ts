const update = (table: 'registration' | 'secret', owner: string, record: string): string => `
${table}_resealed AS (
  UPDATE ${table} t SET sealed = decode(r.anew, 'base64')
  FROM (SELECT * FROM r WHERE place = '${table}' ORDER BY record, owner) r
  WHERE t.${owner} = r.owner AND t.${record} = r.record AND t.sealed = decode(r.old, 'base64')
  RETURNING 1
)`;

/** A payment may have an instrument and a proof: one statement changes a row once only. */
const updatePayments = `
payment_resealed AS (
  UPDATE payment t SET
    sealed = CASE WHEN t.sealed = decode(r.old, 'base64') THEN decode(r.anew, 'base64') ELSE t.sealed END,
    data = CASE WHEN r.old_proof IS NULL THEN t.data ELSE replace(t.data, r.old_proof, r.new_proof) END
  FROM (
    SELECT owner, record,
      max(old) FILTER (WHERE place = 'payment') AS old, max(anew) FILTER (WHERE place = 'payment') AS anew,
      max(old) FILTER (WHERE place = 'proof') AS old_proof, max(anew) FILTER (WHERE place = 'proof') AS new_proof
    FROM r WHERE place IN ('payment', 'proof') GROUP BY owner, record ORDER BY record, owner
  ) r
  WHERE t.merchant_id = r.owner AND t.id = r.record
    AND (t.sealed = decode(r.old, 'base64') OR strpos(t.data, r.old_proof) > 0)
  RETURNING COALESCE((t.sealed = decode(r.anew, 'base64'))::int, 0) + COALESCE((strpos(t.data, r.new_proof) > 0)::int, 0) AS texts
)`;

/** A portion of texts in one statement, each replaced only where it still is what it was. Rows are locked in the order of commits. */
export const resealStatement = `
WITH r AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::text::json) AS r (place text, owner text, record text, old text, anew text)
),${updatePayments},${update('registration', 'merchant_id', 'id')},${update('secret', 'entity_id', 'name')}
SELECT (SELECT COALESCE(sum(texts), 0) FROM payment_resealed) + (SELECT count(*) FROM registration_resealed)
  + (SELECT count(*) FROM secret_resealed) AS count`;
