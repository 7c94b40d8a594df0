import { ENTITY, limit, optional, required } from '../admin/field.ts';
import { id, instant, matching, oneOf } from '../admin/kinds.ts';
import { admin } from './row.ts';

/** Registrations, checkouts and schedules of merchants. */

export const registrationStates = ['open', 'active', 'rejected', 'deleted'] as const;
export const checkoutStates = ['open', 'over'] as const;
export const scheduleStates = ['active', 'ending', 'over'] as const;

const last4 = matching(/^[0-9A-Za-z]{4}$/, 'must be the last four of the number', {
  good: ['0000', '1111'],
  bad: ['000', '00000', '4200000000000000', '00 0'],
});

const holder = matching(/^(?!.*[0-9]{12})[^\p{C}]{2,64}$/u, 'must be a part of a name, 2 to 64 characters', {
  good: ['Example', 'Jürgen'],
  bad: ['x', 'x'.repeat(65), 'two\nlines', '4200000000000000'],
});

const checkoutId = matching(/^[0-9A-F]{32}[.-][A-Za-z0-9-]{1,15}$/, 'must be the id of a checkout', {
  good: ['0123456789ABCDEF0123456789ABCDEF-node-1'],
  bad: ['0123456789abcdef0123456789abcdef', '0123456789ABCDEF0123456789ABCDEF', 'x', '-node-1'],
});

export const listPlace = matching(/^[0-9]{1,16}-[0-9A-Za-z.-]{1,64}$/, 'must be as it was answered', {
  good: ['1790000000000-0123456789abcdef0123456789abcdef'],
  bad: ['x', '1790000000000', '-', '1-a b'],
});

const entityId = required(id, 'Any entity; entities below it are included.', ENTITY);
const after = optional(listPlace, '`next` of the previous page.');
const language = optional(oneOf(['en', 'de']), 'Language of the description; default en.');

export const storedEndpoints = {
  listRegistrations: admin('GET', '/admin/v1/registrations', 'readPayments', 'List stored payment details, newest first.'),
  seeRegistration: admin(
    'GET',
    '/admin/v1/registrations/{id}',
    'readPayments',
    'Read stored payment details, masked, with their schedules.',
  ),
  listUses: admin(
    'GET',
    '/admin/v1/registrations/{id}/payments',
    'readPayments',
    'List the payments with stored payment details, newest first.',
  ),
  removeRegistration: admin(
    'DELETE',
    '/admin/v1/registrations/{id}',
    'registrations',
    'Delete stored payment details; their number is erased.',
  ),
  listCheckouts: admin('GET', '/admin/v1/checkouts', 'readPayments', 'List checkouts, newest first.'),
  seeCheckout: admin('GET', '/admin/v1/checkouts/{id}', 'readPayments', 'Read a checkout with its attempts.'),
  listSchedules: admin('GET', '/admin/v1/schedules', 'readPayments', 'List schedules, newest first.'),
  seeSchedule: admin('GET', '/admin/v1/schedules/{id}', 'readPayments', 'Read a schedule with its next and past runs.'),
  cancelSchedule: admin(
    'DELETE',
    '/admin/v1/schedules/{id}',
    'schedules',
    'End a schedule, at once or when its notice period allows.',
  ),
} as const;

export const storedFields = {
  listRegistrations: {
    entityId,
    id: optional(id, 'Only this id.'),
    last4: optional(last4, 'Only instruments with these last four characters.'),
    holder: optional(holder, "Only those whose holder's name contains this."),
    state: optional(oneOf(registrationStates), 'Only those in this state.'),
    after,
    limit,
  },
  seeRegistration: { entityId },
  listUses: { entityId, after, limit },
  removeRegistration: { entityId },
  listCheckouts: {
    entityId,
    id: optional(checkoutId, 'Only this id.'),
    state: optional(oneOf(checkoutStates), 'open: still valid.'),
    from: optional(instant, 'Only those created at or after this instant.'),
    to: optional(instant, 'Only those created before this instant.'),
    after,
    limit,
  },
  seeCheckout: { entityId },
  listSchedules: {
    entityId,
    id: optional(id, 'Only this id.'),
    state: optional(oneOf(scheduleStates), 'Only those in this state.'),
    after,
    limit,
    language,
  },
  seeSchedule: { entityId, language },
  cancelSchedule: { entityId },
} as const;
