import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedQueues } from '../../src/payments/ports.ts';
import type { OutboxEvent } from '../../src/webhooks/webhook.ts';
import { NOW, nextId, type Open } from './storeFixtures.ts';
import { newSchedule, storeSchedule } from './storeScheduleFixtures.ts';
import { asked, delivery, hook, outboxEvent, send } from './storeWebhookFixtures.ts';

const query = { now: NOW, limit: 100, except: [] } as const;

/** The lengths of queues, and the oldest entry of each. */
export function queueContract(name: string, open: Open): void {
  const stage = async (t: { after(fn: () => Promise<void>): void }) => {
    const { store, end } = await open();
    t.after(end);
    return store;
  };

  test(`${name}: an empty queue has no oldest entry`, async (t) => {
    const store = await stage(t);
    for (const queue of countedQueues)
      assert.deepEqual(await store.queueLength(queue, query), { length: 0, oldestAt: null }, queue);
  });

  test(`${name}: due deliveries count when their turn has come, claimed or not, up to the limit`, async (t) => {
    const store = await stage(t);
    const [first, second] = [await hook(store), await hook(store)];
    const [merchantId, subjectId] = [nextId(), nextId()];
    const to = (webhookId: string, dueAt: number, its: Partial<OutboxEvent> = {}) =>
      delivery(webhookId, { dueAt, event: outboxEvent(its) });
    const turns = [1, 2].map((revision) => to(first, NOW + 9 - revision * 10, { merchantId, subjectId, revision }));
    await send(store, to(first, NOW), to(first, NOW + 1), to(second, NOW - 7), to(first, NOW - 5, { merchantId }), ...turns);
    await send(store, { ...to(first, NOW - 90), state: 'delivered' }, { ...to(first, NOW - 90), state: 'dead' });
    const of = (changes: Partial<typeof query> | object = {}) => store.queueLength('deliveries', { ...query, ...changes });
    // Revision 2 was due earlier than revision 1, and waits for it.
    assert.deepEqual(await of(), { length: 5, oldestAt: NOW - 7 });
    assert.deepEqual(await of({ now: NOW - 1 }), { length: 4, oldestAt: NOW - 7 });
    assert.deepEqual(await of({ now: NOW - 2 }), { length: 2, oldestAt: NOW - 7 });
    assert.deepEqual(await of({ now: NOW + 1 }), { length: 6, oldestAt: NOW - 7 });
    assert.deepEqual(await of({ except: [merchantId] }), { length: 2, oldestAt: NOW - 7 });
    assert.deepEqual(await of({ limit: 1 }), { length: 1, oldestAt: NOW - 7 });
    await store.claimDeliveries(asked);
    assert.deepEqual(await of(), { length: 5, oldestAt: NOW - 7 });
  });

  test(`${name}: due schedules and the events of their change count, without those of a merchant that is left out`, async (t) => {
    const store = await stage(t);
    const merchantId = nextId();
    for (const nextAt of [NOW - 3, NOW, NOW + 1]) await storeSchedule(store, newSchedule({ nextAt }));
    await storeSchedule(store, newSchedule({ merchantId, nextAt: NOW - 9 }));
    await storeSchedule(store, newSchedule({ state: 'over', nextAt: null }));
    const of = (changes: object = {}) => store.queueLength('schedules', { ...query, ...changes });
    assert.deepEqual(await of(), { length: 3, oldestAt: NOW - 9 });
    assert.deepEqual(await of({ except: [merchantId] }), { length: 2, oldestAt: NOW - 3 });
    assert.deepEqual(await of({ limit: 2 }), { length: 2, oldestAt: NOW - 9 });
    const later = { ...query, now: Number.MAX_SAFE_INTEGER, limit: 1_000 };
    const events = await store.pendingEvents({ kind: 'except', merchantIds: [] }, 1_000);
    assert.ok(events.length > 0);
    assert.deepEqual(await store.queueLength('events', later), { length: events.length, oldestAt: events[0]?.createdAt });
    const others = events.filter((event) => event.merchantId !== merchantId);
    assert.equal((await store.queueLength('events', { ...later, except: [merchantId] })).length, others.length);
    await store.saveFanOut(events, []);
    assert.deepEqual(await store.queueLength('events', later), { length: 0, oldestAt: null });
  });
}
