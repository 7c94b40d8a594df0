import type { Unreadable } from './ports.ts';

/** An error in the ledger. */
export type Finding = {
  readonly merchantId: string;
  readonly block: number | null;
  readonly subjectId: string | null;
  readonly says: string;
};

/** The progress of a verification. */
export type ProofStep = { readonly phase: 'chaining' | 'comparing'; readonly done: number; readonly total: number };

/** Receives findings and progress. `step` throws when the verification is to stop. */
export type Report = {
  find(finding: Finding): void;
  step(at: ProofStep): void;
};

export const findingOf = ({ merchantId, id, says }: Unreadable): Finding => ({ merchantId, block: null, subjectId: id, says });
