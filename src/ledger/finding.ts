/** Something that is wrong in the books, and where. */
export type Finding = {
  readonly merchantId: string;
  readonly block: number | null;
  readonly subjectId: string | null;
  /** In plain words. */
  readonly says: string;
};

/** How far a proof is. */
export type ProofStep = { readonly phase: 'chaining' | 'comparing'; readonly done: number; readonly total: number };

/** Where findings go, and what is told meanwhile. Rejects by throwing when it is to stop. */
export type Report = {
  find(finding: Finding): void;
  step(at: ProofStep): void;
};
