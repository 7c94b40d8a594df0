import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/ports.ts';
import { auditQuestionCells } from '../areas/auditLog.ts';
import type { Tables, WhileOpen } from './tables.ts';

const isOlder = (entry: AuditEntry, at: number, number: number): boolean =>
  entry.at < at || (entry.at === at && entry.number < number);

/** The audit log in memory. */
export function auditLogMethods({ audit }: Tables, whileOpen: WhileOpen): AuditStore {
  return {
    auditHead: whileOpen(() => audit.head),
    appendAudit: whileOpen((head, entries, next) => {
      if (head.number !== audit.head.number || head.hash !== audit.head.hash) return false;
      audit.entries.push(...entries);
      audit.head = next;
      return true;
    }),
    auditEntries: whileOpen((query) => {
      const [at, number, from, limit] = auditQuestionCells(query);
      return audit.entries
        .filter((entry) => isOlder(entry, at, number) && entry.at >= from)
        .sort((one, other) => other.at - one.at || other.number - one.number)
        .slice(0, limit);
    }),
    auditChain: whileOpen((after, limit) => audit.entries.filter(({ number }) => number > after).slice(0, limit)),
  };
}
