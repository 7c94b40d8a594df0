import type { Amount } from '../money/amount.ts';
import { balanceOf, isApproved, isIncrement } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { postingsOf } from './book.ts';

/** What a family's money has come to: what may still be captured, what the merchant is owed, what banks took back. */
export type FamilyMoney = { readonly reserve: Amount; readonly merchant: Amount; readonly chargebacks: Amount };

/** The same from the two sides: by the fold over the family, from which every refusal is decided, and by what is posted. */
export function moneyByFold(family: readonly Payment[]): FamilyMoney {
  let [reserve, merchant, chargebacks] = [0n, 0n, 0n];
  for (const payment of family) {
    if (!isApproved(payment)) continue;
    const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
    const undone = refunded.least + reversed.least;
    switch (payment.paymentType) {
      case 'PA':
        // An increment counts with the authorisation that it raised.
        if (isIncrement(payment) && payment.referencedId !== null) break;
        reserve += available.least - captured.least - reversed.least;
        break;
      case 'DB':
      case 'CP':
      case 'RB':
      case 'RC':
        merchant += payment.amount - undone - chargedBack.least;
        chargebacks += chargedBack.least;
        break;
      case 'CD':
        merchant -= payment.amount - undone;
        break;
      case 'RF':
        // The refund itself is counted where it was taken from; a chargeback of it is not.
        merchant -= chargedBack.least;
        chargebacks += chargedBack.least;
        break;
      default:
    }
  }
  return { reserve, merchant, chargebacks };
}

/** By what is posted for its payments. */
export function moneyByPostings(family: readonly Payment[]): FamilyMoney {
  const types = new Map(family.map(({ id, paymentType }) => [id, paymentType]));
  let [reserve, merchant, chargebacks] = [0n, 0n, 0n];
  for (const payment of family) {
    for (const { entries } of postingsOf(payment, types.get(payment.referencedId ?? '') ?? null)) {
      reserve += entries.reserve ?? 0n;
      merchant += entries.merchant ?? 0n;
      chargebacks += entries.chargebacks ?? 0n;
    }
  }
  return { reserve, merchant, chargebacks };
}

/** Whether a bank's record is still open; then the fold counts it at its least and cannot be compared. */
export const isComparable = (family: readonly Payment[]): boolean =>
  !family.some((payment) => isOpen(payment) && (payment.paymentType === 'CB' || payment.paymentType === 'CR'));
