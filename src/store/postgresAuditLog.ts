import type { AuditStore } from '../people/audit/needs.ts';
import {
  type AuditRow,
  auditEntryOf,
  auditHeadOf,
  auditQuestionCells,
  auditRow,
  type HeadRow,
  headCells,
} from './auditLogRows.ts';
import { appendAudit, auditLogReads } from './auditLogStatements.ts';
import { BrokenCommit } from './errors.ts';
import type { Pool } from './postgresPool.ts';
import { write } from './postgresWrite.ts';

/** The audit log in PostgreSQL. Whoever moves the head holds it until his entries are kept, so that nodes make one chain. */
export const postgresAuditLog = (pool: Pool): AuditStore => ({
  auditHead: async () => {
    const [row] = await pool.read<HeadRow>(auditLogReads.auditHead);
    if (!row) throw new BrokenCommit('the head of the audit log is gone');
    return auditHeadOf(row);
  },
  appendAudit: async (head, entries, next) =>
    (await write(pool, appendAudit, [...headCells(head, next), JSON.stringify(entries.map(auditRow))])) > 0,
  auditEntries: async (asked) =>
    (await pool.read<AuditRow>(auditLogReads.auditEntries, auditQuestionCells(asked))).map(auditEntryOf),
  auditChain: async (after, limit) => (await pool.read<AuditRow>(auditLogReads.auditChain, [after, limit])).map(auditEntryOf),
});
