import type { WebhookPayload } from '../../payments/webhook/payload.ts';
import type { Activation } from '../../webhooks/activate.ts';
import type { WebhookKeys } from '../../webhooks/keys.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { OutboxEvent, Webhook } from '../../webhooks/webhook.ts';

/** What those need who set up webhooks. */
export type WebhookService = {
  readonly store: WebhookStore;
  readonly keys: WebhookKeys;
  /** Sends the test delivery. */
  readonly activate: (webhook: Webhook) => Promise<Activation>;
  /** The message for news as it would be sent now; null when what it is about is not there any more. */
  readonly payloadFor: (news: OutboxEvent) => Promise<WebhookPayload | null>;
  /** Why no webhook may have this address, as a sentence; null when it may. */
  readonly addressFault: (url: string) => string | null;
};
