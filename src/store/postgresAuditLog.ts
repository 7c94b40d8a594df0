import type { AuditStore } from '../people/audit/needs.ts';
import {
  type AuditRow,
  auditCells,
  auditEntryOf,
  auditHeadOf,
  auditQuestionCells,
  type HeadRow,
  headCells,
} from './auditLogRows.ts';
import { auditLogReads, auditLogWrites } from './auditLogStatements.ts';
import { BrokenCommit } from './errors.ts';
import type { Pool } from './postgresPool.ts';
import { transact, Unmoved } from './postgresTransact.ts';

/** The audit log in PostgreSQL. Whoever moves the head holds it until his entries are kept, so that nodes make one chain. */
export const postgresAuditLog = (pool: Pool): AuditStore => ({
  auditHead: async () => {
    const [row] = await pool.read<HeadRow>(auditLogReads.auditHead);
    if (!row) throw new BrokenCommit('the head of the audit log is gone');
    return auditHeadOf(row);
  },
  appendAudit: async (head, entries, next) => {
    try {
      await transact(pool, async (step) => {
        if ((await step(auditLogWrites.moveAuditHead, headCells(head, next))) === 0) throw new Unmoved();
        for (const entry of entries) await step(auditLogWrites.addAuditEntry, auditCells(entry));
      });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
  auditEntries: async (asked) =>
    (await pool.read<AuditRow>(auditLogReads.auditEntries, auditQuestionCells(asked))).map(auditEntryOf),
  auditChain: async (after, limit) => (await pool.read<AuditRow>(auditLogReads.auditChain, [after, limit])).map(auditEntryOf),
});
