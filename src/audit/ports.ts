import type { AuditEntry, AuditHead } from './entry.ts';

export type AuditQuery = {
  /** Only what is older: by `at`, then by number. */
  readonly before?: { readonly at: number; readonly number: number };
  readonly from?: number;
  /** Only what is before this instant. */
  readonly to?: number;
  readonly limit: number;
};

/** What the audit log asks of a store. */
export interface AuditStore {
  auditHead(): Promise<AuditHead>;
  /** Writes entries behind a head, durably and together; false: the chain has gone on, and nothing was written. */
  appendAudit(head: AuditHead, entries: readonly AuditEntry[], next: AuditHead): Promise<boolean>;
  /** The youngest first. */
  auditEntries(asked: AuditQuery): Promise<readonly AuditEntry[]>;
  /** What stands behind a number, in the order of the chain. */
  auditChain(after: number, limit: number): Promise<readonly AuditEntry[]>;
}
