import { type RegistrationType, RISK_CHECK, scheduleTypes, type TransactionType } from '../spec/paymentTypes.ts';
import type { Payment } from './payment.ts';
import type { Commit, CommitEffects, CommitOutcome, NewOutboxEvent, World } from './ports.ts';
import { releaseAtOf } from './validity.ts';

/** The caller's part of a commit. A field that is left out is null: the commit changes nothing there. */
type PaymentChange = Pick<Commit, 'payment' | 'version' | 'event'> &
  Partial<Omit<Commit, 'payment' | 'version' | 'event' | 'releaseAt' | keyof CommitEffects>>;

/** The only way to write a payment: adds the ledger posting, the statistics line and the search key, and commits all of it together. */
export async function commitPayment({ store, deriveEffects }: Committer, change: PaymentChange): Promise<CommitOutcome> {
  const effects = await deriveEffects(change.payment);
  return store.commit({
    payment: change.payment,
    version: change.version,
    sealed: change.sealed ?? null,
    idempotencyKey: change.idempotencyKey ?? null,
    event: change.event,
    registration: change.registration ?? null,
    tokenUse: change.tokenUse ?? null,
    schedule: change.schedule ?? null,
    releaseAt: releaseAtOf(change.payment),
    posting: effects.posting,
    statisticsLine: effects.statisticsLine,
    emailHash: effects.emailHash,
  });
}

type Committer = Pick<World, 'deriveEffects'> & { readonly store: Pick<World['store'], 'commit'> };

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
