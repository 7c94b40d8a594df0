import type { AuditEntry } from '../people/audit/entry.ts';
import type { AuditStore } from '../people/audit/needs.ts';
import { auditQuestionCells } from './auditLogRows.ts';
import type { Tables, WhileOpen } from './memoryTables.ts';

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
    auditEntries: whileOpen((asked) => {
      const [at, number, from, limit] = auditQuestionCells(asked);
      return audit.entries
        .filter((entry) => isOlder(entry, at, number) && entry.at >= from)
        .sort((one, other) => other.at - one.at || other.number - one.number)
        .slice(0, limit);
    }),
    auditChain: whileOpen((after, limit) => audit.entries.filter(({ number }) => number > after).slice(0, limit)),
  };
}
