import { type AdminEndpointName, fieldsOf, PAGE_MAX } from './admin.ts';
import { id, key } from './adminKinds.ts';
import { endpoints } from './endpoints.ts';
import type { Json, JsonObject } from './openApiSchemas.ts';

/** The administration API in the OpenAPI document. */

const places: Readonly<Record<string, string>> = { id: 'The webhook.', delivery: 'The delivery.' };

/** The places of the path, and the fields of a request without a body. */
export function adminParameters(name: AdminEndpointName): readonly Json[] {
  const { path, method } = endpoints[name];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => ({
    name: place,
    in: 'path',
    required: true,
    description: places[place] ?? '',
    schema: id.schema,
  }));
  if (method === 'POST') return inPath;
  const inQuery = Object.entries(fieldsOf(name)).map(([field, { isNeeded, says, fits, example }]) => ({
    name: field,
    in: 'query',
    required: isNeeded,
    description: says,
    schema: fits.schema,
    example: example as Json,
  }));
  return [...inPath, ...inQuery];
}

/** The JSON object that a POST carries. */
export function adminBody(name: AdminEndpointName): JsonObject {
  const fields = Object.entries(fieldsOf(name));
  const required = fields.flatMap(([field, { isNeeded }]) => (isNeeded ? [field] : []));
  const properties = fields.map(([field, { says, fits, isSecret }]): [string, Json] => [
    field,
    { ...fits.schema, description: says, ...(isSecret && { writeOnly: true, 'x-secrecy': 'never' }) },
  ]);
  const example = fields.flatMap(([field, one]) =>
    one.isSecret || field === 'ids' ? [] : [[field, one.example as Json] as const],
  );
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false },
        ...(required.length > 0 && { example: Object.fromEntries(example) }),
      },
    },
  };
}

const answers: Readonly<Record<AdminEndpointName, string>> = {
  listWebhooks: 'Webhooks',
  createWebhook: 'WebhookWithKey',
  readWebhook: 'WebhookWithCounts',
  changeWebhook: 'Webhook',
  removeWebhook: 'WebhookRemoved',
  testWebhook: 'WebhookTested',
  rotateWebhookKey: 'WebhookWithKey',
  switchOffWebhook: 'Webhook',
  listDeliveries: 'Deliveries',
  readDelivery: 'DeliveryWithBody',
  resendDeliveries: 'Resent',
};

/** The name of the schema of what is answered. */
export const adminAnswerOf = (name: AdminEndpointName): string => answers[name];

const text = { type: 'string' } as const;
const maybeText = { type: ['string', 'null'] } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const maybeInstant = { type: ['string', 'null'], format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const status = { type: ['integer', 'null'], description: 'Null when nobody answered.' };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Everything that is told is always there; more may come. */
const told = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) });
const also = (name: string, properties: JsonObject): JsonObject => ({ allOf: [ref(name), told(properties)] });

const { name: _name, url: _url, entityId: _entityId, key: _key, ...chosen } = fieldsOf('createWebhook');

const webhook = told({
  id: id.schema,
  entityId: id.schema,
  name: text,
  url: text,
  ...Object.fromEntries(Object.entries(chosen).map(([field, { fits, says }]) => [field, { ...fits.schema, description: says }])),
  state: {
    type: 'string',
    enum: ['unproven', 'active', 'paused', 'off'],
    description: 'unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it said 410.',
  },
  why: { ...maybeText, description: 'Why it is paused or off.' },
  failingSince: maybeInstant,
  keys: { type: 'array', items: told({ id: id.schema, createdAt: instant, until: maybeInstant }), maxItems: 2 },
  createdAt: instant,
  changedAt: instant,
});

const delivery = told({
  id: id.schema,
  eventId: { ...id.schema, description: 'The webhook-id of every try.' },
  type: text,
  action: maybeText,
  code: ref('ResultCode'),
  transactionId: id.schema,
  entityId: id.schema,
  state: { type: 'string', enum: ['due', 'delivered', 'dead'] },
  happenedAt: instant,
  createdAt: instant,
  nextTryAt: maybeInstant,
  endedAt: maybeInstant,
  tries: { type: 'array', items: told({ at: instant, status, ms: whole, why: maybeText }) },
});

/** What the administration API answers with. */
export const adminSchemas = (): JsonObject => ({
  Webhook: webhook,
  Webhooks: told({ webhooks: { type: 'array', items: ref('Webhook') } }),
  WebhookWithKey: also('Webhook', { key: { ...key.schema, description: 'Told here and never again.' } }),
  WebhookWithCounts: also('Webhook', { deliveries: told({ due: whole, delivered: whole, dead: whole }) }),
  WebhookTested: also('Webhook', { test: told({ delivered: { type: 'boolean' }, status, ms: whole, why: maybeText }) }),
  WebhookRemoved: told({ id: id.schema, removed: { type: 'boolean' } }),
  Delivery: delivery,
  Deliveries: told({
    deliveries: { type: 'array', items: ref('Delivery'), maxItems: PAGE_MAX },
    next: { ...maybeText, description: 'What to send as `after` for the next page; null when there is none.' },
  }),
  DeliveryWithBody: also('Delivery', { body: { type: ['object', 'null'], description: 'Null when what it is about is gone.' } }),
  Resent: told({ count: whole }),
  Refusal: told({
    result: {
      type: 'object',
      properties: {
        code: ref('ResultCode'),
        description: text,
        parameterErrors: { type: 'array', items: told({ name: text, value: maybeText, message: text }) },
      },
      required: ['code', 'description'],
    },
    buildNumber: text,
    timestamp: text,
    ndc: text,
  }),
});
