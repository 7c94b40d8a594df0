import { postingOfSettlement } from '../ledger/book.ts';
import type { Posting } from '../ledger/entry.ts';
import type { Amount } from '../money/amount.ts';
import type { Payment } from '../payments/payment.ts';
import { isFee, type SettlementRecord } from './record.ts';

/** The ledger amounts of a matched line, in the currency of its amount. */
type Booked = {
  readonly currency: string;
  /** The settled amount; negative for debits. */
  readonly settled: Amount;
  /** The amount that the acquirer kept. */
  readonly fee: Amount;
};

type BookableLine = Pick<
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
 * Null: no posting. Any line reduces the merchant's account by its amount: refunds and chargebacks have changed it before, by
 * transactions of their own. The part that did not arrive was kept as a fee; a fee line is kept as a whole.
 */
export function bookedAmount(line: BookableLine): Booked | null {
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

/** The fee is stated in the settlement currency, where rounding hides the exact difference. */
function exchangedBack({ fee, fxRate }: BookableLine): Amount {
  const [whole = '0', part = ''] = fxRate.split('.');
  const rate = BigInt(whole + part);
  return fee === null || rate === 0n ? 0n : (fee * 10n ** BigInt(part.length)) / rate;
}

/** Posting numbers of a record's revision: odd for its posting, even for the reversal. */
const postingNumber = (revision: number): number => 2 * revision - 1;
const reversalNumber = (revision: number): number => 2 * revision;

/** A record and the payment that it is matched with. */
type Bookable = { readonly record: SettlementRecord; readonly payment: Pick<Payment, 'mode'>; readonly at: number };

/** The posting of a matched record. */
export function incomingPosting({ record, payment, at }: Bookable): Posting | null {
  const booked = bookedAmount(record);
  const { id: recordId, merchantId, revision } = record;
  if (!booked || merchantId === null) return null;
  const { currency, settled, fee } = booked;
  const about = { recordId, merchantId, payment: { currency, mode: payment.mode }, at };
  return postingOfSettlement({ ...about, settled, fee, revision: postingNumber(revision) });
}

/** The reversal of that posting, for a record whose match has changed. */
export function outgoingPosting(bookable: Bookable): Posting | null {
  const posted = incomingPosting(bookable);
  if (!posted) return null;
  const entries = Object.fromEntries(Object.entries(posted.entries).map(([account, amount]) => [account, -amount]));
  return { ...posted, entries, revision: reversalNumber(bookable.record.revision) };
}

/** Whether two revisions of a record have the same posting. */
export function isBookedAlike(one: SettlementRecord, other: SettlementRecord): boolean {
  const [first, second] = [bookedAmount(one), bookedAmount(other)];
  if (!first || !second) return first === second;
  const parts = ['currency', 'settled', 'fee'] as const;
  const isSameOwner = one.merchantId === other.merchantId && one.match.paymentIds[0] === other.match.paymentIds[0];
  return isSameOwner && parts.every((part) => first[part] === second[part]);
}
