import type { AuditStore } from '../../audit/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import {
  type AuditRow,
  auditCells,
  auditEntryOf,
  auditHeadOf,
  auditQuestionCells,
  type HeadRow,
  headCells,
} from '../tables/auditLog.ts';
import { Unmoved } from './jobs.ts';
import type { Reads } from './reads.ts';
import type { Writer } from './threads.ts';

/** The audit log in SQLite. It shares the transactions of whatever else is written at that moment. */
export const sqliteAuditLog = (read: Reads, writer: Writer): AuditStore => ({
  auditHead: async () => {
    const [row] = read.all<HeadRow>('auditHead');
    if (!row) throw new BrokenCommit('the head of the audit log is gone');
    return auditHeadOf(row);
  },
  appendAudit: async (head, entries, next) => {
    const move = ['moveAuditHead', ...headCells(head, next)] as const;
    const adds = entries.map((entry) => ['addAuditEntry', ...auditCells(entry)] as const);
    try {
      await writer.ask({ do: 'write', steps: [move, ...adds], isEach: true });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
  auditEntries: async (query) => read.all<AuditRow>('auditEntries', ...auditQuestionCells(query)).map(auditEntryOf),
  auditChain: async (after, limit) => read.all<AuditRow>('auditChain', after, limit).map(auditEntryOf),
});
