import type { DueQuery } from '../merchants/merchantFilter.ts';
import type { Payment } from '../payments/payment.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { MatchingStatus, SettlementFile, SettlementRecord } from './record.ts';

/** A reference of a line to a payment. `connectorTxId`: any reference given by the acquirer. */
export type PaymentName = {
  readonly kind: 'id' | 'merchantTransactionId' | 'shortId' | 'connectorTxId';
  readonly value: string;
};

/** A search by references. Short ids and the acquirer's references are searched within the time range only. */
export type NamedPaymentsQuery = {
  readonly merchantIds: readonly string[];
  readonly names: readonly PaymentName[];
  /** The time range, `before` excluded. */
  readonly from: number;
  readonly before: number;
  /** The limit for each reference and merchant. */
  readonly each: number;
};

/** A search by amount, for lines without a reference. */
type SimilarPaymentsQuery = {
  readonly merchantIds: readonly string[];
  readonly from: number;
  readonly before: number;
  readonly sums: readonly { readonly amount: bigint; readonly currency: string }[];
  readonly limit: number;
};

/** Filters of records. Absent members do not filter. In the order of settledOn and id, or backwards. */
export type RecordQuery = {
  readonly merchantId: string;
  readonly entityId?: string;
  /** Days of settlement, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly recordType?: SettlementRecord['recordType'];
  /** Only records after this one, in the requested order. */
  readonly after?: Pick<SettlementRecord, 'settledOn' | 'id'>;
  readonly isBackwards?: boolean;
  /** The number of records to skip. */
  readonly skip?: number;
  readonly limit: number;
};

export type FileCount = Readonly<Record<MatchingStatus, number>> & { readonly open: number };

/** The settled sum of a merchant on a day in a currency. */
export type Aggregation = {
  readonly settledOn: string;
  readonly currency: string;
  readonly count: number;
  /** Credits less debits, in hundredths. */
  readonly amount: bigint;
  readonly fee: bigint;
};

/** The store of settlement files and records. */
export interface SettlementStore {
  /**
   * Null: the file is stored, in state reading or refused. Otherwise the conflicting file: one of this entity with the same digest, or
   * one of the same PSP that is being imported.
   */
  beginFile(file: SettlementFile): Promise<SettlementFile | null>;
  /** Adds records, invisible until the file is kept. False: the import was abandoned, and nothing was added. */
  addRecords(fileId: string, records: readonly SettlementRecord[], readUntil: number): Promise<boolean>;
  /** Makes all records of a file visible and posts them, together. `file`: as it is then. False: the import was abandoned. */
  keepFile(file: SettlementFile): Promise<boolean>;
  /** Deletes a file that was not kept, with its records. */
  dropFile(fileId: string): Promise<void>;
  /** Files whose import was abandoned. */
  abandonedFiles(now: number, limit: number): Promise<readonly SettlementFile[]>;
  file(id: string): Promise<SettlementFile | null>;
  /** The newest first, without files that are being imported. */
  files(entityIds: readonly string[], limit: number): Promise<readonly SettlementFile[]>;
  /** The records of a kept file by status, and the number of open exceptions. */
  countFile(fileId: string): Promise<FileCount>;
  /** Payments of these merchants by reference, for matching. */
  paymentsNamed(query: NamedPaymentsQuery): Promise<readonly { readonly name: PaymentName; readonly payment: Payment }[]>;
  /** Payments of these merchants with one of these amounts, the oldest first. */
  paymentsAlike(query: SimilarPaymentsQuery): Promise<readonly Payment[]>;
  /** Records matched with these payments, of kept files and of the one being imported. */
  recordsOfPayments(
    merchantIds: readonly string[],
    paymentIds: readonly string[],
    readingId: string | null,
  ): Promise<readonly SettlementRecord[]>;
  /** Matched chargebacks and reversals of kept files without a transaction, in the order of their files and lines. */
  unrecorded(limit: number): Promise<readonly SettlementRecord[]>;
  record(id: string): Promise<SettlementRecord | null>;
  /** Saves a record that follows the stored revision, with the posting of its changed amounts. */
  saveRecord(record: SettlementRecord, at: number): Promise<boolean>;
  /** Of kept files only, as everything below. */
  records(query: RecordQuery): Promise<readonly SettlementRecord[]>;
  countRecords(query: Omit<RecordQuery, 'after' | 'isBackwards' | 'skip' | 'limit'>): Promise<number>;
  /** Open exceptions of files of these entities, the oldest first. */
  exceptions(query: {
    readonly entityIds: readonly string[];
    readonly status: Exclude<MatchingStatus, 'MATCHED'> | null;
    /** The id of the last record of the previous page. */
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly SettlementRecord[]>;
  aggregations(query: {
    readonly merchantId: string;
    readonly entityId?: string;
    readonly from: string;
    readonly to: string;
    readonly currency: string | null;
  }): Promise<readonly Aggregation[]>;
}

/** An action of the simulated acquirer on a later day. Amounts are whole hundredths, as strings. */
export type ScheduledAction =
  /** The payment was open at the end of its day: it is checked again. */
  | { readonly does: 'look'; readonly number: number }
  /** `number` distinguishes otherwise equal actions. */
  | { readonly does: 'pay'; readonly number: number; readonly gross: string; readonly fee: string }
  | {
      readonly does: 'chargeback' | 'reversal';
      readonly number: number;
      readonly amount: string;
      readonly code: CodeThat<'chargeback'>;
      /** The transaction that was recorded by the API; absent: the line makes one. */
      readonly recordedId?: string;
    };

export type ScheduledSettlement = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly dueAt: number;
  readonly act: ScheduledAction;
};

/** An action with its payment, for the settlement file. Amounts are above zero. */
export type SettledAct = {
  readonly payment: Payment;
  /** The merchant's account number at the acquirer; null: the acquirer's default. */
  readonly account: string | null;
  /** The acquirer's id of the line. */
  readonly settlementId: string;
  readonly act:
    | { readonly does: 'pay'; readonly gross: bigint; readonly fee: bigint }
    | {
        readonly does: 'chargeback' | 'reversal';
        readonly amount: bigint;
        readonly code: CodeThat<'chargeback'>;
      };
};

/** The settlement position of a merchant. */
export type SettlementDay = {
  readonly merchantId: string;
  /** Every payment before this instant is settled or scheduled. */
  readonly since: number;
  /** When the day that starts there is settled; null: it has no payment yet. */
  readonly dueAt: number | null;
};

/** `floor`: the earliest payment time for merchants without a position, or with one after `now`. */
type SettlementDaysQuery = { readonly merchantIds: readonly string[]; readonly now: number; readonly floor: number };

/** A merchant with a payment that waits for its day. `since`: the merchant's position; null: none yet. */
export type DayStart = { readonly merchantId: string; readonly since: number | null; readonly firstAt: number };

/** The store of the simulated acquirer's settlement. */
export interface SandboxSettlementStore {
  /** Due actions, ordered by time, merchant, payment and action. */
  scheduledSettlementsDue(query: DueQuery): Promise<readonly ScheduledSettlement[]>;
  /** Adds actions of a day; existing ones stay. False: the day is over, and nothing was written. */
  addScheduledSettlements(
    day: Pick<SettlementDay, 'merchantId' | 'since'>,
    acts: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  /** Replaces actions of one merchant, in one commit. False: the first one no longer exists. */
  finishScheduledSettlements(
    done: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
    instead: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  daysDue(query: DueQuery): Promise<readonly SettlementDay[]>;
  /** The merchants with payments after their position. */
  daysToBegin(query: SettlementDaysQuery): Promise<readonly DayStart[]>;
  /** Moves the position of a merchant on from `from`, with the last actions of the finished day; null: the merchant has none yet. */
  saveDay(day: SettlementDay, from: number | null, acts?: readonly ScheduledSettlement[]): Promise<boolean>;
}
