/**
 * What the statistics ask of a store. Every commit of a payment and every try of a delivery leaves a line in a queue, in its own commit;
 * a fold takes lines from the queue and adds them to sheets, all in one commit.
 */

/** A line of the queue. `line` null: a payment from before there was a queue, to be read. */
export type Change = {
  /** Below zero: from before there was a queue. The lines of one subject come in the order of their numbers. */
  readonly n: number;
  readonly merchantId: string;
  readonly subjectId: string;
  /** The payment's; 0 for a delivery. */
  readonly revision: number;
  readonly line: string | null;
};

export type Subject = Pick<Change, 'merchantId' | 'subjectId'>;

/** What the sheets hold of a subject that may still change. */
export type Counted = Subject & { readonly revision: number; readonly line: string };

export type SheetKey = {
  /** A channel, or anything above it: each node has sheets with everything below it. */
  readonly nodeId: string;
  /** A quarter of an hour, an hour or a day, in milliseconds. */
  readonly span: number;
  readonly begins: number;
};

/** Sums by key, as JSON; see sheet.ts. */
export type Sheet = SheetKey & { readonly body: string };

/** Sheets of one length that begin from an instant on and before another. */
export type Stretch = { readonly span: number; readonly from: number; readonly before: number };

/** Kept as a whole, and only if no other fold has run since `revision`. */
export type Fold = {
  readonly revision: number;
  /** As they are afterwards. */
  readonly sheets: readonly Sheet[];
  readonly counted: readonly Counted[];
  /** Subjects that will not change any more. */
  readonly ended: readonly Subject[];
  /** The numbers of the lines that are in the sheets now. */
  readonly done: readonly number[];
};

/** `revision`: how often was folded. `left`, `total`: how much of the past is still to be counted, and how much there ever was. */
export type FoldState = { readonly revision: number; readonly left: number; readonly total: number };

export interface StatisticsStore {
  foldState(): Promise<FoldState>;
  /** The oldest lines of the queue, or the newest of the past. */
  changes(which: 'fresh' | 'past', limit: number): Promise<readonly Change[]>;
  counted(subjects: readonly Subject[]): Promise<readonly Counted[]>;
  /** Those of them that are there. */
  sheets(keys: readonly SheetKey[]): Promise<readonly Sheet[]>;
  sheetsWithin(nodeId: string, stretches: readonly Stretch[]): Promise<readonly Sheet[]>;
  /** False: another fold was faster, and nothing was written. */
  fold(fold: Fold): Promise<boolean>;
}
