import type { Payment } from '../payments/payment.ts';
import type { MatchingStatus, SettlementFile, SettlementRecord } from './record.ts';

/** By what a line may name a payment. */
export type PaymentName = {
  readonly kind: 'id' | 'shortId' | 'merchantTransactionId';
  readonly value: string;
};

/** Which records are read. Members that are absent do not limit. In the order of settledOn and id, or backwards. */
export type RecordQuestion = {
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
  readonly limit: number;
};

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
export interface ReportStore {
  /** False: this entity's file of the same digest is there already, being read or kept. */
  beginFile(file: SettlementFile): Promise<boolean>;
  /** Seen by nobody before the file is kept. */
  addRecords(records: readonly SettlementRecord[]): Promise<void>;
  /** From now on its records are there: all of them, at once. */
  keepFile(fileId: string, lines: number): Promise<void>;
  /** Forgets a file that was not kept, with its records. */
  dropFile(fileId: string): Promise<void>;
  files(entityIds: readonly string[], limit: number): Promise<readonly SettlementFile[]>;
  /** Payments of these merchants by one of their names, for matching: at most so many for each name. */
  paymentsNamed(
    merchantIds: readonly string[],
    names: readonly PaymentName[],
    each: number,
  ): Promise<readonly { readonly name: PaymentName; readonly payment: Payment }[]>;
  /** Records of kept files that name these payments already: a payment is settled once. */
  recordsOfPayments(merchantIds: readonly string[], paymentIds: readonly string[]): Promise<readonly SettlementRecord[]>;
  record(id: string): Promise<SettlementRecord | null>;
  /** Kept only on the revision before it. */
  saveRecord(record: SettlementRecord): Promise<boolean>;
  records(asked: RecordQuestion): Promise<readonly SettlementRecord[]>;
  countRecords(asked: Omit<RecordQuestion, 'after' | 'isBackwards' | 'limit'>): Promise<number>;
  /** What waits for a person, the oldest first: of files that these entities brought. */
  exceptions(asked: {
    readonly entityIds: readonly string[];
    readonly status: Exclude<MatchingStatus, 'MATCHED'> | null;
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
