import type { Ids } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import { type AttemptNeeds, type AttemptResult, send } from './attempt.ts';
import { activated } from './health.ts';
import type { WebhookStore } from './ports.ts';
import { isDelivered } from './retry.ts';
import { updateWebhook } from './updateWebhook.ts';
import type { Webhook } from './webhook.ts';

export type ActivateNeeds = Omit<AttemptNeeds, 'payloadFor'> & {
  readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly ids: Pick<Ids, 'next'>;
  /** The time by which the webhook lives: that of its merchant; left out: the same as everybody's. */
  readonly ownClock?: Clock;
};

/** Facts 7.3. */
const TEST = JSON.stringify({ type: 'test', action: 'webhook activation', payload: {} });

/** `webhook` as it is now; null when it was removed meanwhile. */
export type Activation = { readonly webhook: Webhook | null; readonly tried: AttemptResult };

/** Sends the test delivery; who answers well is switched on, and what waits for him is sent. */
export async function activate(needs: ActivateNeeds, webhook: Webhook): Promise<Activation> {
  const tried = await send(needs, webhook, { id: needs.ids.next(), text: TEST });
  if (!isDelivered(tried.status)) return { webhook, tried };
  const now = (needs.ownClock ?? needs.clock).now();
  // Somebody may have given it another address meanwhile, which has proven nothing.
  const change = (current: Webhook): Webhook =>
    current.url === webhook.url && (current.state !== 'active' || current.failingSince !== null)
      ? activated(current, now)
      : current;
  return { webhook: await updateWebhook(needs.store, webhook, change), tried };
}
