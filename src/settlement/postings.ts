import { postingOfSettlement } from '../ledger/book.ts';
import type { Posting } from '../ledger/entry.ts';
import type { Amount } from '../money/amount.ts';
import type { Payment } from '../payments/payment.ts';
import { isFee, type SettlementRecord } from './record.ts';

/** What a line does to the books of whoever it is matched with, in the currency of its amount. */
type Booked = {
  readonly currency: string;
  /** What arrived; negative where money was taken. */
  readonly settled: Amount;
  /** What was kept of it. */
  readonly fee: Amount;
};

type Told = Pick<
  SettlementRecord,
  | 'recordType'
  | 'transactionType'
  | 'cashflow'
  | 'amount'
  | 'currency'
  | 'settledAmount'
  | 'settledCurrency'
  | 'fee'
  | 'fxRate'
  | 'status'
  | 'match'
>;

/**
 * Null: nothing. Whatever a line is about, its amount leaves the merchant's account: a refund and a chargeback have put it there with
 * the other sign by transactions of their own. What did not arrive of it was kept; a line about a fee is kept as a whole.
 */
export function bookedAmount(line: Told): Booked | null {
  const { match, status, cashflow, currency, settledCurrency } = line;
  if (match.status !== 'MATCHED' || status === 'FAILED') return null;
  const sign = cashflow === 'NEG' ? -1n : 1n;
  const isSame = currency === settledCurrency;
  const arrived = isSame ? line.settledAmount : line.amount;
  const whole = isFee(line) ? 0n : sign * line.amount;
  const fee = isFee(line) || isSame ? whole - sign * arrived : exchangedBack(line);
  const settled = whole - fee;
  return settled === 0n && fee === 0n ? null : { currency, settled, fee };
}

/** A fee is told in the currency of what arrived, where rounding hides how much is missing. */
function exchangedBack({ fee, fxRate }: Told): Amount {
  const [whole = '0', part = ''] = fxRate.split('.');
  const rate = BigInt(whole + part);
  return fee === null || rate === 0n ? 0n : (fee * 10n ** BigInt(part.length)) / rate;
}

/** How a posting of a record is numbered: odd where the record comes to say this, even where it ceases to. */
const comingAt = (revision: number): number => 2 * revision - 1;
const leavingAt = (revision: number): number => 2 * revision;

/** A record and the payment that it is matched with. */
type Bookable = { readonly record: SettlementRecord; readonly payment: Pick<Payment, 'mode'>; readonly at: number };

/** What is posted where a record is seen matched. */
export function incomingPosting({ record, payment, at }: Bookable): Posting | null {
  const booked = bookedAmount(record);
  const { id: recordId, merchantId, revision } = record;
  if (!booked || merchantId === null) return null;
  const { currency, settled, fee } = booked;
  const about = { recordId, merchantId, payment: { currency, mode: payment.mode }, at };
  return postingOfSettlement({ ...about, settled, fee, revision: comingAt(revision) });
}

/** What is posted where a record that was matched is so no longer, or otherwise: the contrary. */
export function outgoingPosting(bookable: Bookable): Posting | null {
  const came = incomingPosting(bookable);
  if (!came) return null;
  const entries = Object.fromEntries(Object.entries(came.entries).map(([account, amount]) => [account, -amount]));
  return { ...came, entries, revision: leavingAt(bookable.record.revision) };
}

/** Whether two revisions of a record do the same to the books. */
export function isBookedAlike(one: SettlementRecord, other: SettlementRecord): boolean {
  const [first, second] = [bookedAmount(one), bookedAmount(other)];
  if (!first || !second) return first === second;
  const parts = ['currency', 'settled', 'fee'] as const;
  const isSameOwner = one.merchantId === other.merchantId && one.match.paymentIds[0] === other.match.paymentIds[0];
  return isSameOwner && parts.every((part) => first[part] === second[part]);
}
