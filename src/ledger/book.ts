import type { Amount } from '../money/amount.ts';
import { isApproved } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { type Account, accounts, type Entries, type Posting } from './entry.ts';

/** The accounts that a type changes by its amount, with their signs. `contra` and `acquirer` balance them. */
type Booking = { readonly shopper: Sign } & Readonly<Partial<Record<'reserve' | 'merchant' | 'chargebacks', Sign>>>;
type Sign = 1n | -1n;

/**
 * One row for each type that authorises or moves money; all other types move none. `shopper` is the direction while it is in flight: 1
 * towards the merchant. A type whose effect depends on what it undoes has a row for each kind of payment that makes a difference.
 */
const bookings: Readonly<Record<string, Booking>> = {
  PA: { shopper: 1n, reserve: 1n },
  DB: { shopper: 1n, merchant: 1n },
  CP: { shopper: 1n, merchant: 1n, reserve: -1n },
  RB: { shopper: 1n, merchant: 1n },
  RC: { shopper: 1n, merchant: 1n, reserve: -1n },
  CD: { shopper: -1n, merchant: -1n },
  // A refund credits the shopper, also the refund of a credit (decisions/0092).
  RF: { shopper: -1n, merchant: -1n },
  RV: { shopper: -1n, merchant: -1n },
  'RV of PA': { shopper: -1n, reserve: -1n },
  'RV of CD': { shopper: 1n, merchant: 1n },
  CB: { shopper: -1n, merchant: -1n, chargebacks: 1n },
  // A refund that came back: the money is the merchant's again.
  'CB of RF': { shopper: 1n, merchant: 1n, chargebacks: -1n },
  CR: { shopper: 1n, merchant: 1n, chargebacks: -1n },
  'CR of RF': { shopper: -1n, merchant: -1n, chargebacks: 1n },
};

const bookingOf = ({ paymentType }: Payment, undone: Undone): Booking | undefined =>
  (undone === null ? undefined : bookings[`${paymentType} of ${undone}`]) ?? bookings[paymentType];

/**
 * The type of the payment that this one undoes; null: there is none, or it does not matter. Of a chargeback and of its reversal it is the
 * payment at which the chargebacks began.
 */
export type Undone = Payment['paymentType'] | null;

type Referring = Pick<Payment, 'paymentType' | 'referencedId'>;

/** Whether the entries of a payment depend on what it undoes. */
export const undoes = ({ paymentType }: Pick<Payment, 'paymentType'>): boolean => paymentType === 'RV' || isDispute(paymentType);

const isDispute = (paymentType: Payment['paymentType']): boolean => paymentType === 'CB' || paymentType === 'CR';

/** The undone type, from the payments above this one. They never change: they may be read at any time. */
export async function findUndone(payment: Referring, find: (id: string) => Promise<Referring | null>): Promise<Undone> {
  const above = undoes(payment) && payment.referencedId !== null ? await find(payment.referencedId) : null;
  return above !== null && isDispute(above.paymentType) ? findUndone(above, find) : (above?.paymentType ?? null);
}

/** The undone type, where all payments of the family are at hand. */
export function undoneIn(payment: Referring, find: (id: string) => Referring | undefined): Undone {
  const above = undoes(payment) && payment.referencedId !== null ? find(payment.referencedId) : undefined;
  return above && isDispute(above.paymentType) ? undoneIn(above, find) : (above?.paymentType ?? null);
}

function entriesOf(all: Readonly<Record<Account, Amount>>): Entries {
  const entries: Partial<Record<Account, Amount>> = {};
  for (const account of accounts) if (all[account] !== 0n) entries[account] = all[account];
  return entries;
}

/**
 * The posting of one revision of a payment. It depends only on the payment and on the type of what it undoes. The first revision of an open
 * payment posts its amount as in flight; the last one reverses that and books the result.
 */
export function postingOf(payment: Payment, undone: Undone): Posting | null {
  const { amount, revision } = payment;
  const booking = bookingOf(payment, undone);
  if (booking === undefined || amount === 0n) return null;
  const moved = booking.shopper * amount;
  if (isOpen(payment)) return revision === 1 ? posting(payment, payment.createdAt, { shopper: moved, booked: none }) : null;
  const booked = isApproved(payment) ? bookedBy(booking, amount) : none;
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

const bookedBy = (
  { reserve = 0n, merchant = 0n, chargebacks = 0n }: Partial<Record<keyof Booked, bigint>>,
  amount: Amount,
): Booked => ({
  reserve: reserve * amount,
  merchant: merchant * amount,
  chargebacks: chargebacks * amount,
});

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
