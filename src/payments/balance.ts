import type { Amount } from '../money/amount.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import { resultCodes } from '../spec/resultCodes.ts';
import { isOpen, type Payment } from './payment.ts';

/** `least` counts what is certain, `most` also what may still be approved. */
export type Range = { readonly least: Amount; readonly most: Amount };

/** What has become of one payment's money. What is used counts at its most, what is available at its least. */
export type Balance = {
  /** For a PA what may be captured, increments included; for the others the amount itself. */
  readonly available: Range;
  readonly captured: Range;
  readonly refunded: Range;
  readonly reversed: Range;
  readonly captures: number;
};

/** Approved by the acquirer, for real: a refused or open payment is not. */
export function isApproved(payment: Payment): boolean {
  return payment.phase.at === 'final' && resultCodes[payment.phase.code].means === 'approved';
}

export const isIncrement = (payment: Payment): boolean => payment.industryPractice === 'INCREMENTAL_AUTH';

/** May still count, or counts already. */
export const isAlive = (payment: Payment): boolean => isOpen(payment) || isApproved(payment);

function range(payments: readonly Payment[]): Range {
  let least = 0n;
  let open = 0n;
  for (const payment of payments) {
    if (isApproved(payment)) least += payment.amount;
    else if (isOpen(payment)) open += payment.amount;
  }
  return { least, most: least + open };
}

/** The fold over a family: nothing is ever updated, so the balance is what the payments that reference this one add up to. */
export function balanceOf(family: readonly Payment[], payment: Payment): Balance {
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  // What is done to an increment is done to the authorisation that it raised too.
  const ids = new Set([payment.id, ...increments.map(({ id }) => id)]);
  const children = family.filter(({ referencedId }) => referencedId !== null && ids.has(referencedId));
  const ofType = (type: PaymentType) => children.filter((other) => other.paymentType === type);
  return {
    available: range([payment, ...increments]),
    captured: range(ofType('CP')),
    refunded: range(ofType('RF')),
    reversed: range(ofType('RV')),
    captures: ofType('CP').filter(isAlive).length,
  };
}
