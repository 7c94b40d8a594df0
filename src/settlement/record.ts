import type { Amount } from '../money/amount.ts';
import type { ExceptionKind } from '../spec/answers/settlement.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';

/** The values of the first two columns of the reconciliation record; the columns are a table of spec/. */
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

/** One line of an acquirer's file, parsed and checked. Amounts are never negative; `cashflow` has the sign. */
export type SettledLine = {
  /** The line number in the file, from 1: where a CSV line ends or an XML element begins. Several XML elements may share one. */
  readonly line: number;
  readonly recordType: RecordType;
  readonly transactionType: SettledType;
  readonly cashflow: 'POS' | 'NEG';
  /** The settling institute, and the merchant's account number there. */
  readonly clearingInstitute: {
    readonly name: string;
    readonly merchantId: string;
    readonly txId1: string | null;
    readonly txId2: string | null;
    readonly txId3: string | null;
  };
  readonly settlementId: string | null;
  /** The payment's id and short id, if the file has them. */
  readonly paymentId: string | null;
  readonly shortId: string | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceId: string | null;
  readonly amount: Amount;
  readonly currency: string;
  readonly paymentBrand: string | null;
  /** `yyyy-MM-dd HH:mm:ss` on the clearing institute's clock; null: not in the file. */
  readonly presentedAt: string | null;
  readonly settledAmount: Amount;
  readonly settledCurrency: string;
  readonly fee: Amount | null;
  /** A decimal number, as written in the file. */
  readonly fxRate: string;
  /** `yyyy-MM-dd` */
  readonly settledOn: string;
  readonly status: 'SUCCESS' | 'FAILED';
  readonly descriptor: string | null;
  readonly last4: string | null;
  readonly bankCode: string | null;
  readonly holder: string | null;
  /** Only of chargebacks and their reversals. */
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
};

/** The payment types that acquirers settle by a line of their own. */
export const settledTypes: readonly TransactionType[] = ['DB', 'CP', 'CD', 'RF', 'RB', 'RC'];

/** Whether a line is about a fee for a payment, and not about the payment's own money. */
export const isFee = ({ recordType, transactionType }: Pick<SettledLine, 'recordType' | 'transactionType'>): boolean =>
  recordType === 'FEE' || transactionType.endsWith('_FEE');

/** The payments that a line was matched with. */
export type Match = {
  readonly status: MatchingStatus;
  /** One when MATCHED, several when MULTIPLE_MATCHES, none otherwise. */
  readonly paymentIds: readonly string[];
  /** The matching rule, or the user who matched it. */
  readonly by: string;
  /** The agreeing and the differing values, as a sentence for the page of exceptions. */
  readonly why: string;
  /** An exception that waits for a decision. */
  readonly isOpen: boolean;
  /** Why it was not matched. It stays with a dismissed line, and goes when the line is matched. */
  readonly exception?: MatchException;
};

/** `candidateIds`: payments that the line leads to, without agreeing with it. */
type MatchException = { readonly kind: ExceptionKind; readonly candidateIds: readonly string[] };

/** The id of the nth record of a file, from 1. It is the same in every import. */
export const recordIdOf = (fileId: string, number: number): string => fileId.slice(0, 22) + number.toString(16).padStart(10, '0');

/** A stored line. */
export type SettlementRecord = SettledLine & {
  /** Rises within a file; see recordIdOf. */
  readonly id: string;
  readonly fileId: string;
  readonly format: string;
  /** The owner, by the account number or the matched payment; null: unknown. */
  readonly merchantId: string | null;
  readonly entityId: string | null;
  readonly match: Match;
  /** The transaction recorded for a chargeback or its reversal. */
  readonly chargebackId: string | null;
  readonly createdAt: number;
  readonly revision: number;
};

/** A fault of a file, or a remark about it. Line 0: the file as a whole. */
export type LineFault = { readonly line: number; readonly message: string };

/** A settlement file. `digest`: SHA-256 of its bytes; an entity imports the same bytes once. */
export type SettlementFile = {
  readonly id: string;
  /** The owner: lines are matched only with payments of this entity and the entities below it. */
  readonly entityId: string;
  /** Its PSP, for which one file is imported at a time, so that no two settle the same payment. */
  readonly pspId: string;
  readonly name: string;
  readonly format: string;
  readonly digest: string;
  readonly lines: number;
  /** `refused`: it has faults, and none of its lines is stored. */
  readonly state: 'reading' | 'kept' | 'refused';
  /** The lease of the import: renewed before this instant, or the import counts as abandoned. */
  readonly readUntil: number;
  /** The first faults of a refused file, and the number of all. */
  readonly faults: readonly LineFault[];
  readonly faultCount: number;
  /** Of a kept file: the first remarks about it that need no decision, such as skipped entries, and the number of all. Absent: none. */
  readonly notes?: readonly LineFault[];
  readonly noteCount?: number;
  readonly createdAt: number;
};

/** The message and the batch in it in which payments were sent to a bank, as a line names them. */
export type SentBatch = {
  /** `MsgId` */
  readonly messageId: string | null;
  /** `PmtInfId` */
  readonly batchId: string | null;
  /** The bank's reason of a return. */
  readonly reason: string | null;
};

/** A status of a payment, of a batch or of a whole message, before anything is booked. */
export type BankStatus = {
  /** All payments of the batch or message, not one transaction. */
  readonly isWhole: boolean;
  /** The payment of a transaction, where its reference has the form of our ids. */
  readonly paymentId: string | null;
  /** The reference as the bank has it, for messages. */
  readonly reference: string;
  readonly messageId: string | null;
  readonly batchId: string | null;
  readonly is: 'rejected' | 'accepted';
  /** The status as sent: RJCT, ACCP, PDNG … */
  readonly word: string;
  readonly reason: string | null;
  /** The result of a verification of the payee, where the status is or has one. */
  readonly verification: string | null;
};

/**
 * A file's report about payments that were sent to the bank. `booked`: the money moved. `returned`: it was taken back. `restored`: the
 * return was taken back in turn.
 */
export type BankReport = Omit<BankStatus, 'is'> & {
  readonly is: 'rejected' | 'accepted' | 'booked' | 'returned' | 'restored';
  readonly line: SettledLine;
};

/** The report of a statement's line about sent payments; null: none. */
export function reportOfLine(line: SettledLine, sent: SentBatch | null): BankReport | null {
  const is = movementOf(line);
  const { paymentId } = line;
  if (is === null || sent === null) return null;
  const { messageId, batchId, reason } = sent;
  if (paymentId === null && (is !== 'booked' || (messageId === null && batchId === null))) return null;
  const reference = paymentId ?? batchId ?? messageId ?? '';
  const isWhole = paymentId === null;
  return { is, line, isWhole, paymentId, reference, messageId, batchId, reason, word: is, verification: null };
}

/** The effect of a statement's line on the money of payments; null: it is a fee. */
function movementOf({ recordType, status }: SettledLine): 'booked' | 'returned' | 'restored' | null {
  if (recordType === 'FEE') return null;
  if (recordType === 'CHARGEBACK') return 'returned';
  if (recordType === 'CHARGEBACK REVERSAL') return 'restored';
  return status === 'FAILED' ? 'returned' : 'booked';
}
