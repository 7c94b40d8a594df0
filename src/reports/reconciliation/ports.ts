/** One file for a merchant: that of a day, or a further part of it with what came later. */
export type ReconciliationRun = {
  readonly merchantId: string;
  /** The day of settlement. */
  readonly day: string;
  /** From 1. */
  readonly part: number;
  /**
   * `due`: it is to be made and sent. `renaming`: all of it lies on the other side under another name; from here on it is never sent
   * again. `done`: it has its name. `failed`: given up.
   */
  readonly state: 'due' | 'renaming' | 'done' | 'failed';
  readonly tries: number;
  /** When it is tried next. */
  readonly dueAt: number;
  /** Until then it is in somebody's hands; 0: in nobody's. */
  readonly claimedUntil: number;
  readonly name: string | null;
  /** Under which name it was sent. */
  readonly temporaryName: string | null;
  /** SHA-256 of its bytes. */
  readonly digest: string | null;
  readonly bytes: number | null;
  /** How many records are in it, and how many the day had then. */
  readonly records: number | null;
  readonly covers: number | null;
  /** Of which files of acquirers the day's records were, and which of them had been changed by then. */
  readonly files: readonly string[];
  readonly changed: Readonly<Record<string, number>>;
  /** What went wrong last. */
  readonly why: string | null;
  readonly createdAt: number;
  readonly movedAt: number;
  readonly revision: number;
};

/** What the delivery of files asks of a store. */
export interface ReconciliationStore {
  /** False: this part of this day is there already. */
  addReconciliation(run: ReconciliationRun): Promise<boolean>;
  /** Kept only on the revision before it. To claim one is to save it with the end of the claim. */
  saveReconciliation(run: ReconciliationRun): Promise<boolean>;
  /** A merchant's runs from a day on, in the order of days and parts. */
  reconciliations(merchantId: string, from: string): Promise<readonly ReconciliationRun[]>;
  /** What is due and in nobody's hands, the longest overdue first: of one merchant, or of all (null). */
  dueReconciliations(now: number, merchantId: string | null, limit: number): Promise<readonly ReconciliationRun[]>;
}
