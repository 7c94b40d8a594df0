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

/** Creates deliveries of pending events for their subscribers; returns the number of events. Several nodes may run it at once. */
export async function fanOut(
  needs: FanOutNeeds,
  { merchants, clock }: { readonly merchants: MerchantFilter; readonly clock: Clock },
): Promise<number> {
  const { store, ids } = needs;
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const events = await store.pendingEvents(merchants, AT_ONCE);
    if (events.length === 0) return count;
    // Webhooks are read after the events: a webhook that was activated before an event gets it.
    const webhooks = await store.webhooks();
    const now = clock.now();
    const deliveries = events.flatMap((event) =>
      subscribersOf(event, webhooks, { path: needs.entity(event.entityId)?.path ?? [event.entityId, event.merchantId], now }).map(
        (webhook): Delivery => ({
          id: ids.next(),
          webhookId: webhook.id,
          event,
          state: 'due',
          dueAt: now,
          tries: [],
          earlierTries: 0,
          createdAt: now,
        }),
      ),
    );
    await store.saveFanOut(events, deliveries);
    count += events.length;
    if (events.length < AT_ONCE) return count;
  }
  return count;
}

type SubscriberQuery = { readonly path: readonly string[]; readonly now: number };

/** The webhooks of the entity and of its parents that subscribe to this type. */
const subscribersOf = ({ type }: OutboxEvent, webhooks: readonly Webhook[], { path, now }: SubscriberQuery): readonly Webhook[] =>
  webhooks.filter((webhook) => isSubscribed(webhook, now) && webhook.types.includes(type) && path.includes(webhook.entityId));

/** A paused webhook gets its events later, within the life of a delivery. */
const isSubscribed = ({ state, changedAt }: Webhook, now: number): boolean =>
  state === 'active' || (state === 'paused' && now - changedAt < DELIVERY_LIFE_MS);
