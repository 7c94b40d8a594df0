import type { Amount } from '../money/amount.ts';
import { isApproved } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { type Account, accounts, type Entries, type Posting } from './entry.ts';

/** The direction of each type that moves or authorises money: 1 towards the merchant. All other types move none. */
const DIRECTION: Readonly<Record<string, 1n | -1n>> = {
  PA: 1n,
  DB: 1n,
  CP: 1n,
  RB: 1n,
  RC: 1n,
  CR: 1n,
  CD: -1n,
  RF: -1n,
  RV: -1n,
  CB: -1n,
};

/** The types whose effect depends on the payment that they undo. */
export const undoes = ({ paymentType }: Pick<Payment, 'paymentType'>): boolean => paymentType === 'RF' || paymentType === 'RV';

/** The type of the referenced payment; null: there is none, or it does not matter. */
export type Undone = Payment['paymentType'] | null;

/** A chargeback of a refund that came back: the money is the merchant's again. */
export const isReturnedRefund = ({ paymentType, details }: Payment): boolean => paymentType === 'CB' && details.isReturn === true;

function entriesOf(all: Readonly<Record<Account, Amount>>): Entries {
  const entries: Partial<Record<Account, Amount>> = {};
  for (const account of accounts) if (all[account] !== 0n) entries[account] = all[account];
  return entries;
}

/**
 * The posting of one revision of a payment. It depends only on the payment, and for RF and RV on the type of the payment that they undo.
 * The first revision of an open payment posts its amount as in flight; the last one reverses that and books the result.
 */
export function postingOf(payment: Payment, undone: Undone): Posting | null {
  const { paymentType, amount, revision } = payment;
  const isTowardsMerchant = (undoes(payment) && undone === 'CD') || isReturnedRefund(payment);
  const direction = isTowardsMerchant ? 1n : DIRECTION[paymentType];
  if (direction === undefined || amount === 0n) return null;
  const moved = direction * amount;
  if (isOpen(payment)) return revision === 1 ? posting(payment, payment.createdAt, { shopper: moved, booked: none }) : null;
  const booked = isApproved(payment) ? bookedBy(payment, moved, undone) : none;
  if (revision === 1 && booked === none) return null;
  return posting(payment, payment.movedAt, { shopper: revision === 1 ? 0n : -moved, booked });
}

/** All postings that a payment must have. */
export function postingsOf(payment: Payment, undone: Undone): readonly Posting[] {
  const began = isOpen(payment) || payment.revision > 1 ? postingOf(firstRevisionOf(payment), undone) : null;
  const ended = isOpen(payment) ? null : postingOf(payment, undone);
  return [began, ended].filter((one) => one !== null);
}

/** The first revision of a payment that has changed since. */
const firstRevisionOf = (payment: Payment): Payment => ({
  ...payment,
  revision: 1,
  phase: { at: 'acquirer', dueAt: payment.createdAt },
});

type Booked = { readonly reserve: Amount; readonly merchant: Amount; readonly chargebacks: Amount };
const none: Booked = { reserve: 0n, merchant: 0n, chargebacks: 0n };

function bookedBy({ paymentType, amount }: Payment, moved: Amount, undone: Undone): Booked {
  switch (paymentType) {
    case 'PA':
      return { ...none, reserve: amount };
    case 'CP':
    case 'RC':
      return { ...none, reserve: -amount, merchant: amount };
    case 'RV':
      return undone === 'PA' ? { ...none, reserve: -amount } : { ...none, merchant: moved };
    case 'CB':
    case 'CR':
      return { ...none, merchant: moved, chargebacks: -moved };
    default:
      return { ...none, merchant: moved };
  }
}

type Done = { readonly shopper: Amount; readonly booked: Booked };

function posting(payment: Payment, at: number, { shopper, booked }: Done): Posting {
  const { merchantId, id, revision, currency, mode } = payment;
  const { reserve, merchant, chargebacks } = booked;
  const entries = entriesOf({
    shopper,
    reserve,
    merchant,
    chargebacks,
    contra: -shopper - reserve,
    acquirer: -merchant - chargebacks,
    fees: 0n,
  });
  return { merchantId, subjectId: id, revision, kind: 'payment', at, currency, mode, entries };
}

/** A line of a settlement about one payment, in the payment's currency. */
export type Settled = {
  /** The settlement record: the subject of the posting. */
  readonly recordId: string;
  /** Absent: it is posted once. */
  readonly revision?: number;
  readonly merchantId: string;
  readonly payment: Pick<Payment, 'currency' | 'mode'>;
  /** The settled amount; negative for debits. */
  readonly settled: Amount;
  /** The amount that the acquirer kept. */
  readonly fee: Amount;
  readonly at: number;
};

/** The posting of a settlement: the merchant is owed less, the acquirer has paid, and the rest are fees. Null: all amounts are zero. */
export function postingOfSettlement({ recordId, merchantId, payment, settled, fee, at, ...rest }: Settled): Posting | null {
  if (settled === 0n && fee === 0n) return null;
  const nothing = { shopper: 0n, reserve: 0n, contra: 0n, chargebacks: 0n };
  const entries = entriesOf({ ...nothing, merchant: -settled - fee, acquirer: settled, fees: fee });
  const { currency, mode } = payment;
  return { merchantId, subjectId: recordId, revision: rest.revision ?? 1, kind: 'settlement', at, currency, mode, entries };
}
