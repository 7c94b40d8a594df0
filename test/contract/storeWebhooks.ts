import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exceptMerchants, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { NewOutboxEvent } from '../../src/payments/ports.ts';
import { BrokenCommit, StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import type { Delivery, OutboxEvent, Webhook } from '../../src/webhooks/webhook.ts';
import { APPROVED, commit, moved, NOW, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';
import { acting, onward as further, many, register, registration, to } from './storeRegistrationFixtures.ts';
import { newSchedule, scheduling } from './storeScheduleFixtures.ts';
import { asked, deliveries, delivery, hook, onward, outboxEvent, send, webhook, webhooks } from './storeWebhookFixtures.ts';

/** A webhook changes only on the revision before, and takes with it what is on its way to it. */
export function webhookContract(name: string, opened: () => Opened): void {
  const found = async (id: string) => (await opened().store.webhooks()).find((one) => one.id === id);
  const back = async (made: Webhook) => {
    await opened().store.addWebhook(made);
    assert.deepEqual(await found(made.id), made);
  };

  test(`${name}: every field of any webhook comes back`, () => fc.assert(fc.asyncProperty(webhooks, back), { numRuns: 60 }));
  test(`${name}: a field of a later version of the program comes back in a webhook`, () =>
    back({ ...webhook(), region: 'eu' } as unknown as Webhook));

  test(`${name}: every field of any delivery comes back`, async () => {
    const { store } = opened();
    const webhookId = await hook(store);
    const came = async (made: Omit<Delivery, 'webhookId'>) => {
      await send(store, { ...made, webhookId });
      assert.deepEqual(await store.delivery(webhookId, made.id), { ...made, webhookId });
    };
    await fc.assert(fc.asyncProperty(deliveries, came), { numRuns: 60 });
  });

  test(`${name}: a webhook is saved on the previous revision only`, async () => {
    const { store } = opened();
    const made = webhook();
    await store.addWebhook(made);
    await assert.rejects(store.addWebhook(made), BrokenCommit);
    const paused = onward(made, {
      state: 'paused',
      why: 'nobody answered',
      failingSince: NOW,
      keys: [],
      url: 'https://x.example',
    });
    assert.equal(await store.saveWebhook(paused), true);
    for (const stale of [onward(made), onward(onward(paused)), onward(webhook())]) {
      assert.equal(await store.saveWebhook(stale), false);
    }
    assert.deepEqual(await found(made.id), paused);
    for (const other of [{ entityId: 'another' }, { createdAt: 1 }]) {
      await assert.rejects(store.saveWebhook(onward(paused, other)), BrokenCommit);
    }
    await assert.rejects(store.saveWebhook(made), BrokenCommit);
    for (const revision of [0, 2, 1.5]) await assert.rejects(store.addWebhook(webhook({ revision })), BrokenCommit);
    await assert.rejects(store.addWebhook(webhook({ id: '' })), BrokenCommit);
    assert.deepEqual(await found(made.id), paused);
  });

  test(`${name}: of 32 changes of one revision exactly one is stored`, async () => {
    const { store } = opened();
    const made = webhook();
    await store.addWebhook(made);
    const changes = many(32, (index) => onward(made, { name: `${index}` }));
    const kept = await Promise.all(changes.map((each) => store.saveWebhook(each)));
    assert.equal(kept.filter(Boolean).length, 1);
    assert.deepEqual(await found(made.id), changes[kept.indexOf(true)]);
  });

  test(`${name}: a webhook is deleted with its own deliveries only`, async () => {
    const { store } = opened();
    const [gone, stays] = [await hook(store), await hook(store)];
    const some = many(2_100, () => delivery(gone));
    await send(store, ...some);
    const [other] = await send(store, delivery(stays));
    assert.equal(await store.removeWebhook(gone), true);
    assert.equal(await store.removeWebhook(gone), false);
    assert.equal(await found(gone), undefined);
    assert.equal(await store.delivery(gone, some[0]?.id ?? ''), null);
    assert.deepEqual(await store.countDeliveries(gone), { due: 0, delivered: 0, dead: 0 });
    assert.deepEqual(await store.delivery(stays, other?.id ?? ''), other);
    await store.saveDeliveries(some.slice(0, 2));
    await send(store, delivery(gone));
    assert.deepEqual(await store.deliveries({ webhookId: gone, limit: 9 }), []);
    assert.equal(await store.redeliver({ webhookId: gone }, NOW), 0);
  });
}

/** Events are written in the commit that makes them, and fanned out once. */
export function eventContract(name: string, open: Open): void {
  test(`${name}: changes of payments and registrations are pending events, the oldest first`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const merchantId = nextId();
    const first = payment({ merchantId, phase: OPEN, movedAt: NOW + 5 });
    const begun = commit(first, 0);
    const ended = commit(moved(first, { phase: APPROVED, movedAt: NOW + 9 }), 1);
    for (const each of [begun, ended]) assert.equal((await store.commit(each)).is, 'kept');
    const held = registration({ entityId: 'another', movedAt: NOW + 7 });
    await register(store, held);
    const ownEvent: NewOutboxEvent = { id: nextId(), type: 'REGISTRATION', action: 'UPDATED', code: '000.100.112' };
    const extended = further(held, { movedAt: NOW + 8 });
    const extending = commit(acting(held, { movedAt: NOW + 8 }), 0, { registration: to(extended, 'kept', ownEvent) });
    assert.equal((await store.commit(extending)).is, 'kept');
    const all = await store.pendingEvents(asked.merchants, 9);
    const subject = { merchantId, entityId: 'channel', subjectId: first.id };
    const of = { ...subject, type: 'PAYMENT', action: null, transactionId: null, detail: null } as const;
    assert.deepEqual(
      all.filter((one) => one.merchantId === merchantId),
      [
        { ...of, id: begun.event.id, revision: 1, code: '000.200.000', createdAt: NOW + 5 },
        { ...of, id: ended.event.id, revision: 2, code: '000.100.110', createdAt: NOW + 9 },
      ] satisfies OutboxEvent[],
    );
    const { merchantId: its, entityId, id: subjectId } = held;
    assert.deepEqual(
      all.find(({ id }) => id === ownEvent.id),
      {
        ...ownEvent,
        merchantId: its,
        entityId,
        subjectId,
        revision: 2,
        createdAt: NOW + 8,
        transactionId: extending.payment.id,
        detail: null,
      },
    );
    assert.deepEqual(
      all.map(({ createdAt }) => createdAt - NOW),
      [0, 5, 8, 8, 9],
    );
    assert.deepEqual(await store.pendingEvents(asked.merchants, 2), all.slice(0, 2));
  });

  test(`${name}: a commit without an event is stored`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const first = payment({ phase: OPEN });
    await store.commit(commit(first, 0));
    assert.equal((await store.commit({ ...commit(moved(first, { phase: OPEN }), 1), event: null })).is, 'kept');
    const held = registration();
    const quiet = commit(payment({ paymentType: 'RG', id: held.id, registrationId: held.id }), 0, {
      registration: to(held, null),
    });
    assert.equal((await store.commit({ ...quiet, event: null })).is, 'kept');
    const events = await store.pendingEvents(asked.merchants, 9);
    assert.deepEqual(
      events.map(({ subjectId }) => subjectId),
      [first.id],
    );
  });

  test(`${name}: events of a schedule are under its own revisions, in a commit and without one`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = newSchedule();
    const event = (detail?: Readonly<Record<string, string>>): NewOutboxEvent => ({
      id: nextId(),
      type: 'SCHEDULE',
      action: null,
      code: '000.100.110',
      ...(detail && { detail }),
    });
    const [begun, retried, ended] = [event(), event({ change: 'retry' }), event()];
    const create = commit(scheduling(made), 0, { schedule: { schedule: made, dueAt: null, event: begun } });
    assert.equal((await store.commit({ ...create, event: null })).is, 'kept');
    const later = { ...made, revision: 2, movedAt: NOW + 1 };
    assert.equal(await store.saveSchedule(later, [], retried), true);
    assert.equal(await store.saveSchedule(later, [], event()), false, 'of another revision');
    const over = { ...later, revision: 3, state: 'over', nextAt: null, regularAt: null } as const;
    const ending = payment({ familyId: made.id, referencedId: made.id, paymentType: 'DS', movedAt: NOW + 2, amount: 0n });
    const descheduling = commit(ending, 1, { schedule: { schedule: over, dueAt: null, event: ended } });
    assert.equal((await store.commit({ ...descheduling, event: null })).is, 'kept');
    const of = { merchantId: 'merchant', entityId: 'channel', subjectId: made.id };
    const expected = [
      { ...begun, ...of, revision: 1, transactionId: made.id, detail: null, createdAt: NOW },
      { ...retried, ...of, revision: 2, transactionId: made.id, createdAt: NOW + 1 },
      { ...ended, ...of, revision: 3, transactionId: ending.id, detail: null, createdAt: NOW + 2 },
    ];
    assert.deepEqual(await store.pendingEvents(asked.merchants, 9), expected);
    const about = { subjectId: made.id, transactionId: ending.id };
    assert.deepEqual(await store.eventsOf('merchant', about), expected.slice(2));
    assert.deepEqual(await store.eventsOf('merchant', { ...about, transactionId: made.id }), expected.slice(0, 2));
  });

  test(`${name}: events before the creation of a webhook are never delivered to it, later ones are`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const older = await hook(store);
    // The clock of the webhook is far behind that of the events, and ahead of it.
    for (const createdAt of [1, NOW * 2]) {
      await store.commit(commit(payment(), 0));
      const before = await store.pendingEvents(asked.merchants, 9);
      const added = await hook(store, { createdAt });
      await store.commit(commit(payment(), 0));
      const all = await store.pendingEvents(asked.merchants, 9);
      const after = all.filter(({ id }) => !before.some((one) => one.id === id));
      const ways = [older, added].flatMap((id) => all.map((event) => delivery(id, { event })));
      await store.saveFanOut(all, ways);
      const deliveredTo = async (webhookId: string) =>
        (await store.deliveries({ webhookId, limit: 9 })).map(({ event }) => event.id).sort();
      assert.deepEqual(
        await deliveredTo(added),
        after.map(({ id }) => id),
      );
      assert.ok((await deliveredTo(older)).length >= all.length);
      await store.deleteEvents(0);
      await store.saveFanOut(all, ways);
      assert.deepEqual(
        await deliveredTo(added),
        after.map(({ id }) => id),
      );
      await store.removeWebhook(added);
    }
  });

  test(`${name}: an event is listed with the earlier events of its subject, with any clocks`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const held = registration();
    await register(store, held);
    const changes = [9, 7, 5].map((at, index) => {
      const message: NewOutboxEvent = { id: nextId(), type: 'REGISTRATION', action: 'UPDATED', code: '000.100.110' };
      const changed = { ...held, revision: index + 2, movedAt: NOW + at };
      return commit(acting(held, { movedAt: NOW + at }), 0, { registration: to(changed, 'kept', message) });
    });
    for (const change of changes) assert.equal((await store.commit({ ...change, event: null })).is, 'kept');
    await store.commit(commit(payment({ movedAt: NOW + 6 }), 0));
    const revisions = async (limit: number) =>
      (await store.pendingEvents(asked.merchants, limit))
        .filter(({ type }) => type === 'REGISTRATION')
        .map((one) => one.revision);
    const [first] = await store.pendingEvents(asked.merchants, 1);
    await store.saveFanOut(first ? [first] : [], []);
    assert.deepEqual((await revisions(1)).toSorted(), [2, 3, 4]);
    assert.deepEqual((await revisions(9)).toSorted(), [2, 3, 4]);
  });

  test(`${name}: events pass while there is no webhook, the oldest first, and stay where they are otherwise`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const [one, other] = [nextId(), nextId()];
    const happen = async (merchantId: string, movedAt: number) => store.commit(commit(payment({ merchantId, movedAt }), 0));
    for (const at of [3, 2, 5, 4]) await happen(at === 4 ? other : one, NOW + at);
    const ages = async () => (await store.pendingEvents(asked.merchants, 9)).map(({ createdAt }) => createdAt - NOW);
    const states = ['unproven', 'off', 'active', 'paused'] as const;
    for (const state of states) {
      const webhookId = await hook(store, { state });
      assert.equal(await store.passEvents(asked.merchants, 9), 0, state);
      await store.removeWebhook(webhookId);
    }
    assert.deepEqual(await ages(), [2, 3, 4, 5]);
    assert.equal(await store.passEvents(onlyMerchant(nextId()), 9), 0);
    assert.equal(await store.passEvents(exceptMerchants([one, other]), 9), 0);
    assert.equal(await store.passEvents(onlyMerchant(one), 2), 2);
    assert.deepEqual(await ages(), [4, 5]);
    assert.equal(await store.passEvents(exceptMerchants([one]), 9), 1);
    assert.deepEqual(await ages(), [5]);
    assert.equal(await store.passEvents(asked.merchants, 9), 1);
    assert.equal(await store.passEvents(asked.merchants, 9), 0);
    // They stay a part of the past, and are deleted like others.
    assert.equal(await store.deleteEvents(NOW + 4), 2);
    assert.equal(await store.deleteEvents(NOW * 2), 2);
  });

  test(`${name}: events are fanned out once, other events stay, and late ones are not skipped`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const webhookId = await hook(store);
    const [one, other] = [nextId(), nextId()];
    const happen = async (merchantId: string, movedAt: number) => store.commit(commit(payment({ merchantId, movedAt }), 0));
    for (const at of [3, 2, 5]) await happen(one, NOW + at);
    await happen(other, NOW + 4);
    const ages = async (merchants = asked.merchants as Parameters<typeof store.pendingEvents>[0]) =>
      (await store.pendingEvents(merchants, 9)).map(({ createdAt }) => createdAt - NOW);
    assert.deepEqual(await ages(), [2, 3, 4, 5]);
    assert.deepEqual(await ages(onlyMerchant(one)), [2, 3, 5]);
    assert.deepEqual(await ages(exceptMerchants([one])), [4]);
    assert.deepEqual(await ages(onlyMerchant(nextId())), []);
    const some = await store.pendingEvents(onlyMerchant(one), 9);
    const ways = some.map((each) => delivery(webhookId, { event: each }));
    await store.saveFanOut(some, ways);
    assert.deepEqual(await ages(), [4]);
    await happen(one, NOW + 1);
    assert.deepEqual(await ages(), [1, 4]);
    const again = some.map((each) => delivery(webhookId, { event: each, dueAt: 1 }));
    await store.saveFanOut(some, [...ways, ...again]);
    const listed = await store.deliveries({ webhookId, limit: 9 });
    assert.deepEqual(listed.toReversed(), ways);
    // The same id at another merchant is another event.
    const twin = delivery(webhookId, { event: { ...(some[0] as OutboxEvent), merchantId: other } });
    await send(store, twin);
    assert.deepEqual(await store.delivery(webhookId, twin.id), twin);
  });

  test(`${name}: events are fanned out together with their deliveries or not at all, and never to a removed webhook`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const [webhookId, another] = [await hook(store), await hook(store)];
    await store.commit(commit(payment(), 0));
    const [one] = (await store.pendingEvents(asked.merchants, 9)) as [OutboxEvent];
    const [taken] = await send(store, delivery(webhookId));
    const clash = delivery(webhookId, { id: taken?.id ?? '', event: outboxEvent() });
    await assert.rejects(store.saveFanOut([one], [delivery(another, { event: one }), clash]), BrokenCommit);
    assert.deepEqual(await store.pendingEvents(asked.merchants, 9), [one]);
    assert.deepEqual(await store.deliveries({ webhookId: another, limit: 9 }), []);
    await store.removeWebhook(another);
    const ways = [another, webhookId].map((each) => delivery(each, { event: one }));
    await store.saveFanOut([one], ways);
    assert.deepEqual(await store.pendingEvents(asked.merchants, 9), []);
    assert.deepEqual(await store.deliveries({ webhookId: another, limit: 9 }), []);
    assert.deepEqual(await store.delivery(webhookId, ways[1]?.id ?? ''), ways[1]);
    await store.saveFanOut([], []);
  });

  test(`${name}: ended deliveries and fanned-out events are deleted, thousands at once; due and new ones stay`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const webhookId = await hook(store);
    const happen = many(2_100, (index) => commit(payment({ movedAt: NOW + (index % 3) }), 0));
    await Promise.all(happen.map((each) => store.commit(each)));
    const all = await store.pendingEvents(asked.merchants, 9_999);
    assert.equal(all.length, 2_100);
    const states = ['delivered', 'dead', 'due'] as const;
    const ways = all.map((each, at) =>
      delivery(webhookId, { event: each, state: states[at % 3] ?? 'due', dueAt: NOW + (at % 2) }),
    );
    await store.saveFanOut(all.slice(0, 2_090), ways);
    assert.equal(await store.deleteEvents(NOW), 0);
    assert.equal(await store.deleteEvents(NOW + 1), 700 + 700);
    assert.equal(await store.deleteEvents(NOW + 9), 700 + 1_390);
    assert.equal(await store.deleteEvents(NOW + 9), 0);
    assert.deepEqual(await store.countDeliveries(webhookId), { due: 700, delivered: 0, dead: 0 });
    assert.deepEqual(await store.pendingEvents(asked.merchants, 99), all.slice(2_090));
  });

  test(`${name}: a closed store refuses webhook calls`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.close();
    await assert.rejects(store.webhooks(), StoreOutOfOrder);
    await assert.rejects(store.addWebhook(webhook()), StoreOutOfOrder);
    await assert.rejects(store.claimDeliveries(asked), StoreOutOfOrder);
    await assert.rejects(store.saveFanOut([outboxEvent()], []), StoreOutOfOrder);
    await assert.rejects(store.saveDeliveries([delivery('x')]), StoreOutOfOrder);
  });
}
