import type { Payment } from '../payments/payment.ts';
import { stateOf } from './rows.ts';

/** The rules of migrations/0002 and 0003 in TypeScript: the memory store refuses what the databases refuse. */

export type Sums = {
  readonly available: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly reversed: bigint;
};

const isIncrement = ({ paymentType, industryPractice }: Payment): boolean =>
  paymentType === 'PA' && industryPractice === 'INCREMENTAL_AUTH';

const carriers: Readonly<Record<string, readonly string[]>> = {
  CP: ['PA'],
  RF: ['DB', 'CD', 'CP'],
  RV: ['PA', 'DB', 'CD', 'CP'],
};

/** Whether a payment takes from, or adds to, the one it references. */
const counts = (payment: Payment): boolean =>
  payment.referencedId !== null && stateOf(payment) !== 'declined' && (payment.paymentType in carriers || isIncrement(payment));

/** Money is taken from, or added to, an approved payment of a fitting type only, in its family and its currency. */
function carries(carrier: Payment, payment: Payment): boolean {
  const fits = isIncrement(payment)
    ? carrier.paymentType === 'PA' && !isIncrement(carrier)
    : (carriers[payment.paymentType] ?? []).includes(carrier.paymentType);
  const { familyId, currency } = payment;
  return fits && carrier.familyId === familyId && carrier.currency === currency && stateOf(carrier) === 'approved';
}

/** The fold: what is used counts at its most, what is available at its least. What was done to an increment counts for its PA too. */
export function sumsOf(family: readonly Payment[], payment: Payment): Sums {
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  const ids = new Set([payment, ...increments].map(({ id }) => id));
  const used = family.filter(
    (other) => other.referencedId !== null && ids.has(other.referencedId) && stateOf(other) !== 'declined',
  );
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n);
  const ofType = (type: string) => sum(used.filter(({ paymentType }) => paymentType === type));
  const raised = sum(increments.filter((increment) => stateOf(increment) === 'approved'));
  return { available: payment.amount + raised, captured: ofType('CP'), refunded: ofType('RF'), reversed: ofType('RV') };
}

const isOverdrawn = ({ available, captured, refunded, reversed }: Sums): boolean => captured + refunded + reversed > available;

/** Whether a family as it would be with this payment in it is one that the database would refuse. */
export function isOverrun(family: readonly Payment[], payment: Payment): boolean {
  if (!counts(payment)) return false;
  const carrier = family.find(({ id }) => id === payment.referencedId);
  if (!carrier || (payment.revision === 1 && !carries(carrier, payment))) return true;
  const raised = isIncrement(carrier) ? family.find(({ id }) => id === carrier.referencedId) : undefined;
  return [carrier, raised].some((one) => one !== undefined && isOverdrawn(sumsOf(family, one)));
}
