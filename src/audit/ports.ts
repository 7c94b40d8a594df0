import type { AuditEntry, AuditHead } from './entry.ts';

export type AuditQuery = {
  /** Only what is older: by `at`, then by number. */
  readonly before?: { readonly at: number; readonly number: number };
  readonly from?: number;
  /** Only what is before this instant. */
  readonly to?: number;
  readonly limit: number;
};

/** The store of the audit log. */
export interface AuditStore {
  auditHead(): Promise<AuditHead>;
  /** Writes entries behind a head, durably and together; false: the chain has gone on, and nothing was written. */
  appendAudit(head: AuditHead, entries: readonly AuditEntry[], next: AuditHead): Promise<boolean>;
  /** The youngest first. */
  auditEntries(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The entries after a number, in the order of the chain. */
  auditChain(after: number, limit: number): Promise<readonly AuditEntry[]>;
}
