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
  /** The clock of the webhook's merchant. Default: real time. */
  readonly ownClock?: Clock;
};

/** Facts 7.3. */
const TEST = JSON.stringify({ type: 'test', action: 'webhook activation', payload: {} });

/** `webhook` is its current state; null when it was removed in the meantime. */
export type Activation = { readonly webhook: Webhook | null; readonly tried: AttemptResult };

/** Sends the test delivery. A webhook that answers with success becomes active, and its waiting deliveries are sent. */
export async function activate(needs: ActivateNeeds, webhook: Webhook): Promise<Activation> {
  const tried = await send(needs, webhook, { id: needs.ids.next(), text: TEST });
  if (!isDelivered(tried.status)) return { webhook, tried };
  const now = (needs.ownClock ?? needs.clock).now();
  // Its address may have changed in the meantime, and the new one is untested.
  const change = (current: Webhook): Webhook =>
    current.url === webhook.url && (current.state !== 'active' || current.failingSince !== null)
      ? activated(current, now)
      : current;
  return { webhook: await updateWebhook(needs.store, webhook, change), tried };
}
