import {
  admin,
  count,
  ENTITY,
  flag,
  id,
  ids,
  instant,
  key,
  limit,
  name,
  oneOf,
  optional,
  required,
  someOf,
  tagged,
  webAddress,
} from '../admin/kinds.ts';

/** Webhooks of an entity, their keys and their deliveries. */

const types = someOf(['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK']);
const fields = oneOf(['ALL', 'NON_CUSTOMER_DATA']);
const wrapper = oneOf(['NONE', 'JSON']);
const state = oneOf(['due', 'delivered', 'dead']);

/** How much longer the key before is good, in hours: as long as anything is tried again, at most. */
const UNTIL_HOURS_MAX = 720;
const RESENT_MAX = 1_000;

const about = {
  types: 'Event types; default all.',
  fields: 'Content of a payload: all fields of the reply (ALL, default), or no customer data.',
  wrapper: 'Form of the encrypted body: plain (NONE, default), or as encryptedBody of a JSON object.',
  key: 'A key that the receiver already knows; default: generated.',
  from: 'Only events at or after this instant.',
  to: 'Only events before this instant.',
} as const;

export const webhookEndpoints = tagged('webhooks', {
  listWebhooks: admin('GET', '/admin/v1/webhooks', 'readWebhooks', 'List the webhooks of an entity.'),
  createWebhook: admin(
    'POST',
    '/admin/v1/webhooks',
    'webhooks',
    'Create a webhook. Only this reply contains its key. Nothing is sent before a successful test delivery.',
    { notifies: true },
  ),
  readWebhook: admin(
    'GET',
    '/admin/v1/webhooks/{id}',
    'readWebhooks',
    'Read a webhook, with the number of deliveries per state.',
  ),
  changeWebhook: admin('POST', '/admin/v1/webhooks/{id}', 'webhooks', 'Change a webhook; fields that are not sent stay.', {
    notifies: true,
  }),
  removeWebhook: admin('DELETE', '/admin/v1/webhooks/{id}', 'webhooks', 'Delete a webhook and its pending deliveries.', {
    notifies: true,
  }),
  testWebhook: admin(
    'POST',
    '/admin/v1/webhooks/{id}/test',
    'webhooks',
    'Send a test delivery; a 2xx answer activates the webhook.',
  ),
  rotateWebhookKey: admin(
    'POST',
    '/admin/v1/webhooks/{id}/keys',
    'webhooks',
    'Rotate the key of a webhook; the previous key also signs for a while. Only this reply contains the new key.',
    { stepUp: true, notifies: true },
  ),
  switchOffWebhook: admin(
    'POST',
    '/admin/v1/webhooks/{id}/off',
    'webhooks',
    'Deactivate a webhook; a test delivery activates it again.',
    { notifies: true },
  ),
  listDeliveries: admin(
    'GET',
    '/admin/v1/webhooks/{id}/deliveries',
    'readWebhooks',
    'List the deliveries of a webhook with every attempt, newest first.',
  ),
  readDelivery: admin(
    'GET',
    '/admin/v1/webhooks/{id}/deliveries/{delivery}',
    'readWebhooks',
    'Read a delivery with its current payload, personal and instrument data masked.',
  ),
  resendDeliveries: admin(
    'POST',
    '/admin/v1/webhooks/{id}/resend',
    'webhooks',
    'Send deliveries again: by id, by period or state, or all failed ones.',
  ),
});

export const webhookFields = {
  listWebhooks: {
    entityId: required(id, 'The entity.', ENTITY),
    below: optional(flag, 'Include the webhooks of all entities below it.'),
  },
  createWebhook: {
    entityId: required(id, 'The webhook receives events of this entity and of all entities below it.', ENTITY),
    name: required(name, 'A display name.'),
    url: required(webAddress, 'The URL. In live: https, port 443 or 80, a public address.'),
    types: optional(types, about.types),
    fields: optional(fields, about.fields),
    wrapper: optional(wrapper, about.wrapper),
    key: optional(key, about.key),
  },
  readWebhook: {},
  changeWebhook: {
    name: optional(name, 'A display name.'),
    url: optional(webAddress, 'A new URL. Nothing is sent to it before a successful test delivery; events wait meanwhile.'),
    types: optional(types, 'Event types.'),
    fields: optional(fields, 'Content of a payload.'),
    wrapper: optional(wrapper, 'Form of the encrypted body.'),
  },
  removeWebhook: {},
  testWebhook: {},
  rotateWebhookKey: {
    untilHours: optional(count(0, UNTIL_HOURS_MAX), 'Hours during which the previous key also signs; default 24.', 24),
    key: optional(key, about.key),
  },
  switchOffWebhook: {},
  listDeliveries: {
    state: optional(state, 'due: pending or waiting for the next attempt; dead: given up.', 'dead'),
    from: optional(instant, about.from),
    to: optional(instant, about.to),
    after: optional(id, 'Only deliveries older than this one: the last of the previous page.'),
    limit,
  },
  readDelivery: {},
  resendDeliveries: {
    ids: optional(ids(RESENT_MAX), 'The deliveries, in any state.'),
    state: optional(state, 'Only deliveries in this state.', 'dead'),
    from: optional(instant, about.from),
    to: optional(instant, about.to),
    failed: optional(flag, 'All undelivered ones: dead, and waiting for the next attempt.'),
  },
} as const;
