import type { Amount } from '../money/amount.ts';

/** What the spec's reconciliation record may say in its first two columns; the columns themselves are a table of spec/. */
export const recordTypes = ['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'] as const;
export type RecordType = (typeof recordTypes)[number];

export const transactionTypes = [
  'DEBIT',
  'CREDIT',
  'REFUND',
  'BATCH',
  'MONTHLY',
  'SUBMERCHANT',
  'PAYMENT_FACILITATOR',
  'AUTH_FEE',
  'CAPTURE_FEE',
  'CANCEL_FEE',
  'REFUND_FEE',
] as const;
export type SettledType = (typeof transactionTypes)[number];

export type MatchingStatus = 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED';

/** One line of an acquirer's file, read and checked: what was said, in our words. Amounts are never negative; `cashflow` has the sign. */
export type SettledLine = {
  /** The line of the file on which it ends (of a CSV) or begins (of an XML), from 1: in an XML several may stand on one. */
  readonly line: number;
  readonly recordType: RecordType;
  readonly transactionType: SettledType;
  readonly cashflow: 'POS' | 'NEG';
  /** Who settles, and by which number it knows the merchant. */
  readonly clearingInstitute: {
    readonly name: string;
    readonly merchantId: string;
    readonly txId1: string | null;
    readonly txId2: string | null;
    readonly txId3: string | null;
  };
  readonly settlementId: string | null;
  /** The payment's id and short id, where the file names them. */
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: Amount;
  readonly currency: string;
  readonly paymentBrand: string | null;
  /** `yyyy-MM-dd HH:mm:ss` on the clearing institute's clock; null: the file does not say. */
  readonly presentedAt: string | null;
  readonly settledAmount: Amount;
  readonly settledCurrency: string;
  readonly fee: Amount | null;
  /** As it was written, a decimal number. */
  readonly fxRate: string;
  /** `yyyy-MM-dd` */
  readonly settledOn: string;
  readonly status: 'SUCCESS' | 'FAILED';
  readonly descriptor: string | null;
  readonly last4: string | null;
  readonly bankCode: string | null;
  readonly holder: string | null;
  /** Of chargebacks and their reversals only. */
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
};

/** Whether a line is about what somebody charges for a payment, and not about the payment's own money. */
export const isFee = ({ recordType, transactionType }: Pick<SettledLine, 'recordType' | 'transactionType'>): boolean =>
  recordType === 'FEE' || transactionType.endsWith('_FEE');

/** What a line was found to be about. */
export type Match = {
  readonly status: MatchingStatus;
  /** One when MATCHED, several when MULTIPLE_MATCHES, none otherwise. */
  readonly paymentIds: readonly string[];
  /** Who found it: the program by this rule, or a person. */
  readonly by: string;
  /** In words, for whoever looks at the exceptions: what agrees, and what does not. */
  readonly why: string;
  /** A person has to look at it. */
  readonly isOpen: boolean;
};

/** The id of the so manieth record of a file, from 1: the same each time, so that what was begun is found again. */
export const recordIdOf = (fileId: string, number: number): string => fileId.slice(0, 22) + number.toString(16).padStart(10, '0');

/** A line that was kept. */
export type SettlementRecord = SettledLine & {
  /** Rises within a file; see recordIdOf. */
  readonly id: string;
  readonly fileId: string;
  readonly format: string;
  /** Whose it is: known from the clearing institute's number or from the payment; null: nobody's yet. */
  readonly merchantId: string | null;
  readonly entityId: string | null;
  readonly match: Match;
  /** The transaction that was made for a chargeback or its reversal. */
  readonly chargebackId: string | null;
  readonly createdAt: number;
  readonly revision: number;
};

/** What is wrong with a file, and where. Line 0: with the file as a whole. */
export type LineFault = { readonly line: number; readonly message: string };

/** A file as it came in. `digest`: SHA-256 of its bytes; the same file for the same entity is taken once. */
export type SettlementFile = {
  readonly id: string;
  /** Who brought it: a line is matched with payments of this entity and of what is below it, and with nobody else's. */
  readonly entityId: string;
  /** What stands above all of them: of its files one is read at a time, so that no two settle the same payment. */
  readonly pspId: string;
  readonly name: string;
  readonly format: string;
  readonly digest: string;
  readonly lines: number;
  /** `refused`: something is wrong with it, and nothing of it was kept. */
  readonly state: 'reading' | 'kept' | 'refused';
  /** Whoever reads it says so again before this instant; afterwards it counts as abandoned. */
  readonly readUntil: number;
  /** The first faults of a file that was refused, and how many there are. */
  readonly faults: readonly LineFault[];
  readonly faultCount: number;
  readonly createdAt: number;
};
