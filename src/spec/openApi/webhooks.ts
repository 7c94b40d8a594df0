import { methods } from '../paymentTypes.ts';
import { tags } from '../tags.ts';
import type { Json, JsonObject } from './schemas.ts';

const text: JsonObject = { type: 'string' };
const events = {
  PAYMENT: 'A payment was created or has changed.',
  REGISTRATION: 'Payment details were stored, changed or deleted.',
  SCHEDULE: 'A schedule was created, changed or ended.',
  RISK: 'A risk check was done.',
} as const;

/** The payload of a webhook after decryption: an answer of the API, and a few fields beside it. */
export function webhookPayloadSchema(payment: JsonObject): JsonObject {
  const own: JsonObject = {
    type: 'object',
    properties: {
      presentationAmount: { type: 'string', pattern: '^[0-9]{1,10}\\.[0-9]{2}$', description: 'The amount that was asked for.' },
      presentationCurrency: { type: 'string', pattern: '^[A-Z]{3}$' },
      authentication: { type: 'object', properties: { entityId: text }, required: ['entityId'] },
      merchantAccountId: text,
      channelName: text,
      source: { type: 'string', enum: ['OPP', 'SCHEDULER', 'SYSTEM'] },
      paymentMethod: { type: 'string', enum: Object.keys(methods) },
      shortId: { type: 'string', pattern: '^[0-9]{4}\\.[0-9]{4}\\.[0-9]{4}$' },
    },
  };
  return {
    type: 'object',
    title: 'Webhook payload',
    properties: {
      type: { type: 'string', enum: Object.keys(events) },
      action: { type: 'string', enum: ['CREATED', 'UPDATED', 'DELETED'], description: 'Of registrations.' },
      payload: { allOf: [payment, own] },
    },
    required: ['type', 'payload'],
  };
}

/** The payload of the delivery that activates a webhook. */
export const webhookTestSchema = (): JsonObject => ({
  type: 'object',
  title: 'Webhook test',
  properties: { type: { const: 'test' }, action: { const: 'webhook activation' }, payload: { type: 'object' } },
  required: ['type', 'action', 'payload'],
});

const header = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const operationIdFor = (type: string): string => `receive${type.charAt(0).toUpperCase()}${type.slice(1).toLowerCase()}Event`;

/** The requests that the gateway sends to webhooks. The body on the wire is the payload, encrypted: `docs/webhooks.md` says how. */
export function webhooks(payload: JsonObject, test: JsonObject): JsonObject {
  const operation = (type: string, summary: string, schema: JsonObject): JsonObject => ({
    post: {
      operationId: operationIdFor(type),
      tags: [tags.webhookEvents.title],
      summary,
      parameters: [
        header('X-Initialization-Vector', 'The initialization vector, hexadecimal.'),
        header('X-Authentication-Tag', 'The tag of AES-256-GCM, hexadecimal.'),
        header('webhook-id', 'The same in every attempt.'),
        header('webhook-timestamp', 'Seconds since 1970, of this attempt.'),
        header('webhook-signature', 'HMAC-SHA256 over id.timestamp.body by Standard Webhooks.'),
      ],
      requestBody: {
        description: 'The decrypted payload. On the wire it is encrypted with the key of the webhook.',
        required: true,
        content: { 'application/json': { schema } },
      },
      responses: { 200: { description: 'Any 2xx accepts the delivery; everything else is retried.' } },
    },
  });
  const ofEvents = Object.entries(events).map(([type, summary]): [string, Json] => [
    type,
    operation(type, summary, { allOf: [payload, { properties: { type: { const: type } } }] }),
  ]);
  return Object.fromEntries([...ofEvents, ['test', operation('test', 'A 2xx activates the webhook.', test)]]);
}
