/** Every statement about calls, in the form of statements.ts. */

/** In the order of callCells. */
export const callColumns = ['id', 'merchant_id', 'entity_id', 'endpoint', 'status', 'code', 'words', 'data'] as const;
const columns = callColumns.join(', ');

/** Along the ids, which are in the order of time: only so many calls of one owner are kept among which something is looked for. */
const calls = (whose: string): string => `
    SELECT data FROM api_call
    WHERE ${whose} AND id < ?2 AND id > ?3 AND (?4 = '' OR endpoint = ?4) AND status BETWEEN ?5 AND ?6
      AND code LIKE ?7 ESCAPE '\\' AND words LIKE ?8 ESCAPE '\\' AND words LIKE ?9 ESCAPE '\\'
    ORDER BY id DESC LIMIT ?10`;

export const callReads = {
  call: 'SELECT data FROM api_call WHERE id = ?1',
  callsOfEntity: calls('entity_id = ?1'),
  callsOfMerchant: calls('merchant_id = ?1'),
  // Whoever sees many merchants sees most of the calls: those of others are passed over.
  callsOfMany: calls("?1 LIKE '%' || merchant_id || '%'"),
} as const;

export const callWrites = {
  addCall: `INSERT INTO api_call (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`,
  forgetCalls: 'DELETE FROM api_call WHERE id IN (SELECT id FROM api_call WHERE id < ?1 ORDER BY id LIMIT ?2)',
  trimCalls: `
    DELETE FROM api_call WHERE id IN (
      SELECT id FROM api_call
      WHERE merchant_id = ?1
        AND id < (SELECT id FROM api_call WHERE merchant_id = ?1 AND id > '' ORDER BY id DESC LIMIT 1 OFFSET ?2)
      ORDER BY id LIMIT ?3
    )`,
} as const;

/** Many at once, in PostgreSQL. */
export const addCallsPostgres = `
  INSERT INTO api_call (${columns})
  SELECT ${columns} FROM json_to_recordset($1::text::json) AS c (${callColumns
    .map((name) => `${name} ${name === 'status' ? 'bigint' : 'text'}`)
    .join(', ')})
  ON CONFLICT DO NOTHING`;
