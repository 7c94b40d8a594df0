/** Every statement about the audit log, in the form of statements.ts. */

export const auditColumns =
  'number, at, actor, who, who_name, what, entity_id, object_id, origin, result, node, note, previous, hash';

export const auditHeadText = 'SELECT number, hash, seal FROM audit_head WHERE id = 1';
const places = Array.from({ length: auditColumns.split(',').length }, (_, at) => `?${at + 1}`).join(', ');

export const auditLogReads = {
  auditHead: auditHeadText,
  auditEntries: `
    SELECT ${auditColumns} FROM audit_entry WHERE (at, number) < (?1, ?2) AND at >= ?3
    ORDER BY at DESC, number DESC LIMIT ?4`,
  auditChain: `SELECT ${auditColumns} FROM audit_entry WHERE number > ?1 ORDER BY number LIMIT ?2`,
} as const;

export const auditLogWrites = {
  moveAuditHead: 'UPDATE audit_head SET number = ?3, hash = ?4, seal = ?5 WHERE id = 1 AND number = ?1 AND hash = ?2',
  addAuditEntry: `INSERT INTO audit_entry (${auditColumns}) VALUES (${places})`,
} as const;

const numbers: readonly string[] = ['number', 'at'];
const typed = auditColumns.split(', ').map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`);

/** In PostgreSQL all of it is one statement: who has to wait for another node waits at the head, and finds that it has gone on. */
export const appendAudit = `
  WITH moved AS (${auditLogWrites.moveAuditHead} RETURNING 1)
  INSERT INTO audit_entry (${auditColumns})
  SELECT ${auditColumns} FROM json_to_recordset(?6::text::json) AS entry (${typed.join(', ')})
  WHERE EXISTS (SELECT 1 FROM moved) ORDER BY number`;
