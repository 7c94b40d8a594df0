import type { Commit, RegistrationChange } from '../../payments/ports.ts';
import type { Registration } from '../../registrations/registration.ts';
import type { Cell } from './payments.ts';
import { faultOfScheduleChange } from './schedules.ts';

/** The cells of a commit that changes a registration or uses a wallet token. Other commits leave them out. */
export const furtherCells = [
  'registration_id',
  'registration_entity_id',
  'registration_payment_id',
  'registration_state',
  'registration_fingerprint',
  'registration_customer_id',
  'registration_created_at',
  'registration_used_at',
  'registration_expires_at',
  'registration_token_due_at',
  'registration_revision',
  'registration_data',
  'registration_sealed',
  'registration_is_sealed_kept',
  'registration_moved_at',
  'registration_event_id',
  'registration_event_type',
  'registration_event_code',
  'registration_event_action',
  'token_use_wallet',
  'token_use_token_id',
  'token_use_until',
] as const;

export type FurtherCell = (typeof furtherCells)[number];

/** How many of the cells in front are a registration's own, beside the merchant that is the payment's too. */
const REGISTRATION_CELLS = 15;
const EVENT_CELLS = 4;

/** `text`: the JSON of the registration, where it was made beforehand. */
export function furtherCellsOf({ registration, tokenUse }: Pick<Commit, 'registration' | 'tokenUse'>, text?: string): Cell[] {
  const event = registration?.event;
  return [
    ...(registration ? registrationCells(registration, text) : Array<null>(REGISTRATION_CELLS).fill(null)),
    ...(event ? [event.id, event.type, event.code, event.action] : Array<null>(EVENT_CELLS).fill(null)),
    tokenUse?.wallet ?? null,
    tokenUse?.tokenId ?? null,
    tokenUse?.until ?? null,
  ];
}

/** What has no column of its own. */
export function registrationData(registration: Registration) {
  const { id, merchantId, entityId, paymentId, state, fingerprint, createdAt, usedAt, expiresAt, tokenDueAt, revision, ...rest } =
    registration;
  return rest;
}

function registrationCells({ registration, sealed }: RegistrationChange, text?: string): Cell[] {
  const { id, entityId, paymentId, state, fingerprint, createdAt, usedAt, expiresAt, tokenDueAt, revision } = registration;
  return [
    id,
    entityId,
    paymentId,
    state,
    fingerprint,
    registration.fields['customer.merchantCustomerId'] ?? null,
    createdAt,
    usedAt,
    expiresAt,
    tokenDueAt,
    revision,
    text ?? JSON.stringify(registrationData(registration)),
    sealed === 'kept' ? null : sealed,
    sealed === 'kept' ? 1 : 0,
    registration.movedAt,
  ];
}

/** What no commit may change in a registration that is there. */
export const fixedInRegistration = [
  'merchantId',
  'id',
  'entityId',
  'paymentId',
  'createdAt',
] as const satisfies readonly (keyof Registration)[];

const isCount = (number: number, from: number): boolean => Number.isSafeInteger(number) && number >= from;

/** What contradicts itself in what a commit does beside its payment; null when nothing does. */
export function faultOfFurther({ payment, registration, tokenUse, schedule }: Commit): string | null {
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
