import type { AuditEntry, AuditHead } from './entry.ts';

export type AuditQuery = {
  /** Only older entries: by `at`, then by number. */
  readonly before?: { readonly at: number; readonly number: number };
  readonly from?: number;
  /** Only entries before this instant. */
  readonly to?: number;
  readonly limit: number;
};

/** The store of the audit log. */
export interface AuditStore {
  auditHead(): Promise<AuditHead>;
  /** Appends entries to a head in one durable commit; false: the chain has another head, and nothing was written. */
  appendAudit(head: AuditHead, entries: readonly AuditEntry[], next: AuditHead): Promise<boolean>;
  /** The newest first. */
  auditEntries(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The entries after a number, in the order of the chain. */
  auditChain(after: number, limit: number): Promise<readonly AuditEntry[]>;
}
