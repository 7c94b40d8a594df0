import { exceptMerchants, type MerchantFilter } from '../../src/merchants/merchantFilter.ts';
import type { Delivery } from '../../src/webhooks/webhook.ts';
import { bound, type Store } from './chronicle.ts';
import type { DispatcherNeeds } from './dispatcher.ts';
import { PSP } from './eventWatch.ts';
import type { Tools } from './plantedStores.ts';
import { channels } from './shops.ts';

/** Bugs in how merchants are told what happened. */

/** What was claimed counts as delivered. */
export const settledBefore = (store: Store): Store => ({
  ...bound(store),
  async claimDeliveries(asked) {
    const claimed = await store.claimDeliveries(asked);
    await store.saveDeliveries(claimed.map((one) => ({ ...one, state: 'delivered', dueAt: asked.now })));
    return claimed;
  },
});

/** Whatever is due is taken, also what has an earlier event before it. */
export const withoutOrder = (store: Store, { tables }: Tools): Store => ({
  ...bound(store),
  async claimDeliveries(asked) {
    const first = await store.claimDeliveries(asked);
    const others = [...tables.deliveries.values()].filter(
      ({ delivery, claimedUntil }) => delivery.state === 'due' && delivery.dueAt <= asked.now && claimedUntil <= asked.now,
    );
    for (const { delivery } of others) tables.deliveries.set(delivery.id, { delivery, claimedUntil: asked.until });
    return [...others.map(({ delivery }) => delivery), ...first];
  },
});

/** What is done to a registration or schedule is ordered by the transactions that did it: each has one event. */
export const orderedByTransaction = (store: Store): Store => ({
  ...bound(store),
  saveFanOut: (events, deliveries) =>
    store.saveFanOut(
      events,
      deliveries.map(({ event, ...delivery }) => ({
        ...delivery,
        event: event.transactionId === null ? event : { ...event, subjectId: event.transactionId, revision: 1 },
      })),
    ),
});

const claiming = (change: (delivery: Delivery) => Delivery) => (store: Store) => ({
  ...bound(store),
  claimDeliveries: async (asked: Parameters<Store['claimDeliveries']>[0]) => (await store.claimDeliveries(asked)).map(change),
});

/** Every attempt is an event of its own. */
export const otherIdAgain = claiming((delivery) =>
  delivery.tries.length === 0
    ? delivery
    : { ...delivery, event: { ...delivery.event, id: `${delivery.event.id.slice(0, -1)}-` } },
);

/** The fan-out is saved although another node has saved it before. */
export const fannedOutTwice = (store: Store, { tables }: Tools): Store => ({
  ...bound(store),
  async saveFanOut(event, deliveries) {
    for (const delivery of deliveries) tables.deliveries.set(delivery.id, { delivery, claimedUntil: Number.NEGATIVE_INFINITY });
    await store.saveFanOut(event, []);
  },
});

const mixedUp = (merchants: MerchantFilter): MerchantFilter =>
  merchants.kind === 'only' ? exceptMerchants([merchants.merchantId]) : merchants;

/** `only` one merchant means all others. */
export const merchantsMixedUp = (store: Store): Store => ({
  ...bound(store),
  pendingEvents: (merchants, limit) => store.pendingEvents(mixedUp(merchants), limit),
  claimDeliveries: (asked) => store.claimDeliveries({ ...asked, merchants: mixedUp(asked.merchants) }),
});

/** Somebody answered, so he has heard it. */
export const anyAnswer = (store: Store): Store => ({
  ...bound(store),
  saveDeliveries: (deliveries) =>
    store.saveDeliveries(
      deliveries.map((one) => (typeof one.tries.at(-1)?.status === 'number' ? { ...one, state: 'delivered' as const } : one)),
    ),
});

/** Only the new key signs while keys are exchanged. */
export const newKeyAlone = (needs: DispatcherNeeds): DispatcherNeeds => ({
  ...needs,
  keys: { read: async (webhook, now) => (await needs.keys.read(webhook, now)).slice(0, 1) },
});

/** One call after the other. */
export function oneQueue(needs: DispatcherNeeds): DispatcherNeeds {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ...needs,
    post(...given) {
      const call = before.then(() => needs.post(...given));
      before = call.catch(() => {});
      return call;
    },
  };
}

/** A subscriber that answered 410 still gets events. */
export const goneForgotten = (store: Store): Store => ({
  ...bound(store),
  saveWebhook: async (webhook) => (webhook.state === 'off' ? true : store.saveWebhook(webhook)),
});

export const sentToEveryEndpoint = (needs: DispatcherNeeds): DispatcherNeeds => ({
  ...needs,
  entity: (id) => ({ path: [id, PSP, ...channels.map(({ merchantId }) => merchantId)] }),
});

/** Whoever has failed for five days goes on being tried, and nobody is told. */
export const neverPaused = (store: Store): Store => ({
  ...bound(store),
  saveWebhook: (webhook) => store.saveWebhook(webhook.state === 'paused' ? { ...webhook, state: 'active' } : webhook),
});
