/** What a webhook can be told of, by the names that stand in the messages. */
export const eventTypes = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;

export type EventType = (typeof eventTypes)[number];

/** `unproven`: nothing is sent until a test delivery was answered. `paused`: it failed too long. `off`: by its owner, or it said 410. */
export type WebhookState = 'unproven' | 'active' | 'paused' | 'off';

/** An address that is told what happens to an entity and to everything below it. */
export type Webhook = {
  readonly id: string;
  readonly entityId: string;
  /** For people. */
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
  /** What of a payment is told: everything that an answer shows, or nothing about the customer. */
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  /** How the encrypted body travels: bare, or as a member of a JSON object. */
  readonly wrapper: 'NONE' | 'JSON';
  readonly state: WebhookState;
  /** Why it is paused or off, as a sentence; null otherwise. */
  readonly why: string | null;
  /** The one that encrypts first. The one before it signs too, until its time is over. The keys themselves are sealed elsewhere. */
  readonly keys: readonly WebhookKey[];
  /** Since when nothing has been delivered, though something was tried; null while it is well. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Counts its changes, from 1. */
  readonly revision: number;
};

export type WebhookKey = { readonly id: string; readonly createdAt: number; readonly until: number | null };

/** The name under which a webhook's key is sealed among the secrets of its entity. */
export const secretName = (webhookId: string, keyId: string): string => `webhook/${webhookId}/${keyId}`;

/** One thing that happened, as it was written down in the commit in which it happened. */
export type OutboxEvent = {
  readonly merchantId: string;
  /** The same in every delivery of it, and in every try. */
  readonly id: string;
  readonly entityId: string;
  /** The transaction it is about. */
  readonly subjectId: string;
  /** The transaction's revision: later news of the same one have a higher one. */
  readonly revision: number;
  readonly type: EventType;
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED' | null;
  /** The result code at that moment. */
  readonly code: string;
  readonly createdAt: number;
};

/** News on the way to one webhook. */
export type Delivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly event: OutboxEvent;
  /** `dead`: given up; it can be sent again by hand. */
  readonly state: 'due' | 'delivered' | 'dead';
  /** When it is tried next, or was decided last. */
  readonly dueAt: number;
  /** Every try since it was last put on its way, the newest last. */
  readonly tries: readonly DeliveryAttempt[];
  readonly createdAt: number;
};

export type DeliveryAttempt = {
  readonly at: number;
  /** Null when nobody answered. */
  readonly status: number | null;
  readonly ms: number;
  /** Why it did not count as delivered; null when it did. */
  readonly why: string | null;
};
