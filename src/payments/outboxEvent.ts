import { type RegistrationType, RISK_CHECK, scheduleTypes, type TransactionType } from '../spec/paymentTypes.ts';
import type { Payment } from './payment.ts';
import type { NewOutboxEvent, World } from './ports.ts';

type Action = NonNullable<NewOutboxEvent['action']>;

const registrationTypes: ReadonlySet<TransactionType> = new Set<RegistrationType>(['RG', 'DR', 'TE', 'TK']);

/** The result code of a payment: its own when at rest, pending while a question is open. */
export const codeOf = (payment: Payment) => (payment.phase.at === 'final' ? payment.phase.code : ('000.200.000' as const));

/**
 * The outbox event of a payment after a change; null when the event would say what the one before has said. Of a payment only the result
 * code changes, so an inquiry that leaves it pending sends nothing. Registrations and schedules have events of their own.
 */
export function eventFor({ ids }: Pick<World, 'ids'>, payment: Payment, before: Payment | null): NewOutboxEvent | null {
  const { paymentType } = payment;
  const code = codeOf(payment);
  if ((before && codeOf(before) === code) || Object.hasOwn(scheduleTypes, paymentType)) return null;
  if (registrationTypes.has(paymentType)) return isUnstored(payment) ? failedRegistration({ ids }, payment) : null;
  return { id: ids.next(), type: paymentType === RISK_CHECK ? 'RISK' : 'PAYMENT', action: null, code };
}

/** A request to store details that was refused before there was anything to store. */
const isUnstored = ({ paymentType, instrument }: Payment): boolean => paymentType === 'RG' && instrument === null;

/** It has no action: nothing was created. */
const failedRegistration = ({ ids }: Pick<World, 'ids'>, payment: Payment): NewOutboxEvent => ({
  id: ids.next(),
  type: 'REGISTRATION',
  action: null,
  code: codeOf(payment),
});

/** The event of a registration that has changed with a transaction. */
export const registrationEventFor = ({ ids }: Pick<World, 'ids'>, payment: Payment, action: Action): NewOutboxEvent => ({
  id: ids.next(),
  type: 'REGISTRATION',
  action,
  code: codeOf(payment),
});

/**
 * The event of a registration after the transaction that makes it has moved. It is created when it can be used, and not before. A failure
 * is reported by the event of the payment; a transaction that only stores details has no other event than this.
 */
export function storingEventFor(world: Pick<World, 'ids'>, payment: Payment, isApproved: boolean): NewOutboxEvent | null {
  if (isApproved) return registrationEventFor(world, payment, 'CREATED');
  return payment.paymentType === 'RG' && payment.phase.at === 'final' ? failedRegistration(world, payment) : null;
}

/** The subject of the events that a transaction causes: the registration or schedule that it changes, or itself. */
export function eventSubjectOf({ paymentType, id, registrationId, familyId }: Payment): string {
  if (Object.hasOwn(scheduleTypes, paymentType)) return familyId;
  return registrationTypes.has(paymentType) ? (registrationId ?? id) : id;
}

/** The event of a schedule that a transaction creates, changes or ends. */
export const scheduleEventFor = ({ ids }: Pick<World, 'ids'>, payment: Payment): NewOutboxEvent => ({
  id: ids.next(),
  type: 'SCHEDULE',
  action: null,
  code: codeOf(payment),
});
