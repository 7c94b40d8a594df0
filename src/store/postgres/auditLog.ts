import type { AuditStore } from '../../audit/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import {
  type AuditRow,
  appendAudit,
  auditEntryOf,
  auditHeadOf,
  auditLogReads,
  auditQuestionCells,
  auditRow,
  type HeadRow,
  headCells,
} from '../tables/auditLog.ts';
import type { Pool } from './pool.ts';
import { write } from './write.ts';

/** The audit log in PostgreSQL. The statement locks the head until its entries are committed, so that all nodes write one chain. */
export const postgresAuditLog = (pool: Pool): AuditStore => ({
  auditHead: async () => {
    const [row] = await pool.read<HeadRow>(auditLogReads.auditHead);
    if (!row) throw new BrokenCommit('the head of the audit log is gone');
    return auditHeadOf(row);
  },
  appendAudit: async (head, entries, next) =>
    (await write(pool, appendAudit, [...headCells(head, next), JSON.stringify(entries.map(auditRow))])) > 0,
  auditEntries: async (query) =>
    (await pool.read<AuditRow>(auditLogReads.auditEntries, auditQuestionCells(query))).map(auditEntryOf),
  auditChain: async (after, limit) => (await pool.read<AuditRow>(auditLogReads.auditChain, [after, limit])).map(auditEntryOf),
});
