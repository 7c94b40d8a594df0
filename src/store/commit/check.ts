import type { Payment } from '../../payments/payment.ts';
import type { Commit, RegistrationChange, ScheduleChange } from '../../payments/ports.ts';
import type { Schedule } from '../../payments/schedule.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Registration } from '../../registrations/registration.ts';

/** Which commits contradict themselves: every store refuses the same ones before it touches anything. */

/** Thirteen digits and two decimals, as the CHECK of the payment table says. */
const AMOUNT_MAX = 999_999_999_999_999n;

/** Throws when a commit contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkCommit(change: Commit): void {
  const { payment, version, sealed } = change;
  const { id, familyId, revision, amount, referencedId } = payment;
  const isFirst = id === familyId && revision === 1;
  const fault =
    (isFirst !== (version === 0) && 'version 0 belongs to the first payment of a family and to no other') ||
    (!(Number.isSafeInteger(revision) && revision >= 1) && 'revisions count from 1') ||
    (id !== familyId && referencedId === null && 'a member of a family references a payment') ||
    ((amount < 0n || amount > AMOUNT_MAX) && 'the amount is out of range') ||
    (sealed !== null && revision > 1 && 'an instrument is sealed with a new payment only') ||
    faultOfFurther(change);
  if (fault) throw new BrokenCommit(`commit of payment ${id}: ${fault}`);
}

/** Fields of a stored payment that no commit may change. */
export const fixedFields = [
  'familyId',
  'entityId',
  'referencedId',
  'paymentType',
  'industryPractice',
  'amount',
  'currency',
  'createdAt',
  'checkoutId',
] as const satisfies readonly (keyof Payment)[];

/** Fields of a stored registration that no commit may change. */
export const fixedInRegistration = [
  'merchantId',
  'id',
  'entityId',
  'paymentId',
  'createdAt',
] as const satisfies readonly (keyof Registration)[];

export const isCount = (number: number, from: number): boolean => Number.isSafeInteger(number) && number >= from;

/** The contradiction in the further changes of a commit; null: none. */
function faultOfFurther({ payment, registration, tokenUse, schedule }: Commit): string | null {
  if (tokenUse && payment.revision > 1) return 'a wallet token is spent with a new payment only';
  if (tokenUse && !(tokenUse.tokenId && isCount(tokenUse.until, 0))) return 'a wallet token has a name and an end';
  const fault = registration ? faultOfRegistration(payment, registration) : null;
  return fault ?? (schedule ? faultOfScheduleChange(payment, schedule) : null);
}

function faultOfRegistration(payment: Commit['payment'], { registration, sealed }: RegistrationChange): string | null {
  const { merchantId, id, paymentId, state, revision } = registration;
  const isNew = revision === 1;
  const isOver = state === 'rejected' || state === 'deleted';
  if (merchantId !== payment.merchantId) return 'a registration belongs to the merchant of the payment';
  if (payment.registrationId !== id) return 'a payment names the registration that it changes';
  if (!isCount(revision, 1)) return 'revisions of a registration count from 1';
  if (isNew && paymentId !== payment.id) return 'a new registration names the payment that makes it';
  if (isNew && sealed === 'kept') return 'a new registration has no secrets yet that could be kept';
  return isOver && sealed !== null ? 'what is rejected or deleted keeps no secrets' : null;
}
/** Fields of a stored schedule that no change may touch. */
export const fixedInSchedule = ['merchantId', 'id', 'entityId', 'createdAt'] as const satisfies readonly (keyof Schedule)[];

/** Whether a schedule can become the other one: one that is over stays as it is, and its merchant never changes. */
export const continuesSchedule = (stored: Schedule, schedule: Schedule): boolean =>
  stored.state !== 'over' && fixedInSchedule.every((name) => stored[name] === schedule[name]);

export function faultOfSchedule({ id, state, nextAt, revision }: Schedule): string | null {
  if (id === '') return 'a schedule has an id';
  if (!isCount(revision, 1)) return 'revisions of a schedule count from 1';
  if ((state === 'over') !== (nextAt === null)) return 'a schedule has a next instant exactly until it is over';
  return nextAt === null || isCount(nextAt, 0) ? null : 'the next instant of a schedule is a whole number of milliseconds';
}

/** The contradiction in a commit's change of a schedule; null: none. */
function faultOfScheduleChange(payment: Payment, { schedule, dueAt }: ScheduleChange): string | null {
  if (schedule.merchantId !== payment.merchantId) return 'a schedule belongs to the merchant of the payment';
  if (schedule.revision === 1 && schedule.id !== payment.id) return 'a new schedule has the id of the transaction that makes it';
  if (dueAt !== null && !isCount(dueAt, 0)) return 'a schedule is due at an instant';
  return faultOfSchedule(schedule);
}
