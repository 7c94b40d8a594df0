/** Every statement about the block and allow lists, in the form of statements.ts. */

const columns = 'merchant_id, list, kind, value, expires_at';
const key = 'merchant_id, list, kind, value';
const isValid = '(expires_at IS NULL OR expires_at > ?1)';

export const riskReads = {
  listVersion: 'SELECT count FROM risk_list_change WHERE one = 1',
  listEntries: `SELECT ${columns} FROM risk_list_entry WHERE ${isValid} ORDER BY ${key}`,
  listEntriesOf: `SELECT ${columns} FROM risk_list_entry WHERE merchant_id = ?2 AND ${isValid} ORDER BY ${key}`,
} as const;

export const riskWrites = {
  // One that is put again as it is changes nothing, and is not counted.
  putListEntry: `
    INSERT INTO risk_list_entry (${columns}) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (${key}) DO UPDATE SET expires_at = excluded.expires_at
    WHERE risk_list_entry.expires_at IS DISTINCT FROM excluded.expires_at`,
  removeListEntry: 'DELETE FROM risk_list_entry WHERE merchant_id = ?1 AND list = ?2 AND kind = ?3 AND value = ?4',
  // In portions, so that no commit waits long behind it.
  forgetListEntries: `
    DELETE FROM risk_list_entry WHERE (${key}) IN
      (SELECT ${key} FROM risk_list_entry WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)`,
} as const;
