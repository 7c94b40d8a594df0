import type { Audit } from '../ledger/needs.ts';
import { auditPostgres } from './postgresAudit.ts';
import { auditSqlite } from './sqliteAudit.ts';

/** Which database is audited: one of the configuration, or a file. */
export type AuditPlace = { readonly databaseUrl: string } | { readonly dataDir: string } | { readonly path: string };

/** Looks at a database as it is at one moment, beside the gateway. The schema must be up to date. */
export const withAudit = <T>(place: AuditPlace, work: (audit: Audit) => Promise<T>): Promise<T> =>
  'databaseUrl' in place ? auditPostgres(place.databaseUrl, work) : auditSqlite(place, work);
