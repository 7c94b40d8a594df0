import type { Fault } from '../form/checked.ts';
import { fieldsMax } from '../form/limits.ts';
import { namesOf } from '../runtime/json.ts';
import { type PaymentType, paymentTypes, type TransactionType } from '../spec/paymentTypes.ts';
import { DAY_MS } from '../spec/time.ts';
import { balanceOf, isAlive, isApproved, isIncrement } from './balance.ts';
import type { Order, Refusal } from './order.ts';
import { type Family, isOpen, type Payment } from './payment.ts';
import type { Capability } from './ports.ts';
import { hasEnded } from './validity.ts';

/** The codes by which an issuer says that there was not enough money. Only after them a RESUBMISSION is allowed. */
const INSUFFICIENT_FUNDS: ReadonlySet<string> = new Set(['800.100.155', '800.100.162', '800.100.203', '000.100.203']);

type Practice = {
  readonly types: readonly TransactionType[];
  /** Whether the payment named by referenceUuid can carry it. */
  readonly suits: (original: Payment) => boolean;
};

const wasAuthorised = (original: Payment) => original.paymentType === 'PA' && isApproved(original);
const wasAccepted = (original: Payment) => ['PA', 'DB', 'CP'].includes(original.paymentType) && isApproved(original);

/** The industry practices of document 3 (`standingInstruction.industryPractice`) and what each may refer to. */
const practices: Readonly<Record<string, Practice>> = {
  INCREMENTAL_AUTH: { types: ['PA'], suits: (original) => wasAuthorised(original) && !isIncrement(original) },
  REAUTHORIZATION: { types: ['PA'], suits: wasAuthorised },
  DELAYED_CHARGES: { types: ['PA', 'DB'], suits: wasAccepted },
  NO_SHOW: { types: ['PA', 'DB'], suits: wasAccepted },
  RESUBMISSION: {
    types: ['PA', 'DB'],
    suits: ({ phase }) => phase.at === 'final' && INSUFFICIENT_FUNDS.has(phase.code),
  },
};

/** An order's reference, decided on one reading of the family: the caller commits on that version. */
export type Reference = {
  readonly family: readonly Payment[];
  readonly payment: Payment;
  readonly capability: Capability;
  readonly now: number;
};

/**
 * A capture or an increment that references an increment means the authorisation that was raised. A refund that references an
 * authorisation means its capture, where there is one alone.
 */
export function referencedIn({ payments }: Family, order: Order): Payment | null {
  const named = payments.find((payment) => payment.id === order.referencedId) ?? null;
  if (named && order.paymentType === 'RF') return refundedOf(payments, named);
  const isAboutTotal = ['CP', 'RC'].includes(order.paymentType) || order.practice === 'INCREMENTAL_AUTH';
  return named && isIncrement(named) && isAboutTotal ? (payments.find(({ id }) => id === named.referencedId) ?? named) : named;
}

/** The captures and receipts of an authorisation that count or may still count. */
export const capturesOf = (family: readonly Payment[], { id }: Payment): readonly Payment[] =>
  family.filter((other) => other.referencedId === id && ['CP', 'RC'].includes(other.paymentType) && isAlive(other));

/** The payment that a refund of this one refunds: of an authorisation its only capture, otherwise itself. */
export function refundedOf(family: readonly Payment[], payment: Payment): Payment {
  const [capture, ...others] = payment.paymentType === 'PA' ? capturesOf(family, payment) : [];
  return capture && others.length === 0 ? capture : payment;
}

/** A reference that no payment of this merchant answers to. */
export const UNKNOWN_REFERENCE: Readonly<Partial<Record<TransactionType, Refusal>>> = {
  CP: '700.400.510',
  RV: '700.400.530',
  RF: '600.200.500',
  CB: '700.400.550',
  CR: '700.400.420',
  RC: '700.400.560',
};

const UNSUITABLE: Readonly<Partial<Record<PaymentType, Refusal>>> = { CP: '700.400.510', RV: '700.400.530', RF: '700.400.520' };
const EXCEEDED = { CP: '700.400.100', RV: '700.400.300', RF: '700.400.200' } as const satisfies Partial<
  Record<PaymentType, Refusal>
>;
/** There would be enough, had the bank not taken it back. */
const AFTER_CHARGEBACK: Refusal = '700.300.600';

/**
 * All the reasons to refuse a referencing order, in a fixed order: a request with three faults always gets the same
 * code. Null: go ahead.
 */
export function refusalOfReference(order: Order, reference: Reference): Refusal | null {
  const { payment } = reference;
  if (payment.entityId !== order.entityId) return '700.400.700';
  if (payment.mode !== order.mode) return '700.100.600';
  return order.practice === null ? refusalOfFollowUp(order, reference) : refusalOfPractice(order, reference);
}

function refusalOfFollowUp(order: Order, reference: Reference): Refusal | null {
  const { payment } = reference;
  // Storing an instrument follows no payment, whatever reference is sent with it.
  if (order.paymentType === 'RG') return '700.100.700';
  const type = order.paymentType as 'CP' | 'RV' | 'RF';
  const suitable: readonly TransactionType[] = paymentTypes[type].refers;
  if (!suitable.includes(payment.paymentType)) return UNSUITABLE[type] ?? '700.100.700';
  if (isOpen(payment)) return '700.400.570';
  if (!isApproved(payment)) return type === 'CP' ? '700.400.510' : '700.300.200';
  if (order.currency !== null && order.currency !== payment.currency) return '700.100.500';
  if (order.amount !== null && order.amount <= 0n) return '100.550.300';
  if (wasFinished(reference, type)) return '700.300.300';
  return { CP: refusalOfCapture, RV: refusalOfReversal, RF: refusalOfRefund }[type](order, reference);
}

/** An earlier payment of the same type was sent with `sequence=FINAL`: the merchant allows no further one. */
function wasFinished({ family, payment }: Reference, type: TransactionType): boolean {
  return family.some(
    (other) => other.referencedId === payment.id && other.paymentType === type && other.isLast && isAlive(other),
  );
}

/** The validity of an authorisation has ended, or the rest of it was released. Of an increment that of the one it raised counts too. */
function isOver({ family, payment, now }: Reference): boolean {
  const raised = isIncrement(payment) ? family.find(({ id }) => id === payment.referencedId) : undefined;
  return hasEnded(family, raised ?? payment, now);
}

function refusalOfCapture(order: Order, reference: Reference): Refusal | null {
  const { family, payment, capability } = reference;
  if (isOver(reference)) return '700.300.400';
  const { available, captured, reversed, captures } = balanceOf(family, payment);
  const amount = order.amount ?? 0n;
  if (captures >= (payment.numberOfCaptures ?? Number.POSITIVE_INFINITY)) return '700.400.102';
  if (captured.most + reversed.most + amount > available.least) return EXCEEDED.CP;
  if (captures >= 1 && !capability.multipleCaptures) return EXCEEDED.CP;
  if (!capability.partialCapture && amount !== available.least) return '700.400.101';
  return null;
}

function refusalOfRefund(order: Order, { family, payment }: Reference): Refusal | null {
  const { refunded, reversed, chargedBack } = balanceOf(family, payment);
  const wanted = refunded.most + (order.amount ?? 0n);
  if (reversed.most > 0n || wanted > payment.amount) return EXCEEDED.RF;
  return wanted + chargedBack.most > payment.amount ? AFTER_CHARGEBACK : null;
}

function refusalOfReversal(order: Order, reference: Reference): Refusal | null {
  const { payment, capability, now } = reference;
  if (payment.paymentType === 'PA' && isOver(reference)) return '700.300.700';
  if (balanceOf(reference.family, payment).chargedBack.most > 0n) return AFTER_CHARGEBACK;
  const rest = reversible(reference);
  if (rest <= 0n || (order.amount ?? rest) > rest) return EXCEEDED.RV;
  if (payment.paymentType !== 'PA' && (order.amount ?? rest) !== rest) return EXCEEDED.RV;
  if (!capability.reversal) return '700.300.700';
  return payment.paymentType === 'PA' || now < reversibleUntil(payment, capability.reversal) ? null : '700.300.700';
}

/** A payment that was taken back before it left is reversed once, and whole. */
export function refusalOfWithdrawal(order: Order, family: readonly Payment[], payment: Payment): Refusal | null {
  if (payment.entityId !== order.entityId) return '700.400.700';
  if (payment.mode !== order.mode) return '700.100.600';
  if (order.currency !== null && order.currency !== payment.currency) return '700.100.500';
  const isReversed = family.some((one) => one.referencedId === payment.id && one.paymentType === 'RV' && isAlive(one));
  return isReversed || (order.amount !== null && order.amount !== payment.amount) ? EXCEEDED.RV : null;
}

/**
 * The amount of a reversal that names none: the uncaptured rest of a PA; all of any other payment, but only while nothing was paid back.
 */
export function reversible({ family, payment }: Pick<Reference, 'family' | 'payment'>): bigint {
  const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
  if (payment.paymentType === 'PA') {
    const rest = available.least - captured.most - reversed.most;
    const raised = isIncrement(payment) ? family.find(({ id }) => id === payment.referencedId) : undefined;
    // Captures draw on the total: of an increment no more can be taken back than is left of what it raised.
    const restOfTotal = raised ? reversible({ family, payment: raised }) : rest;
    return restOfTotal < rest ? restOfTotal : rest;
  }
  return refunded.most + reversed.most + chargedBack.most > 0n ? 0n : payment.amount;
}

/** The first cut-off after a payment that is no PA, moved on by the days the connector grants its type. */
export function reversibleUntil(payment: Payment, { until, daysLater }: NonNullable<Capability['reversal']>): number {
  const [hours, minutes] = until.split(':').map(Number);
  const midnight = payment.createdAt - (payment.createdAt % DAY_MS);
  const cutOff = midnight + ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
  const first = cutOff > payment.createdAt ? cutOff : cutOff + DAY_MS;
  const days = payment.paymentType === 'PA' ? undefined : daysLater[payment.paymentType];
  return days === undefined ? 0 : first + days * DAY_MS;
}

function refusalOfPractice(order: Order, reference: Reference): Refusal | null {
  const original = reference.payment;
  const practice = practices[order.practice ?? ''];
  if (!practice?.types.includes(order.paymentType)) return '700.100.700';
  if (isOpen(original)) return '700.400.570';
  if (!practice.suits(original)) return '700.100.700';
  if (order.currency !== original.currency) return '700.100.500';
  if (order.practice !== 'INCREMENTAL_AUTH') return null;
  if (isOver(reference)) return '700.300.400';
  // There is nothing left to raise once the authorisation was given up or the last capture made.
  return wasFinished(reference, 'CP') || balanceOf(reference.family, original).reversed.most > 0n ? '700.300.300' : null;
}

/** Every request about one payment of a family reads all of them, so their number is bounded. Refused requests count too. */
export const FAMILY_PAYMENTS_MAX = 1_000;
/** A request with fewer fields is taken however many its family has: a refund must not fail because of the carts of captures. */
export const FEW_FIELDS = 200;

const countFields = (fields: Order['fields']): number => namesOf(fields).length;

/** The reason why a family takes no further request of this length; null: it does. Records of a bank are always kept. */
export function familyFault({ payments: [, ...followUps] }: Family, { referencedId, fields }: Order): Fault | null {
  const fault = (message: string): Fault => ({ name: 'referenceUuid', value: referencedId, message });
  if (followUps.length + 1 >= FAMILY_PAYMENTS_MAX)
    return fault(
      `must not be referenced any more: it has ${followUps.length} transactions, and at most ${FAMILY_PAYMENTS_MAX - 1} are kept`,
    );
  const count = countFields(fields);
  if (count <= FEW_FIELDS) return null;
  const sum = followUps.reduce((total, payment) => total + countFields(payment.fields), count);
  if (sum <= fieldsMax) return null;
  const most = `at most ${fieldsMax} parameters are kept of all transactions that reference a payment`;
  return fault(`must not be referenced with ${count} parameters: ${most}, and these would be ${sum}. Send fewer items`);
}
