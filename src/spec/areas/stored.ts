import { ENTITY, free, limit, needed } from '../admin/field.ts';
import { id, instant, matching, oneOf } from '../admin/kinds.ts';
import { admin } from './row.ts';

/** What merchants have stored: payment details, sessions of the widget, plans of regular payments. */

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

const checkoutId = matching(/^[0-9A-F]{32}\.[A-Za-z0-9-]{1,15}$/, 'must be the id of a checkout', {
  good: ['0123456789ABCDEF0123456789ABCDEF.node-1'],
  bad: ['0123456789abcdef0123456789abcdef', '0123456789ABCDEF0123456789ABCDEF', 'x', '.node-1'],
});

export const listPlace = matching(/^[0-9]{1,16}-[0-9A-Za-z.-]{1,64}$/, 'must be as it was answered', {
  good: ['1790000000000-0123456789abcdef0123456789abcdef'],
  bad: ['x', '1790000000000', '-', '1-a b'],
});

const entityId = needed(id, 'Any node of the hierarchy: what it and everything below it has.', ENTITY);
const after = free(listPlace, 'Where the page before ended: its next.');
const language = free(oneOf(['en', 'de']), 'In which language it is explained when it runs; en where nothing is said.');

export const storedEndpoints = {
  listRegistrations: admin('GET', '/admin/v1/registrations', 'readPayments', 'List stored payment details, the newest first.'),
  seeRegistration: admin(
    'GET',
    '/admin/v1/registrations/{id}',
    'readPayments',
    'Read stored payment details, masked, and what plans charge them.',
  ),
  listUses: admin(
    'GET',
    '/admin/v1/registrations/{id}/payments',
    'readPayments',
    'List the payments with stored payment details, the newest first.',
  ),
  removeRegistration: admin(
    'DELETE',
    '/admin/v1/registrations/{id}',
    'registrations',
    'Remove stored payment details: their number is gone for good.',
  ),
  listCheckouts: admin('GET', '/admin/v1/checkouts', 'readPayments', 'List sessions of the payment widget, the newest first.'),
  seeCheckout: admin(
    'GET',
    '/admin/v1/checkouts/{id}',
    'readPayments',
    'Read a session of the payment widget with everything that was tried in it.',
  ),
  listSchedules: admin('GET', '/admin/v1/schedules', 'readPayments', 'List plans of regular payments, the newest first.'),
  seeSchedule: admin(
    'GET',
    '/admin/v1/schedules/{id}',
    'readPayments',
    'Read a plan of regular payments: its next runs, and what became of the past ones.',
  ),
  cancelSchedule: admin(
    'DELETE',
    '/admin/v1/schedules/{id}',
    'schedules',
    'End a plan of regular payments, at once or when its notice allows.',
  ),
} as const;

export const storedFields = {
  listRegistrations: {
    entityId,
    id: free(id, 'Only the one with this id.'),
    last4: free(last4, 'Only instruments that end so.'),
    holder: free(holder, 'Only those whose holder has this in his name.'),
    state: free(oneOf(registrationStates), 'Only those in this state.'),
    after,
    limit,
  },
  seeRegistration: { entityId },
  listUses: { entityId, after, limit },
  removeRegistration: { entityId },
  listCheckouts: {
    entityId,
    id: free(checkoutId, 'Only the one with this id.'),
    state: free(oneOf(checkoutStates), 'open: its half hour is not over.'),
    from: free(instant, 'Only those begun at this instant or later.'),
    to: free(instant, 'Only those begun before this instant.'),
    after,
    limit,
  },
  seeCheckout: { entityId },
  listSchedules: {
    entityId,
    id: free(id, 'Only the one with this id.'),
    state: free(oneOf(scheduleStates), 'Only those in this state.'),
    after,
    limit,
    language,
  },
  seeSchedule: { entityId, language },
  cancelSchedule: { entityId },
} as const;
