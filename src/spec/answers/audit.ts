import type { Id, Instant } from './texts.ts';

/** Answers about the audit log. */

export type AuditShown = {
  readonly number: number;
  /** As an ISO instant. */
  readonly at: Instant;
  /** The kind of actor: user, token, operator, command, system or nobody. */
  readonly by: string;
  readonly who: string;
  readonly whoName: string;
  readonly what: string;
  readonly entityId: Id | null;
  readonly objectId: string | null;
  readonly from: string;
  /** `done`, `failed`, or the result code of a refusal. */
  readonly result: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly node: string;
  readonly note: string | null;
  readonly previous: string;
  readonly hash: string;
};

/** Of listAudit. `next` may be there though the page is not full. */
export type AuditPage = { readonly entries: readonly AuditShown[]; readonly next: string | null };

/** Of verifyAudit. */
export type AuditProof = {
  readonly ok: boolean;
  readonly entries: number;
  readonly head: { readonly number: number; readonly hash: string };
  readonly seal: 'right' | 'wrong' | 'unchecked';
  readonly found: number;
  readonly findings: readonly { readonly number: number | null; readonly says: string }[];
  readonly at: Instant;
};
