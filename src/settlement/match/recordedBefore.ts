import { isApproved } from '../../payments/balance.ts';
import { disputedPayment } from '../../payments/chargebacks/bankRecord.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettlementRecord } from '../record.ts';

/**
 * A platform may record a chargeback by the API, or the acquirer notify of it, before the acquirer's file has it. Its line clears that
 * transaction: a second one would take the money twice.
 */

const LINE_SOURCE = 'settlement record ';
/** The source of a transaction that a settlement line has made. */
export const lineSourceOf = ({ id }: Pick<SettlementRecord, 'id'>): string => LINE_SOURCE + id;
/** A line that is about to save its transaction has none yet. Another line must not clear it. */
const isMadeByLine = ({ recordedBy }: Payment): boolean => recordedBy?.startsWith(LINE_SOURCE) === true;

type DisputeType = 'CHARGEBACK' | 'CHARGEBACK REVERSAL';
const recordedAs: Readonly<Record<DisputeType, Payment['paymentType']>> = { CHARGEBACK: 'CB', 'CHARGEBACK REVERSAL': 'CR' };

type Disputed = {
  readonly payment: Payment;
  readonly family: readonly Payment[];
  /** Records matched with this payment. */
  readonly records: readonly SettlementRecord[];
};

/** The transactions about a payment that no line has made, and that no line has cleared yet; the oldest first. */
export function recordedBefore(type: DisputeType, { payment, family, records }: Disputed): readonly Payment[] {
  const cleared = new Set(records.map(({ chargebackId }) => chargebackId));
  return family
    .filter(
      (one) =>
        one.paymentType === recordedAs[type] &&
        !isMadeByLine(one) &&
        isApproved(one) &&
        !cleared.has(one.id) &&
        disputedPayment(family, one)?.id === payment.id,
    )
    .sort((one, other) => (one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt - other.createdAt));
}

/** Of matched lines without a transaction yet: those that will have a transaction of their own, because none was recorded before. */
export function unrecordedLines(type: DisputeType, disputed: Disputed): readonly SettlementRecord[] {
  const amounts = recordedBefore(type, disputed).map(({ amount }) => amount);
  return disputed.records
    .filter(({ recordType, chargebackId }) => recordType === type && chargebackId === null)
    .filter(({ amount }) => {
      const at = amounts.indexOf(amount);
      if (at !== -1) amounts.splice(at, 1);
      return at === -1;
    });
}

/** Whether a line of this amount has a transaction to clear, beside the matched lines that wait for theirs. */
export function clearsRecorded(type: DisputeType, amount: bigint, disputed: Disputed): boolean {
  const recorded = recordedBefore(type, disputed).filter((one) => one.amount === amount);
  const waiting = disputed.records.filter((one) => one.recordType === type && one.chargebackId === null && one.amount === amount);
  return recorded.length > waiting.length;
}
