import { type RegistrationType, RISK_CHECK, scheduleTypes, type TransactionType } from '../spec/paymentTypes.ts';
import type { Payment } from './payment.ts';
import type { NewOutboxEvent, World } from './ports.ts';

type Action = NonNullable<NewOutboxEvent['action']>;

/** The action of an event about a registration. */
const actions: Readonly<Record<Exclude<RegistrationType, 'RG'>, Action>> = { DR: 'DELETED', TE: 'UPDATED', TK: 'UPDATED' };
const isRegistrationType = (type: TransactionType): type is RegistrationType => type === 'RG' || Object.hasOwn(actions, type);

/** The result code of a payment: its own when at rest, pending while a question is open. */
export const codeOf = (payment: Payment) => (payment.phase.at === 'final' ? payment.phase.code : ('000.200.000' as const));

/** The outbox event of a payment in its current state. */
export function eventFor({ ids }: World, payment: Payment): NewOutboxEvent {
  const { paymentType, revision } = payment;
  const [id, code] = [ids.next(), codeOf(payment)];
  if (paymentType === RISK_CHECK) return { id, type: 'RISK', action: null, code };
  if (Object.hasOwn(scheduleTypes, paymentType)) return { id, type: 'SCHEDULE', action: null, code };
  if (!isRegistrationType(paymentType)) return { id, type: 'PAYMENT', action: null, code };
  const action = paymentType === 'RG' ? (revision === 1 ? 'CREATED' : 'UPDATED') : actions[paymentType];
  return { id, type: 'REGISTRATION', action, code };
}

/** The event of a registration that changed with a payment; null where the transaction's own event reports it. */
export function registrationEventFor({ ids }: World, payment: Payment, action: Action): NewOutboxEvent | null {
  if (isRegistrationType(payment.paymentType)) return null;
  return { id: ids.next(), type: 'REGISTRATION', action, code: codeOf(payment) };
}
