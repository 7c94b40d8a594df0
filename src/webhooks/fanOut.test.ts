import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../app/system.ts';
import { allMerchants, exceptMerchants, onlyMerchant } from '../merchants/merchantFilter.ts';
import { exampleCommit, examplePayment } from '../payments/examples.ts';
import type { NewOutboxEvent } from '../payments/ports.ts';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { exampleWebhook } from './examples.ts';
import { fanOut } from './fanOut.ts';
import { DELIVERY_LIFE_MS } from './handleDispatch.ts';
import type { Webhook } from './webhook.ts';

const T = 1_790_000_000_000;
const ids = createIds(() => T);
const clock = { now: () => T };
const [psp, merchant, channel, other] = ['psp', 'f1', '01', '02'].map((end) => end.padStart(32, '5')) as [
  string,
  string,
  string,
  string,
];
const entity = (id: string) => (id === channel || id === other ? { path: [id, merchant, psp] } : null);

async function happen(
  store: ReturnType<typeof createMemoryStore>,
  type: NewOutboxEvent['type'],
  entityId = channel,
): Promise<string> {
  const payment = examplePayment({ id: ids.next(), merchantId: merchant, entityId });
  const message: NewOutboxEvent = { id: ids.next(), type, action: null, code: '000.100.110' };
  const outcome = await store.commit(exampleCommit(payment, { event: message }));
  assert.equal(outcome.is, 'kept');
  return message.id;
}

const subscribers: readonly (readonly [says: string, webhook: Partial<Webhook>, hears: boolean])[] = [
  ['of the channel', { entityId: channel }, true],
  ['of its merchant', { entityId: merchant }, true],
  ['of the PSP above', { entityId: psp }, true],
  ['of another channel', { entityId: other }, false],
  ['for other types', { entityId: merchant, types: ['RISK', 'SCHEDULE'] }, false],
  ['unproven', { entityId: merchant, state: 'unproven' }, false],
  ['switched off', { entityId: merchant, state: 'off', why: 'by hand' }, false],
  ['paused by us', { entityId: merchant, state: 'paused', why: 'it failed', changedAt: T }, true],
  ['paused too long ago', { entityId: merchant, state: 'paused', why: 'it failed', changedAt: T - DELIVERY_LIFE_MS }, false],
];
for (const [says, given, hears] of subscribers) {
  test(`a webhook ${says} ${hears ? 'hears' : 'does not hear'} of a payment`, async () => {
    const store = createMemoryStore();
    const webhook = exampleWebhook({ id: ids.next(), ...given });
    await store.addWebhook(webhook);
    const eventId = await happen(store, 'PAYMENT');
    assert.equal(await fanOut({ store, ids, entity }, { merchants: allMerchants, clock }), 1);
    const made = await store.deliveries({ webhookId: webhook.id, limit: 10 });
    assert.deepEqual(
      made.map(({ event, state, dueAt, tries }) => [event.id, state, dueAt, tries.length]),
      hears ? [[eventId, 'due', T, 0]] : [],
    );
    assert.equal(await fanOut({ store, ids, entity }, { merchants: allMerchants, clock }), 0);
  });
}

test('more events than fit into one commit, fanned out by two nodes at once: each webhook receives each once', async () => {
  const store = createMemoryStore();
  const webhooks = [exampleWebhook({ id: ids.next(), entityId: merchant }), exampleWebhook({ id: ids.next(), entityId: psp })];
  for (const webhook of webhooks) await store.addWebhook(webhook);
  const sent: string[] = [];
  for (let at = 0; at < 620; at += 1) sent.push(await happen(store, at % 2 ? 'PAYMENT' : 'RISK', at % 3 ? channel : other));
  const turn = { merchants: allMerchants, clock };
  await Promise.all([fanOut({ store, ids, entity }, turn), fanOut({ store, ids, entity }, turn)]);
  for (const { id } of webhooks) {
    const heard = (await store.deliveries({ webhookId: id, limit: 2_000 })).map(({ event }) => event.id);
    assert.deepEqual(heard.toSorted(), sent.toSorted());
  }
});

test('only the events of the merchants whose turn it is', async () => {
  const store = createMemoryStore();
  await happen(store, 'PAYMENT');
  assert.equal(await fanOut({ store, ids, entity }, { merchants: exceptMerchants([merchant]), clock }), 0);
  assert.equal(await fanOut({ store, ids, entity }, { merchants: onlyMerchant(merchant), clock }), 1);
});

test('without a webhook events are passed on, and only the first of them is read', async () => {
  const store = createMemoryStore();
  const read: number[] = [];
  const watched = {
    webhooks: () => store.webhooks(),
    saveFanOut: store.saveFanOut,
    passEvents: store.passEvents,
    pendingEvents: async (...[merchants, limit]: Parameters<typeof store.pendingEvents>) => {
      const events = await store.pendingEvents(merchants, limit);
      read.push(events.length);
      return events;
    },
  };
  for (let count = 0; count < 501; count += 1) await happen(store, 'PAYMENT');
  assert.equal(await fanOut({ store: watched, ids, entity }, { merchants: allMerchants, clock }), 501);
  assert.equal(await fanOut({ store: watched, ids, entity }, { merchants: allMerchants, clock }), 0);
  assert.deepEqual(read, [1, 0]);
});

test('a webhook that is added while events are passed on gets those that come after it', async () => {
  const store = createMemoryStore();
  await happen(store, 'PAYMENT');
  const webhook = exampleWebhook({ id: ids.next(), entityId: merchant });
  let eventId = '';
  const added = {
    webhooks: () => store.webhooks(),
    saveFanOut: store.saveFanOut,
    pendingEvents: store.pendingEvents,
    passEvents: async (...asked: Parameters<typeof store.passEvents>) => {
      if (eventId === '') {
        await store.addWebhook(webhook);
        eventId = await happen(store, 'PAYMENT');
      }
      return store.passEvents(...asked);
    },
  };
  assert.equal(await fanOut({ store: added, ids, entity }, { merchants: allMerchants, clock }), 2);
  const made = await store.deliveries({ webhookId: webhook.id, limit: 10 });
  assert.deepEqual(
    made.map(({ event }) => event.id),
    [eventId],
  );
});
