import type { Entity } from '../merchants/directory.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Ids } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { WebhookStore } from './ports.ts';
import { DELIVERY_LIFE_MS } from './retry.ts';
import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

export type FanOutNeeds = {
  readonly store: Pick<WebhookStore, 'webhooks' | 'pendingEvents' | 'saveFanOut'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly entity: (id: string) => Pick<Entity, 'path'> | null;
};

const AT_ONCE = 500;
const ROUNDS_MAX = 20;

/** Puts fresh news on its way to everybody who wants to hear it; answers how many there were. Many nodes may do it at once. */
export async function fanOut(
  needs: FanOutNeeds,
  { merchants, clock }: { readonly merchants: MerchantFilter; readonly clock: Clock },
): Promise<number> {
  const { store, ids } = needs;
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const fresh = await store.pendingEvents(merchants, AT_ONCE);
    if (fresh.length === 0) return count;
    // Read after the news: a webhook that was switched on before something happened hears of it.
    const webhooks = await store.webhooks();
    const now = clock.now();
    const deliveries = fresh.flatMap((news) =>
      subscribersOf(news, webhooks, { path: needs.entity(news.entityId)?.path ?? [news.entityId, news.merchantId], now }).map(
        (webhook): Delivery => ({
          id: ids.next(),
          webhookId: webhook.id,
          event: news,
          state: 'due',
          dueAt: now,
          tries: [],
          createdAt: now,
        }),
      ),
    );
    await store.saveFanOut(fresh, deliveries);
    count += fresh.length;
    if (fresh.length < AT_ONCE) return count;
  }
  return count;
}

type Hearing = { readonly path: readonly string[]; readonly now: number };

/** The webhooks of the entity and of those above it that want this type. */
const subscribersOf = ({ type }: OutboxEvent, webhooks: readonly Webhook[], { path, now }: Hearing): readonly Webhook[] =>
  webhooks.filter((webhook) => isListening(webhook, now) && webhook.types.includes(type) && path.includes(webhook.entityId));

/** One that we have paused hears later what happens meanwhile, as long as anything is kept for it. */
const isListening = ({ state, changedAt }: Webhook, now: number): boolean =>
  state === 'active' || (state === 'paused' && now - changedAt < DELIVERY_LIFE_MS);
