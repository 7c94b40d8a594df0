import type { Payment } from '../../payments/payment.ts';
import { stateOf } from '../commit/cells.ts';

/** The rules of balance and payment_reference in the baseline schema: the memory store refuses what the databases refuse. */

export type Sums = {
  readonly available: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly reversed: bigint;
  readonly chargedBack: bigint;
};

const isIncrement = ({ paymentType, industryPractice }: Payment): boolean =>
  paymentType === 'PA' && industryPractice === 'INCREMENTAL_AUTH';

const carriers: Readonly<Record<string, readonly string[]>> = {
  CP: ['PA'],
  RF: ['DB', 'CD', 'CP', 'RB', 'RC'],
  RV: ['PA', 'DB', 'CD', 'CP'],
  CB: ['DB', 'CP', 'RF', 'RB', 'CR'],
  CR: ['CB'],
  RB: ['DB'],
  RC: ['PA'],
};

/** Whether a payment takes from, or adds to, the one it references. */
const counts = (payment: Payment): boolean =>
  payment.referencedId !== null && stateOf(payment) !== 'declined' && (payment.paymentType in carriers || isIncrement(payment));

const parentOf = (family: readonly Payment[], { referencedId }: Payment): Payment | undefined =>
  family.find(({ id }) => id === referencedId);

/** Money is taken from, or added to, an approved payment of a fitting type only, in its family and its currency. */
function carries(family: readonly Payment[], carrier: Payment, payment: Payment): boolean {
  // The second chargeback is the last word.
  if (payment.paymentType === 'CR' && parentOf(family, carrier)?.paymentType === 'CR') return false;
  const fits = isIncrement(payment)
    ? carrier.paymentType === 'PA' && !isIncrement(carrier)
    : (carriers[payment.paymentType] ?? []).includes(carrier.paymentType);
  const { familyId, currency } = payment;
  const isApproved = stateOf(carrier) === 'approved' || isEmptyReversal(carrier, payment);
  return fits && carrier.familyId === familyId && carrier.currency === currency && isApproved;
}

/** Of a debit or a credit that was taken back before it left: there is nothing to reverse. */
const isEmptyReversal = (carrier: Payment, { paymentType, amount }: Payment): boolean =>
  paymentType === 'RV' && amount === 0n && stateOf(carrier) === 'declined' && ['DB', 'CD'].includes(carrier.paymentType);

/** The fold: what is used counts at its most, what is available at its least. What was done to an increment counts for its PA too. */
export function sumsOf(family: readonly Payment[], payment: Payment): Sums {
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  const ids = new Set([payment, ...increments].map(({ id }) => id));
  const used = family.filter(
    (other) => other.referencedId !== null && ids.has(other.referencedId) && stateOf(other) !== 'declined',
  );
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n);
  const ofType = (...types: string[]) => sum(used.filter(({ paymentType }) => types.includes(paymentType)));
  const raised = sum(increments.filter((increment) => stateOf(increment) === 'approved'));
  return {
    available: payment.amount + raised,
    captured: ofType('CP', 'RC'),
    refunded: ofType('RF'),
    reversed: ofType('RV'),
    chargedBack: chargedBackOf(family, payment),
  };
}

/** Chargebacks at their most, less their reversals at their least, and the second chargebacks; of one of these, what is below it. */
function chargedBackOf(family: readonly Payment[], payment: Payment): bigint {
  const below = (parents: readonly Payment[], types: readonly string[], states: readonly string[]) =>
    family.filter(
      (other) =>
        types.includes(other.paymentType) &&
        states.includes(stateOf(other)) &&
        parents.some(({ id }) => id === other.referencedId),
    );
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n);
  const alive = ['open', 'approved'];
  const first = below([payment], ['CB', 'CR'], alive);
  if (payment.paymentType === 'CB' || payment.paymentType === 'CR') return sum(first);
  const given = below(first, ['CR'], alive);
  return sum(first) - sum(given.filter((one) => stateOf(one) === 'approved')) + sum(below(given, ['CB'], alive));
}

const isOverdrawn = ({ available, captured, refunded, reversed, chargedBack }: Sums): boolean =>
  captured + refunded + reversed + chargedBack > available;

/** Whether a family as it would be with this payment in it is one that the database would refuse. */
export function isOverrun(family: readonly Payment[], payment: Payment): boolean {
  if (!counts(payment)) return false;
  const carrier = family.find(({ id }) => id === payment.referencedId);
  if (!carrier || (payment.revision === 1 && !carries(family, carrier, payment))) return true;
  const raised = isIncrement(carrier) || carrier.paymentType === 'CB' ? parentOf(family, carrier) : undefined;
  const charged = carrier.paymentType === 'CR' ? parentOf(family, parentOf(family, carrier) ?? carrier) : undefined;
  return [carrier, raised, charged].some((one) => one !== undefined && isOverdrawn(sumsOf(family, one)));
}
