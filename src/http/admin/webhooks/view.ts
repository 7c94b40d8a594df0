import type { AttemptResult } from '../../../webhooks/prepareDispatch.ts';
import type { Delivery, Webhook } from '../../../webhooks/webhook.ts';

/** Webhooks and deliveries as the administration API shows them. Instants have the format of query parameters. */

const instant = (ms: number): string => new Date(ms).toISOString();
const maybe = (ms: number | null): string | null => (ms === null ? null : instant(ms));

const UNTESTED = 'it receives nothing until a test delivery succeeds';

/** A webhook; of its keys only when they were made and until when they sign. */
export const webhookShown = ({ id, entityId, name, url, types, fields, wrapper, state, why, ...webhook }: Webhook) => ({
  id,
  entityId,
  name,
  url,
  types,
  fields,
  wrapper,
  state,
  why: state === 'unproven' ? UNTESTED : why,
  failingSince: maybe(webhook.failingSince),
  keys: webhook.keys.map((key) => ({ id: key.id, createdAt: instant(key.createdAt), until: maybe(key.until) })),
  createdAt: instant(webhook.createdAt),
  changedAt: instant(webhook.changedAt),
});

/** `eventId` is what the receiver sees as `webhook-id`. */
export const deliveryShown = ({ id, event, state, dueAt, tries, createdAt }: Delivery) => ({
  id,
  eventId: event.id,
  type: event.type,
  action: event.action,
  code: event.code,
  transactionId: event.transactionId ?? event.subjectId,
  entityId: event.entityId,
  state,
  happenedAt: instant(event.createdAt),
  createdAt: instant(createdAt),
  nextTryAt: state === 'due' ? instant(dueAt) : null,
  endedAt: state === 'due' ? null : instant(dueAt),
  tries: tries.map(({ at, status, ms, why }) => ({ at: instant(at), status, ms, why })),
});

/** The result of a test delivery. */
export const testShown = ({ status, ms, why }: AttemptResult) => ({ delivered: why === null, status, ms, why });
