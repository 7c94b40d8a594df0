import type { SettledLine } from './record.ts';

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
 * What a file says about payments that were sent to the bank. `booked`: the money moved. `returned`: it was taken back. `restored`: the
 * return was taken back in turn.
 */
export type BankReport = Omit<BankStatus, 'is'> & {
  readonly is: 'rejected' | 'accepted' | 'booked' | 'returned' | 'restored';
  readonly line: SettledLine;
};

/** What a line of a statement says about the payments that were sent; null: nothing. */
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

/** What a line of a statement did with the money of payments; null: it is a fee. */
function movementOf({ recordType, status }: SettledLine): 'booked' | 'returned' | 'restored' | null {
  if (recordType === 'FEE') return null;
  if (recordType === 'CHARGEBACK') return 'returned';
  if (recordType === 'CHARGEBACK REVERSAL') return 'restored';
  return status === 'FAILED' ? 'returned' : 'booked';
}
