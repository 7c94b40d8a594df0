import type { CodeText, Id, Instant } from './texts.ts';

/** Answers about webhooks and their deliveries. Instants are ISO texts. */

export type WebhookShown = {
  readonly id: string;
  readonly entityId: Id;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  /** unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it answered 410. */
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  /** Why it is paused or off. */
  readonly why: string | null;
  readonly failingSince: Instant | null;
  readonly keys: readonly { readonly id: string; readonly createdAt: Instant; readonly until: Instant | null }[];
  readonly createdAt: Instant;
  readonly changedAt: Instant;
};

export type DeliveryCounts = { readonly due: number; readonly delivered: number; readonly dead: number };

/** Of readWebhook. */
export type WebhookDetail = WebhookShown & { readonly deliveries: DeliveryCounts };

/** Of createWebhook and rotateWebhookKey: the only answers with the key. */
export type WebhookWithKey = WebhookShown & {
  /** 64 hexadecimal digits, shown here once. */
  readonly key: string;
};

/** Of testWebhook. */
export type WebhookTested = WebhookShown & {
  readonly test: {
    readonly delivered: boolean;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  };
};

export type DeliveryShown = {
  readonly id: string;
  /** The webhook-id of every try. */
  readonly eventId: Id;
  readonly type: string;
  readonly action: string | null;
  readonly code: CodeText;
  readonly transactionId: Id;
  readonly entityId: Id;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly happenedAt: Instant;
  readonly createdAt: Instant;
  readonly nextTryAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly tries: readonly {
    readonly at: Instant;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  }[];
};

/** Of readDelivery: with what would be sent now, numbers masked. */
export type DeliveryDetail = DeliveryShown & {
  /** Null when the transaction no longer exists. */
  readonly body: object | null;
};
