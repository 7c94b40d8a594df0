import type { Amount } from '../money/amount.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import { tookPlace } from '../spec/resultCodes/accepted.ts';
import { isOpen, type Payment } from './payment.ts';

/** `least` counts certain amounts, `most` also amounts that may still be approved. */
export type Range = { readonly least: Amount; readonly most: Amount };

/** The state of one payment's money. Usage is counted pessimistically (`most`), availability conservatively (`least`). */
export type Balance = {
  /** For a PA what may be captured, increments included; for the others the amount itself. */
  readonly available: Range;
  /** Captures, and receipts of money that came without one. */
  readonly captured: Range;
  readonly refunded: Range;
  readonly reversed: Range;
  /** The sum that banks took back and have not given back; of a chargeback or its reversal, the sum taken of it in turn. */
  readonly chargedBack: Range;
  readonly captures: number;
};

/** Approved by the acquirer, for real: a refused or open payment is not. */
export function isApproved(payment: Payment): boolean {
  return payment.phase.at === 'final' && tookPlace(payment.phase.code);
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

const NOTHING: Range = { least: 0n, most: 0n };
/** Of a payment that no other references. */
const UNTOUCHED = { captured: NOTHING, refunded: NOTHING, reversed: NOTHING, chargedBack: NOTHING, captures: 0 };

/** The fold over a family: nothing is ever updated, so the balance is what the payments that reference this one add up to. */
export function balanceOf(family: readonly Payment[], payment: Payment): Balance {
  if (family.length === 1 && family[0] === payment) return { ...UNTOUCHED, available: range(family) };
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  // A transaction on an increment counts for the authorisation that it raised too.
  const ids = new Set([payment.id, ...increments.map(({ id }) => id)]);
  const children = family.filter(({ referencedId }) => referencedId !== null && ids.has(referencedId));
  const ofType = (...types: TransactionType[]) => children.filter((other) => types.includes(other.paymentType));
  return {
    available: range([payment, ...increments]),
    captured: range(ofType('CP', 'RC')),
    refunded: range(ofType('RF')),
    reversed: range(ofType('RV')),
    chargedBack: chargedBackOf(family, payment),
    captures: ofType('CP').filter(isAlive).length,
  };
}

/**
 * A chargeback, its reversal and the second chargeback after it stand below each other, and no deeper. Money given back counts at its
 * least, so that the remaining amount is never too much.
 */
function chargedBackOf(family: readonly Payment[], payment: Payment): Range {
  const below = (parents: readonly Payment[], type: TransactionType) => {
    const ids = new Set(parents.map(({ id }) => id));
    return family.filter((other) => other.paymentType === type && other.referencedId !== null && ids.has(other.referencedId));
  };
  if (payment.paymentType === 'CB') return range(below([payment], 'CR'));
  const first = below([payment], 'CB');
  if (first.length === 0 || payment.paymentType === 'CR') return range(first);
  const given = below(first, 'CR');
  const [taken, back, again] = [range(first), range(given), range(below(given, 'CB'))];
  return { least: taken.least - back.most + again.least, most: taken.most - back.least + again.most };
}
