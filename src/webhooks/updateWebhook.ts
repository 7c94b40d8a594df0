import type { WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.ts';

const TRIES_MAX = 16;

/**
 * Applies a change to the current state of a webhook, again after every concurrent change. `change` returns the same object when there is
 * nothing to change. Returns null when the webhook no longer exists.
 */
export async function updateWebhook(
  store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>,
  started: Webhook,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook | null> {
  let webhook = started;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const next = change(webhook);
    if (next === webhook) return webhook;
    const kept = { ...next, revision: webhook.revision + 1 };
    if (await store.saveWebhook(kept)) return kept;
    const current = (await store.webhooks()).find(({ id }) => id === started.id);
    if (!current) return null;
    webhook = current;
  }
  throw new Error(`the webhook ${started.id} did not hold still`);
}
