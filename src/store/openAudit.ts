import type { AuditEntry, AuditHead } from '../audit/entry.ts';
import type { Audit } from '../ledger/ports.ts';
import { auditPostgres } from './postgres/audit.ts';
import { auditSqlite } from './sqlite/audit.ts';

/** Which database is audited: one of the configuration, or a file. */
export type AuditDatabase = { readonly databaseUrl: string } | { readonly dataDir: string } | { readonly path: string };

/** The books, and the audit log beside them. */
export type Audited = Audit & {
  logHead(): Promise<AuditHead>;
  /** What stands behind a number, in the order of the chain. */
  log(after: number): AsyncIterable<readonly AuditEntry[]>;
};

/** Looks at a database as it is at one moment, beside the gateway. The schema must be up to date. */
export const withAudit = <T>(place: AuditDatabase, work: (audit: Audited) => Promise<T>): Promise<T> =>
  'databaseUrl' in place ? auditPostgres(place.databaseUrl, work) : auditSqlite(place, work);
