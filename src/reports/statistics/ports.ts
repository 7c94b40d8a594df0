/**
 * Every commit of a payment and every attempt of a delivery adds a line to a queue, in the same commit. A fold takes lines from the queue
 * and adds them to sheets, all in one commit.
 */

/** A line of the queue. */
export type Change = {
  /** The lines of one subject are in the order of their numbers. */
  readonly n: number;
  readonly merchantId: string;
  readonly subjectId: string;
  /** The revision of the payment; 0 for a delivery. */
  readonly revision: number;
  readonly line: string;
};

export type Subject = Pick<Change, 'merchantId' | 'subjectId'>;

/** The line of a subject that is in the sheets and may still change. */
export type Counted = Subject & { readonly revision: number; readonly line: string };

export type SheetKey = {
  /** A channel or an entity above it; the sheets of an entity include everything below it. */
  readonly nodeId: string;
  /** A quarter of an hour, an hour or a day, in milliseconds. */
  readonly span: number;
  readonly begins: number;
};

/** Sums by key, as JSON; see sheet.ts. */
export type Sheet = SheetKey & { readonly body: string };

/** Sheets of one length with a start in this range, `before` excluded. */
export type SheetRange = { readonly span: number; readonly from: number; readonly before: number };

/** Written as a whole, and only if no other fold has run since `revision`. */
export type Fold = {
  readonly revision: number;
  /** The new values. */
  readonly sheets: readonly Sheet[];
  readonly counted: readonly Counted[];
  /** Subjects that will not change any more. */
  readonly ended: readonly Subject[];
  /** The numbers of the folded lines. */
  readonly done: readonly number[];
};

export interface StatisticsStore {
  /** The number of folds. With several queues (decisions/0065) it names one of them, too: the calls of one fold pass it on. */
  foldRevision(): Promise<number>;
  /** The oldest lines of the queue. */
  changes(limit: number, revision?: number): Promise<readonly Change[]>;
  counted(subjects: readonly Subject[]): Promise<readonly Counted[]>;
  /** Absent sheets are left out. */
  sheets(keys: readonly SheetKey[], revision?: number): Promise<readonly Sheet[]>;
  sheetsWithin(nodeId: string, ranges: readonly SheetRange[]): Promise<readonly Sheet[]>;
  /** False: another fold came first, and nothing was written. */
  fold(fold: Fold): Promise<boolean>;
}
