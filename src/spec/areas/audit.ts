import { ENTITY, limit, optional, required } from '../admin/field.ts';
import { id, instant, matching, oneOf, token } from '../admin/kinds.ts';
import { admin } from './row.ts';

/** The audit log: who did what, when, from where, to what, and what came of it. */

const who = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'must be 1 to 200 characters on one line', {
  good: ['operator', 'ann@shop.example', 'Ann Example'],
  bad: ['', ' ', 'x'.repeat(201), 'two\nlines', null],
});

const what = matching(/^[A-Za-z][A-Za-z -]{0,63}$/, 'must be the name of an act, such as createWebhook', {
  good: ['createWebhook', 'start', 'command rotate-data'],
  bad: ['', '1', 'x'.repeat(65), 'a_b', null],
});

const object = token(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, lines and underscores', {
  good: ['0123456789abcdef0123456789abcdef', 'my-scenario'],
  bad: ['', 'a b', 'x'.repeat(65), 'ü', 'a/b', null],
});

const place = token(/^[0-9]{1,15}-[0-9]{1,15}$/, 'must be as the page before said it', {
  good: ['1790000000000-17'],
  bad: ['', '17', 'a-b', '1-2-3', null],
});

const filters = {
  entityId: required(id, 'Entries about this entity and those below it; for a PSP also entries about no entity.', ENTITY),
  who: optional(who, 'Only this actor: an id, or part of a name or e-mail address.'),
  what: optional(what, 'Only this action.'),
  about: optional(id, 'Only entries about this entity.', ENTITY),
  objectId: optional(object, 'Only entries about this object.'),
  result: optional(oneOf(['done', 'refused', 'failed']), 'Only entries with this result.'),
  from: optional(instant, 'Only events at or after this instant.'),
  to: optional(instant, 'Only events before this instant.'),
} as const;

export const auditEndpoints = {
  listAudit: admin('audit', 'GET', '/admin/v1/audit', 'audit', 'Read the audit log, newest first; reading it adds an entry.'),
  exportAudit: admin('audit', 'GET', '/admin/v1/audit/csv', 'audit', 'The audit log as a CSV file.'),
  verifyAudit: admin('audit', 'POST', '/admin/v1/audit/verification', 'audit', 'Verify that the audit log is unchanged.'),
} as const;

export const auditFields = {
  listAudit: { ...filters, after: optional(place, '`next` of the previous page.'), limit },
  exportAudit: filters,
  verifyAudit: { entityId: required(id, 'Any entity whose audit log you may read; there is one chain for all.', ENTITY) },
} as const;
