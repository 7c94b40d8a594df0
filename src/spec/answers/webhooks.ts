/** Answers about webhooks and their deliveries. Instants are ISO texts. */

export type WebhookShown = {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly fields: 'ALL' | 'NON_CUSTOMER_DATA';
  readonly wrapper: 'NONE' | 'JSON';
  readonly state: 'unproven' | 'active' | 'paused' | 'off';
  readonly why: string | null;
  readonly failingSince: string | null;
  readonly keys: readonly { readonly id: string; readonly createdAt: string; readonly until: string | null }[];
  readonly createdAt: string;
  readonly changedAt: string;
};

export type DeliveryCounts = { readonly due: number; readonly delivered: number; readonly dead: number };

/** Of readWebhook. */
export type WebhookDetail = WebhookShown & { readonly deliveries: DeliveryCounts };

/** Of createWebhook and rotateWebhookKey: the only answers with the key. */
export type WebhookWithKey = WebhookShown & { readonly key: string };

/** Of testWebhook. */
export type WebhookTested = WebhookShown & {
  readonly test: {
    readonly delivered: boolean;
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  };
};

export type DeliveryShown = {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly action: string | null;
  readonly code: string;
  readonly transactionId: string;
  readonly entityId: string;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly happenedAt: string;
  readonly createdAt: string;
  readonly nextTryAt: string | null;
  readonly endedAt: string | null;
  readonly tries: readonly {
    readonly at: string;
    readonly status: number | null;
    readonly ms: number;
    readonly why: string | null;
  }[];
};

/** Of readDelivery: with what would be sent now, numbers masked. */
export type DeliveryDetail = DeliveryShown & { readonly body: object | null };
