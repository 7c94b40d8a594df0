import { type Amount, amountText } from '../money/amount.ts';
import type { CustomerTotal } from '../spec/answers/stored.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import { balanceOf, isAlive, isApproved } from './balance.ts';
import { remainingFor } from './followUp.ts';
import type { Payment } from './payment.ts';
import { capturesOf } from './refusal.ts';

/** The sums of a payment in the answer to a read. Names of the API, in the order of the answer. */
type Sums = {
  readonly capturedAmount: string;
  readonly refundedAmount: string;
  readonly reversedAmount: string;
  readonly disputedAmount: string;
  readonly remainingAmount: string;
};

const summedTypes: readonly TransactionType[] = ['PA', 'DB', 'CD', 'CP', 'RB', 'RC'];

const total = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * The sums of an approved payment from its family; null for a transaction that has none. They count what is certain; `remainingAmount` also
 * leaves out what may still be approved, so that a capture or refund of it is never too much.
 */
export function sumsOf(payment: Payment, family: readonly Payment[]): Sums | null {
  if (!summedTypes.includes(payment.paymentType) || !isApproved(payment)) return null;
  const isAuthorisation = payment.paymentType === 'PA';
  const own = balanceOf(family, payment);
  const captures = isAuthorisation ? capturesOf(family, payment).filter(isApproved) : [];
  const parts = isAuthorisation ? captures.map((capture) => balanceOf(family, capture)) : [own];
  const next = isAuthorisation ? 'CP' : 'RF';
  return {
    capturedAmount: amountText(isAuthorisation ? own.captured.least : payment.amount),
    refundedAmount: amountText(total(parts.map(({ refunded }) => refunded.least))),
    reversedAmount: amountText(own.reversed.least + total(captures.map((capture) => balanceOf(family, capture).reversed.least))),
    disputedAmount: amountText(total(parts.map(({ chargedBack }) => chargedBack.least))),
    remainingAmount: amountText(isFinished(payment, family, next) ? 0n : remainingFor(next, family, payment)),
  };
}

/** The merchant has sent the last one (`sequence=FINAL`), or as many captures as the authorisation allows. */
function isFinished({ id, numberOfCaptures }: Payment, family: readonly Payment[], type: 'CP' | 'RF'): boolean {
  const sent = family.filter((other) => other.referencedId === id && other.paymentType === type && isAlive(other));
  return sent.some(({ isLast }) => isLast) || (type === 'CP' && numberOfCaptures !== null && sent.length >= numberOfCaptures);
}

/** Transactions that bring money in. An authorisation does so by its captures. */
const received: readonly TransactionType[] = ['DB', 'CP', 'RB', 'RC'];

type CurrencySums = { payments: number; paid: Amount; refunded: Amount; disputed: Amount; credited: Amount };

/** Approved amounts of whole families, by currency: paid by a customer, and refunded. A refund that came back was not received. */
export function customerTotals(families: readonly (readonly Payment[])[]): readonly CustomerTotal[] {
  const sums = new Map<string, CurrencySums>();
  const sumFor = (currency: string): CurrencySums => {
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
