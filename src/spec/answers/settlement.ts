import type { AmountText, Day, Id, Instant } from './texts.ts';

/** Answers about settlement files and settled amounts. Amounts are texts with two decimals. */

export type FileCounts = {
  readonly MATCHED: number;
  readonly MULTIPLE_MATCHES: number;
  readonly NOT_MATCHED: number;
  readonly open: number;
};

/** Of listSettlements, readSettlement and bringSettlement. */
export type SettlementShown = {
  readonly id: string;
  readonly entityId: Id;
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the bytes: the same file is taken once. */
  readonly digest: string;
  readonly lines: number;
  readonly state: 'reading' | 'kept' | 'refused';
  /** The first faults of a refused file. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
  readonly faultCount: number;
  /** Of an imported file: the first remarks that need no decision, such as entries that were skipped. Absent: none. */
  readonly notes?: readonly { readonly line: number; readonly message: string }[];
  readonly noteCount?: number;
  readonly createdAt: Instant;
  /** Only for a single imported file. */
  readonly count?: FileCounts | null;
};

/** A line of a settlement file. */
export type SettlementLine = {
  readonly id: string;
  readonly fileId: Id;
  readonly line: number;
  readonly recordType: string;
  readonly transactionType: string;
  readonly cashflow: 'POS' | 'NEG';
  readonly merchantId: Id | null;
  readonly entityId: Id | null;
  readonly settlementId: string | null;
  /** As the file has it: it may be cut, or no id at all. */
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: AmountText;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly presentedAt: string | null;
  readonly settledAmount: AmountText;
  readonly settledCurrency: string;
  readonly fee: string | null;
  readonly fxRate: string;
  readonly settledOn: Day;
  readonly status: string;
  readonly descriptor: string | null;
  readonly last4: string | null;
  readonly bankCode: string | null;
  readonly holder: string | null;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  readonly clearingInstitute: {
    readonly name: string;
    readonly merchantId: string;
    readonly txId1: string | null;
    readonly txId2: string | null;
    readonly txId3: string | null;
  };
  readonly format: string;
  readonly match: {
    readonly status: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';
    readonly paymentIds: readonly string[];
    readonly by: string;
    readonly why: string;
    readonly isOpen: boolean;
  };
  /** Why it was not matched; null: it was, or it was read by an earlier version. */
  readonly exception: ExceptionKind | null;
  /** The chargeback that was recorded from it. */
  readonly chargebackId: Id | null;
  readonly createdAt: Instant;
};

/** A payment that an exception may be about. */
export type CandidatePayment = {
  readonly id: Id;
  readonly shortId: string;
  readonly merchantTransactionId: string | null;
  readonly paymentType: string;
  readonly amount: AmountText;
  readonly currency: string;
  readonly createdAt: Instant;
  readonly last4: string | null;
};

/** Of listExceptions. `suggestedId`: the candidate that is most likely meant; null: none is. */
export type ExceptionLine = SettlementLine & {
  readonly candidates: readonly CandidatePayment[];
  readonly suggestedId: Id | null;
};

/** Of resolveExceptions: how many were resolved, and why the others were not. */
export type ExceptionsResolved = {
  readonly resolved: number;
  readonly refused: readonly { readonly id: Id; readonly message: string }[];
};

export type UnsettledPayment = {
  readonly id: string;
  readonly paymentType: string;
  readonly amount: AmountText;
  readonly currency: string;
  readonly createdAt: Instant;
};

/** Of listSettled: a day and currency. */
export type Settled = {
  readonly id: string;
  readonly date: Day;
  readonly currency: string;
  readonly amount: AmountText;
  readonly fee: string;
  readonly count: string;
};

/** Of listReconciliations: one file on its way to the merchant's own server. */
export type ReconciliationShown = {
  readonly day: Day;
  readonly part: number;
  readonly state: 'due' | 'renaming' | 'done' | 'failed';
  readonly tries: number;
  readonly name: string | null;
  readonly bytes: number | null;
  readonly records: number | null;
  readonly why: string | null;
  readonly nextTryAt: Instant | null;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
};

/** Of readBalances. */
export type Balances = {
  readonly merchantId: Id;
  readonly at: Instant;
  readonly balances: readonly {
    readonly mode: string;
    readonly currency: string;
    /**
     * The amount owed to the account; negative: owed by it. Within a mode and a currency they add up to zero. shopper: requested and not
     * decided. reserve: may be captured. contra: against these two. merchant: still to be received. acquirer: still to be paid by it.
     * fees: kept by it. chargebacks: taken back by banks.
     */
    readonly accounts: Readonly<Record<string, string>>;
  }[];
};

/** Why a line of a settlement file could not be matched automatically. */
const exceptionKinds = [
  'duplicate',
  'amountDiffers',
  'currencyDiffers',
  'feeDiffers',
  'cardDiffers',
  'dateDiffers',
  'directionDiffers',
  'unknownReference',
  'referencesDiffer',
  'noReference',
  'severalPayments',
  'notApproved',
  'notRecordable',
  'unknownAccount',
  'unreadable',
] as const;

export type ExceptionKind = (typeof exceptionKinds)[number];
