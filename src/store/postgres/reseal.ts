import type { SealedTable } from '../tables/registrations.ts';

const update = (table: SealedTable, owner: string, record: string): string => `
${table}_resealed AS (
  UPDATE ${table} t SET sealed = decode(r.anew, 'base64')
  FROM (SELECT * FROM r WHERE place = '${table}' ORDER BY record, owner) r
  WHERE t.${owner} = r.owner AND t.${record} = r.record AND t.sealed = decode(r.old, 'base64')
  RETURNING 1
)`;

/** A portion of texts in one statement, each replaced only where it still is what it was. Rows are locked in the order of commits. */
export const resealStatement = `
WITH r AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::text::json) AS r (place text, owner text, record text, old text, anew text)
),${update('payment', 'merchant_id', 'id')},${update('registration', 'merchant_id', 'id')},${update('secret', 'entity_id', 'name')}
SELECT (SELECT count(*) FROM payment_resealed) + (SELECT count(*) FROM registration_resealed) + (SELECT count(*) FROM secret_resealed)
  AS count`;
