import type { Entity } from '../merchants/directory.ts';
import type { Ids } from '../payments/ports.ts';
import { DELIVERY_LIFE_MS } from './handleDispatch.ts';
import type { DispatchScope, WebhookStore } from './ports.ts';
import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

export type FanOutNeeds = {
  readonly store: Pick<WebhookStore, 'webhooks' | 'pendingEvents' | 'saveFanOut' | 'passEvents'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly entity: (id: string) => Pick<Entity, 'path'> | null;
};

const AT_ONCE = 500;
const ROUNDS_MAX = 20;

/** Creates deliveries of pending events for their subscribers; returns the number of events. Several nodes may run it at the same time. */
export async function fanOut(needs: FanOutNeeds, scope: DispatchScope): Promise<number> {
  const { store } = needs;
  if ((await store.pendingEvents(scope.merchants, 1)).length === 0) return 0;
  const passed = (await store.webhooks()).length > 0 ? 0 : await passAll(store, scope);
  return passed > 0 ? passed : createDeliveries(needs, scope);
}

/** Nobody can get an event, so none of them is read. The store decides in the same step whether that is still so. */
async function passAll(store: FanOutNeeds['store'], { merchants }: DispatchScope): Promise<number> {
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const passed = await store.passEvents(merchants, AT_ONCE);
    count += passed;
    if (passed < AT_ONCE) return count;
  }
  return count;
}

async function createDeliveries({ store, ids, entity }: FanOutNeeds, { merchants, clock }: DispatchScope): Promise<number> {
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const events = await store.pendingEvents(merchants, AT_ONCE);
    if (events.length === 0) return count;
    // Webhooks are read after the events: a webhook that was activated before an event gets it.
    const webhooks = await store.webhooks();
    const now = clock.now();
    const deliveries = events.flatMap((event) =>
      subscribersOf(event, webhooks, { path: entity(event.entityId)?.path ?? [event.entityId, event.merchantId], now }).map(
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
