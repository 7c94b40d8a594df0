import type { ScheduleEventDetail } from '../payments/schedule.ts';

/** The event types, by their names in payloads. */
export const eventTypes = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;

export type EventType = (typeof eventTypes)[number];

/** `unproven`: no delivery before a successful test. `paused`: it failed too long. `off`: disabled by its owner or by a 410. */
type WebhookState = 'unproven' | 'active' | 'paused' | 'off';

/** An address that gets the events of an entity and of all entities below it. */
export type Webhook = {
  readonly id: string;
  readonly entityId: string;
  /** A display name. */
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
  /** The content of payloads: everything that an API reply shows, or nothing about the customer. */
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  /** The form of the encrypted body: bare, or a member of a JSON object. */
  readonly wrapper: 'NONE' | 'JSON';
  readonly state: WebhookState;
  /** Why it is paused or off, as a sentence; null otherwise. */
  readonly why: string | null;
  /** The encrypting key first. The previous key signs too, until it expires. The keys themselves are sealed elsewhere. */
  readonly keys: readonly WebhookKey[];
  /** Since when all attempts have failed; null while it is healthy. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Counts its changes, from 1. */
  readonly revision: number;
};

export type WebhookKey = { readonly id: string; readonly createdAt: number; readonly until: number | null };

/** The name under which a webhook's key is sealed among the secrets of its entity. */
export const secretName = (webhookId: string, keyId: string): string => `webhook/${webhookId}/${keyId}`;

/** An event of the outbox, written in the commit of the change that it reports. */
export type OutboxEvent = {
  readonly merchantId: string;
  /** The same in every delivery and every attempt. */
  readonly id: string;
  readonly entityId: string;
  /** The payment, registration or schedule that changed. Events of one subject are delivered in the order of their revisions. */
  readonly subjectId: string;
  readonly revision: number;
  /** The transaction that changed a registration or schedule, or that set the terms of the schedule; null: the subject itself. */
  readonly transactionId: string | null;
  readonly type: EventType;
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED' | null;
  /** The result code at that moment. */
  readonly code: string;
  /** The content of a schedule's event in addition to its transaction; null: nothing. */
  readonly detail: ScheduleEventDetail | null;
  readonly createdAt: number;
};

/** An event on its way to one webhook. */
export type Delivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly event: OutboxEvent;
  /** `dead`: abandoned; a user can send it again. */
  readonly state: 'due' | 'delivered' | 'dead';
  /** The time of the next attempt, or of the final result. */
  readonly dueAt: number;
  /** All attempts, the newest last. */
  readonly tries: readonly DeliveryAttempt[];
  /** The number of attempts before a user sent it again; retries count from there. */
  readonly earlierTries: number;
  readonly createdAt: number;
};

export type DeliveryAttempt = {
  readonly at: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly ms: number;
  /** Why the attempt failed; null when it succeeded. */
  readonly why: string | null;
};

/** The rules of webhook addresses. The outbound client checks the resolved address at every call. */

const LENGTH_MAX = 2_048;
const LIVE_PORTS: readonly string[] = ['', '80', '443'];

/** Why a webhook cannot have this address, as a sentence; null when it can. */
export function addressFault(text: string, environment: 'test' | 'live'): string | null {
  if (text.length > LENGTH_MAX) return `must have at most ${LENGTH_MAX} characters`;
  const url = URL.parse(text);
  if (!url || /[\s\p{C}]/u.test(text)) return 'must be an address such as https://shop.example/hook';
  if (environment === 'live' && url.protocol !== 'https:') return 'must begin with https://';
  if (!['https:', 'http:'].includes(url.protocol)) return 'must begin with https://, or http:// in the test environment';
  if (url.username !== '' || url.password !== '') return 'must not carry a name or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (environment === 'live' && !LIVE_PORTS.includes(url.port)) return 'must be on port 443 or 80';
  return null;
}
