import { type Amount, amountText } from '../money/amount.ts';
import type { CustomerTotal } from '../spec/answers/stored.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import { balanceOf, isApproved } from './balance.ts';
import type { Payment } from './payment.ts';

/** Transactions that bring money in. An authorisation does so by its captures. */
const received: readonly TransactionType[] = ['DB', 'CP', 'RB', 'RC'];

type Sums = { payments: number; paid: Amount; refunded: Amount; disputed: Amount; credited: Amount };

/** Approved amounts of whole families, by currency: paid by a customer, and refunded. A refund that came back was not received. */
export function customerTotals(families: readonly (readonly Payment[])[]): readonly CustomerTotal[] {
  const sums = new Map<string, Sums>();
  const sumFor = (currency: string): Sums => {
    const known = sums.get(currency) ?? { payments: 0, paid: 0n, refunded: 0n, disputed: 0n, credited: 0n };
    sums.set(currency, known);
    return known;
  };
  for (const family of families) {
    for (const payment of family.filter(isApproved)) {
      if (payment.paymentType === 'RF') sumFor(payment.currency).refunded -= balanceOf(family, payment).chargedBack.least;
      const isCredit = payment.paymentType === 'CD';
      if (!isCredit && !received.includes(payment.paymentType)) continue;
      const sum = sumFor(payment.currency);
      const { reversed, refunded, chargedBack } = balanceOf(family, payment);
      const kept = payment.amount - reversed.least;
      sum.payments += 1;
      if (isCredit) sum.credited += kept;
      else sum.paid += kept;
      sum.refunded += refunded.least;
      sum.disputed += chargedBack.least;
    }
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { payments, paid, refunded, disputed, credited }]) => ({
      currency,
      payments,
      paid: amountText(paid),
      refunded: amountText(refunded),
      disputed: amountText(disputed),
      credited: amountText(credited),
    }));
}
