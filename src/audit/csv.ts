import { textCell } from '../reports/reconciliation/csv.ts';
import type { AuditEntry } from './entry.ts';

const columns = [
  'number',
  'at',
  'by',
  'who',
  'whoName',
  'what',
  'entityId',
  'objectId',
  'from',
  'result',
  'node',
  'note',
  'previous',
  'hash',
] as const;

export const auditCsvHeader = `${columns.join(';')}\r\n`;

/** An entry as a CSV line. A cell that looks like a formula is marked as text. */
export const auditCsvLine = (entry: AuditEntry): string =>
  `${columns.map((name) => textCell(name === 'at' ? new Date(entry.at).toISOString() : String(entry[name] ?? ''))).join(';')}\r\n`;
