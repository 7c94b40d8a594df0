import type { Channel } from '../../merchants/channel.ts';
import { isRecorded, type RecordedType, recordedTypes, type TransactionType } from '../../spec/paymentTypes.ts';
import { type FinalCode, isChargebackReason } from '../../spec/resultCodes.ts';
import { balanceOf, isApproved } from '../balance.ts';
import { SUCCESS } from '../lifecycle.ts';
import type { Order, Refusal } from '../order.ts';
import { isOpen, type Payment } from '../payment.ts';
import { type Reference, UNKNOWN_REFERENCE } from '../refusal.ts';

/** Acts of a bank: they cannot be declined, only recorded, within the remaining amount of the payment. */

/** An order to record it. */
export type RecordOrder = Pick<Order, 'entityId' | 'mode' | 'amount' | 'currency' | 'fields'> & {
  readonly paymentType: RecordedType;
};

export const isRecordedOrder = (order: Order): order is Order & RecordOrder => isRecorded(order.paymentType);

/** The parameter with the reason of a chargeback. */
export const REASON = 'chargebackResultCode';

type RecordContext = { readonly family: readonly Payment[] | undefined; readonly referenced: Payment | null };
type RecordDecision = { readonly amount: bigint; readonly refusal: Refusal | null };

/** The decision for a record that the merchant sends himself. */
export function decideRecord(
  order: RecordOrder,
  { recordsByApi }: Pick<Channel, 'recordsByApi'>,
  known: RecordContext,
): RecordDecision {
  const { family, referenced } = known;
  const refuse = (refusal: Refusal): RecordDecision => ({ amount: order.amount ?? 0n, refusal });
  if (!(recordsByApi ?? order.mode !== 'LIVE')) return refuse(NOT_BY_API[order.paymentType]);
  if (!family || !referenced) return refuse(UNKNOWN_REFERENCE[order.paymentType] ?? '700.100.100');
  const reference = { family, payment: referenced };
  const refusal = refusalOfRecord(order, reference);
  return refusal === null ? { amount: order.amount ?? recordable(order.paymentType, reference), refusal } : refuse(refusal);
}

/** The refusal of a merchant who may not record by the API comes before all others. */
const NOT_BY_API: Readonly<Record<RecordedType, Refusal>> = {
  CB: '700.400.402',
  CR: '700.400.402',
  RB: '600.200.202',
  RC: '700.400.562',
};

/** The remaining amount of the payment for this type; a rebill is money of its own and takes from nothing. */
export function recordable(type: RecordedType, { family, payment }: Pick<Reference, 'family' | 'payment'>): bigint {
  const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
  if (type === 'RB') return payment.amount;
  if (type === 'RC') return available.least - captured.most - reversed.most;
  const own = payment.amount - refunded.most - reversed.most - chargedBack.most;
  const below = type === 'CB' && payment.paymentType === 'CR' ? disputedPayment(family, payment) : null;
  if (below === null) return own;
  // The second chargeback takes from the payment itself once more: something may have been paid back in between.
  const rest = recordable('CB', { family, payment: below });
  return rest < own ? rest : own;
}

/** The payment at which a chain of chargebacks began. */
export function disputedPayment(family: readonly Payment[], payment: Payment): Payment | null {
  const above = family.find(({ id }) => id === payment.referencedId) ?? null;
  return above && (above.paymentType === 'CB' || above.paymentType === 'CR') ? disputedPayment(family, above) : above;
}

const EXCEEDED: Readonly<Record<Exclude<RecordedType, 'RB'>, Refusal>> = {
  CB: '700.400.400',
  CR: '700.400.410',
  RC: '700.400.100',
};

/** The first refusal, in the fixed order of refusals. Null: it is recorded. */
export function refusalOfRecord(order: RecordOrder, { family, payment }: Pick<Reference, 'family' | 'payment'>): Refusal | null {
  const { paymentType: type, amount, currency } = order;
  if (payment.entityId !== order.entityId) return '700.400.700';
  if (payment.mode !== order.mode) return '700.100.600';
  const suitable: readonly TransactionType[] = recordedTypes[type].refers;
  if (!suitable.includes(payment.paymentType)) return UNKNOWN_REFERENCE[type] ?? '700.100.700';
  if (isOpen(payment)) return '700.400.570';
  if (!isApproved(payment)) return '700.300.200';
  if (currency !== null && currency !== payment.currency) return '700.100.500';
  if (amount !== null && amount <= 0n) return '100.550.300';
  // A refund that came back stays with the merchant: no bank took it from them.
  if (type === 'CR' && disputedPayment(family, payment)?.paymentType === 'RF') return UNKNOWN_REFERENCE.CR ?? null;
  // A second chargeback is the bank's last word.
  if (type === 'CR' && isSecond(family, payment)) return '700.400.411';
  const rest = recordable(type, { family, payment });
  if (type === 'RB') return null;
  return rest <= 0n || (amount ?? rest) > rest ? EXCEEDED[type] : null;
}

const isSecond = (family: readonly Payment[], { referencedId }: Payment): boolean =>
  family.some(({ id, paymentType }) => id === referencedId && paymentType === 'CR');

/** The reason of a chargeback is its result; one that the catalogue does not know is kept with it: see `receivedReason`. */
export function recordedCode({ paymentType, mode, fields }: RecordOrder): FinalCode {
  if (paymentType !== 'CB') return SUCCESS[mode];
  const reason = fields[REASON];
  return reason !== undefined && isChargebackReason(reason) ? reason : '000.100.200';
}

/** The reason of a chargeback as the acquirer sent it, where the catalogue does not have it; null otherwise. */
export function receivedReason({ paymentType, phase, fields }: Payment): string | null {
  const reason = paymentType === 'CB' && phase.at === 'final' && phase.code === '000.100.200' ? fields[REASON] : undefined;
  return reason === undefined || isChargebackReason(reason) ? null : reason;
}
