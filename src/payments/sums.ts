import { type Amount, amountText } from '../money/amount.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import { balanceOf, isAlive, isApproved } from './balance.ts';
import { remainingFor } from './followUp.ts';
import type { Payment } from './payment.ts';
import { capturesOf } from './refusal.ts';

/** What a payment read back says about its money. Names of the API, in the order of the answer. */
export type Sums = {
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
