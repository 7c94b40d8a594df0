import type { Payment } from '../payments/payment.ts';
import type { MatchingStatus, SettlementFile, SettlementRecord } from './record.ts';

/** By what a line may name a payment. `connectorTxId`: any of the references that the acquirer gave it. */
export type PaymentName = {
  readonly kind: 'id' | 'merchantTransactionId' | 'shortId' | 'connectorTxId';
  readonly value: string;
};

/** What is looked for under some names. Short ids and the acquirer's references are looked for in a time only. */
export type NamedPaymentsQuery = {
  readonly merchantIds: readonly string[];
  readonly names: readonly PaymentName[];
  /** From an instant on and strictly before another. */
  readonly from: number;
  readonly before: number;
  /** At most so many for each name and merchant. */
  readonly each: number;
};

/** Payments that are found by what they are, where nothing names them. */
export type SimilarPaymentsQuery = {
  readonly merchantIds: readonly string[];
  readonly from: number;
  readonly before: number;
  readonly sums: readonly { readonly amount: bigint; readonly currency: string }[];
  readonly limit: number;
};

/** Which records are read. Members that are absent do not limit. In the order of settledOn and id, or backwards. */
export type RecordQuery = {
  readonly merchantId: string;
  readonly entityId?: string;
  /** Days of settlement, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly recordType?: SettlementRecord['recordType'];
  /** Only those after this one in the order asked for. */
  readonly after?: Pick<SettlementRecord, 'settledOn' | 'id'>;
  readonly isBackwards?: boolean;
  /** So many are passed over first. */
  readonly skip?: number;
  readonly limit: number;
};

export type FileCount = Readonly<Record<MatchingStatus, number>> & { readonly open: number };

/** What was settled for a merchant on a day in a currency. */
export type Aggregation = {
  readonly settledOn: string;
  readonly currency: string;
  readonly count: number;
  /** What was credited less what was debited, in hundredths. */
  readonly amount: bigint;
  readonly fee: bigint;
};

/** What the reports room asks of a store. */
export interface SettlementStore {
  /**
   * Null: it is there now, being read or refused. Otherwise the file that stands in its way: this entity's one with the same digest, or
   * one of the same PSP that is being read.
   */
  beginFile(file: SettlementFile): Promise<SettlementFile | null>;
  /** Seen by nobody before the file is kept. False: the file is not being read any more, and nothing was added. */
  addRecords(fileId: string, records: readonly SettlementRecord[], readUntil: number): Promise<boolean>;
  /** From now on its records are there and in the books: all of them, at once. False: it is not being read any more. */
  keepFile(fileId: string, lines: number): Promise<boolean>;
  /** Forgets a file that was not kept, with its records. */
  dropFile(fileId: string): Promise<void>;
  /** Files that somebody began to read and left. */
  abandonedFiles(now: number, limit: number): Promise<readonly SettlementFile[]>;
  file(id: string): Promise<SettlementFile | null>;
  /** The newest first; those being read are not among them. */
  files(entityIds: readonly string[], limit: number): Promise<readonly SettlementFile[]>;
  /** How many records of a kept file have each status, and how many of them wait for a person. */
  countFile(fileId: string): Promise<FileCount>;
  /** Payments of these merchants by their names, for matching. */
  paymentsNamed(asked: NamedPaymentsQuery): Promise<readonly { readonly name: PaymentName; readonly payment: Payment }[]>;
  /** Payments of these merchants that have one of these sums, the oldest first. */
  paymentsAlike(asked: SimilarPaymentsQuery): Promise<readonly Payment[]>;
  /** Records that are matched with these payments already: of kept files, and of the one that is being read. */
  recordsOfPayments(
    merchantIds: readonly string[],
    paymentIds: readonly string[],
    readingId: string | null,
  ): Promise<readonly SettlementRecord[]>;
  /** Matched chargebacks and reversals of kept files for which no transaction was made yet, in the order of their files and lines. */
  unrecorded(limit: number): Promise<readonly SettlementRecord[]>;
  record(id: string): Promise<SettlementRecord | null>;
  /** Kept only on the revision before it. What it now does otherwise to the books is posted with it, at the instant. */
  saveRecord(record: SettlementRecord, at: number): Promise<boolean>;
  /** Of kept files only, as everything below. */
  records(asked: RecordQuery): Promise<readonly SettlementRecord[]>;
  countRecords(asked: Omit<RecordQuery, 'after' | 'isBackwards' | 'skip' | 'limit'>): Promise<number>;
  /** What waits for a person, the oldest first: of files that these entities brought. */
  exceptions(asked: {
    readonly entityIds: readonly string[];
    readonly status: Exclude<MatchingStatus, 'MATCHED'> | null;
    /** The id of the last of the page before. */
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly SettlementRecord[]>;
  aggregations(asked: {
    readonly merchantId: string;
    readonly entityId?: string;
    readonly from: string;
    readonly to: string;
    readonly currency: string | null;
  }): Promise<readonly Aggregation[]>;
}
