import type { Payment } from '../../payments/payment.ts';
import type { Commit, NewOutboxEvent } from '../../payments/ports.ts';
import type { Schedule } from '../../payments/schedule.ts';
import type { Registration } from '../../registrations/registration.ts';
import { join, type StoredEvent, type Tables } from './tables.ts';

/** Outbox events in memory. */

const paymentEvent = ({ merchantId, id, revision, entityId }: Payment, event: NewOutboxEvent): StoredEvent => ({
  ...event,
  merchantId,
  entityId,
  subjectId: id,
  revision,
  about: 'payment',
  transactionId: null,
});

const registrationEvent = (
  { merchantId, id, revision, entityId }: Registration,
  event: NewOutboxEvent,
  transactionId: string,
): StoredEvent => ({ ...event, merchantId, entityId, subjectId: id, revision, about: 'registration', transactionId });

/** The transaction is the one that changes the schedule; outside of a commit it is the one that set the terms. */
export const scheduleEvent = (
  { merchantId, id, revision, entityId, transactionId }: Schedule,
  event: NewOutboxEvent,
  payment: Pick<Payment, 'id' | 'entityId'> = { id: transactionId, entityId },
): StoredEvent => ({
  ...event,
  merchantId,
  entityId: payment.entityId,
  subjectId: id,
  revision,
  about: 'schedule',
  transactionId: payment.id,
});

/** The events of a commit, with the instant of each. */
export function eventsOf({ payment, event, registration, schedule }: Commit): readonly (readonly [StoredEvent, number])[] {
  const { id, movedAt } = payment;
  return [
    ...(event ? [[paymentEvent(payment, event), movedAt] as const] : []),
    ...(registration?.event
      ? [[registrationEvent(registration.registration, registration.event, id), registration.registration.movedAt] as const]
      : []),
    ...(schedule?.event ? [[scheduleEvent(schedule.schedule, schedule.event, payment), movedAt] as const] : []),
  ];
}

/** A payment and a schedule with the same id are one subject: the transaction that makes a schedule has no event of its own. */
const changeOf = ({ merchantId, subjectId, revision, about }: StoredEvent): string =>
  join(about === 'registration' ? about : 'payment', merchantId, subjectId, String(revision));

export const isPosted = (tables: Tables, event: StoredEvent): boolean =>
  tables.outbox.has(join(event.merchantId, event.id)) || tables.changes.has(changeOf(event));

export function writeEvent(tables: Tables, event: StoredEvent, createdAt: number): void {
  const { merchantId, id, entityId, subjectId, revision, type, action, code, transactionId, detail = null } = event;
  tables.outbox.set(join(merchantId, id), event);
  tables.changes.add(changeOf(event));
  tables.fresh.set(join(merchantId, id), {
    merchantId,
    id,
    entityId,
    subjectId,
    revision,
    type,
    action,
    code,
    transactionId,
    detail,
    createdAt,
  });
}
