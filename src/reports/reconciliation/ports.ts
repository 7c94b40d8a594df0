/** One reconciliation file: that of a day, or a further part with later records. */
export type ReconciliationRun = {
  readonly merchantId: string;
  /** The day of settlement. */
  readonly day: string;
  /** From 1. */
  readonly part: number;
  /**
   * `due`: to be uploaded. `renaming`: uploaded under a temporary name, and never uploaded again. `done`: renamed. `failed`: given up.
   */
  readonly state: 'due' | 'renaming' | 'done' | 'failed';
  readonly tries: number;
  /** The time of the next attempt. */
  readonly dueAt: number;
  /** The end of a node's lease; 0: none. */
  readonly claimedUntil: number;
  readonly name: string | null;
  /** The name during the upload. */
  readonly temporaryName: string | null;
  /** SHA-256 of its bytes. */
  readonly digest: string | null;
  readonly bytes: number | null;
  /** The number of its records, and of all records of the day at that time. */
  readonly records: number | null;
  readonly covers: number | null;
  /** The acquirers' files of the day's records, and the records changed by then with their revisions. */
  readonly files: readonly string[];
  readonly changed: Readonly<Record<string, number>>;
  /** The last failure. */
  readonly why: string | null;
  readonly createdAt: number;
  readonly movedAt: number;
  readonly revision: number;
};

/** The store of reconciliation runs. */
export interface ReconciliationStore {
  /** False: this part of the day exists already. */
  addReconciliation(run: ReconciliationRun): Promise<boolean>;
  /** Saves a run that follows the stored revision. A node takes its lease by such a save. */
  saveReconciliation(run: ReconciliationRun): Promise<boolean>;
  /** A merchant's runs from a day on, in the order of days and parts. */
  reconciliations(merchantId: string, from: string): Promise<readonly ReconciliationRun[]>;
  /** Due runs without a lease, the longest overdue first: of one merchant, or of all (null). */
  dueReconciliations(now: number, merchantId: string | null, limit: number): Promise<readonly ReconciliationRun[]>;
}
