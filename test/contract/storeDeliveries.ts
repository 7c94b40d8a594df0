import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptMerchants, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { Store } from '../../src/store/store.ts';
import type { Delivery, OutboxEvent } from '../../src/webhooks/webhook.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';
import { answered, asked, claims, delivery, failed, hook, outboxEvent, send } from './storeWebhookFixtures.ts';

type Context = { after(fn: () => Promise<void>): void };

const to = (webhookId: string, dueAt: number, its: Partial<OutboxEvent> = {}): Delivery =>
  delivery(webhookId, { dueAt, event: outboxEvent(its) });

/** Which deliveries can be claimed: due, unclaimed, not too many of one webhook, and those of a subject in order. */
export function deliveryClaimContract(name: string, opened: () => Opened): void {
  // Everything that is due counts here, so that each test leaves nothing behind.
  const stage = async (t: Context) => {
    const { store } = opened();
    t.after(async () => {
      for (const { id } of await store.webhooks()) await store.removeWebhook(id);
    });
    return { store, first: await hook(store), second: await hook(store) };
  };

  test(`${name}: deliveries are claimed the longest overdue first, each by one node until its claim ends`, async (t) => {
    const { store, first, second } = await stage(t);
    const some = [to(first, NOW), to(second, NOW - 5), to(first, NOW + 1), to(first, NOW - 5), to(second, NOW - 9)];
    const ended = ['delivered', 'dead'].map((state) => ({ ...to(first, 1), state }) as Delivery);
    await send(store, ...some, ...ended);
    await claims(store, [some[4], some[1]], { limit: 2 });
    await claims(store, [some[3], some[0]]);
    await claims(store, []);
    await claims(store, [some[2]], { now: NOW + 59, until: NOW + 99 });
    await claims(store, [some[4], some[1], some[3], some[0]], { now: NOW + 60, until: NOW + 99 });
  });

  test(`${name}: a claim is limited for each webhook, and skips the named ones`, async (t) => {
    const { store, first, second } = await stage(t);
    const third = await hook(store);
    const crowd = await send(store, ...many(50, (index) => to(first, NOW - 100 + index)));
    const few = await send(store, ...many(3, (index) => to(second, NOW - 3 + index)));
    const late = await send(store, to(third, NOW));
    await claims(store, [...few.slice(0, 2), ...late], { each: 2, skip: [first] });
    await claims(store, [...crowd.slice(0, 4), few[2]], { each: 4 });
    await claims(store, crowd.slice(4, 6), { each: 4, limit: 2, skip: [second] });
    await claims(store, [], { skip: [first, second, third] });
    await claims(store, crowd.slice(6));
  });

  test(`${name}: deliveries are claimed for one merchant, or for all but some`, async (t) => {
    const { store, first, second } = await stage(t);
    const [one, other, third] = [nextId(), nextId(), nextId()];
    const some = [one, other, third, one, one].map((merchantId, at) => to(at % 2 ? first : second, NOW + at - 9, { merchantId }));
    await send(store, ...some);
    await claims(store, [], { merchants: onlyMerchant(nextId()) });
    await claims(store, [some[2]], { merchants: exceptMerchants([one, other]) });
    await claims(store, [some[0], some[3]], { merchants: onlyMerchant(one), each: 1 });
    await claims(store, [some[1]], { merchants: exceptMerchants([one]) });
    await claims(store, [some[4]]);
    assert.equal(await store.nextDeliveryAt(one), NOW - 9);
    assert.equal(await store.nextDeliveryAt(nextId()), null);
  });

  orderContract(name, stage);
}

type Stage = (t: Context) => Promise<{ readonly store: Store; readonly first: string; readonly second: string }>;

function orderContract(name: string, stage: Stage): void {
  const story = (webhookId: string, merchantId: string, subjectId = nextId()) =>
    [1, 2, 3].map((revision) => to(webhookId, NOW - revision, { merchantId, subjectId, revision })) as [
      Delivery,
      Delivery,
      Delivery,
    ];

  test(`${name}: later events of a subject wait for the earlier ones, with any outcome`, async (t) => {
    const { store, first } = await stage(t);
    const merchantId = nextId();
    const [one, two, three] = story(first, merchantId);
    await send(store, three, two, one);
    await claims(store, [one]);
    await claims(store, []);
    await claims(store, [one], { now: NOW + 60, until: NOW + 90 });
    const again = { ...one, dueAt: NOW + 500, tries: [failed] };
    await store.saveDeliveries([again]);
    assert.deepEqual(await store.delivery(first, one.id), again);
    await claims(store, [], { now: NOW + 400 });
    assert.equal(await store.nextDeliveryAt(merchantId), NOW + 500);
    await claims(store, [again], { now: NOW + 500, until: NOW + 510 });
    await store.saveDeliveries([{ ...again, state: 'dead', dueAt: NOW + 501, tries: [failed, failed] }]);
    assert.equal(await store.nextDeliveryAt(merchantId), two.dueAt);
    await claims(store, [two], { now: NOW + 501, until: NOW + 510 });
    await store.saveDeliveries([{ ...two, state: 'delivered', dueAt: NOW + 502, tries: [answered] }]);
    await claims(store, [three], { now: NOW + 502, until: NOW + 510 });
    await store.saveDeliveries([{ ...three, state: 'delivered', dueAt: NOW + 503, tries: [answered] }]);
    assert.equal(await store.nextDeliveryAt(merchantId), null);
  });

  test(`${name}: events that arrive during retries of earlier ones wait too, and late earlier events go first`, async (t) => {
    const { store, first } = await stage(t);
    const [one, two, three] = story(first, nextId());
    await send(store, two);
    await claims(store, [two]);
    const again = { ...two, dueAt: NOW + 500, tries: [failed] };
    await store.saveDeliveries([again]);
    await send(store, three);
    await claims(store, [], { now: NOW + 499 });
    await send(store, one);
    await claims(store, [one], { now: NOW + 500 });
    await store.saveDeliveries([{ ...one, state: 'delivered', dueAt: NOW + 500, tries: [answered] }]);
    await claims(store, [again], { now: NOW + 500 });
    await store.saveDeliveries([{ ...again, state: 'delivered', dueAt: NOW + 501 }]);
    await claims(store, [three], { now: NOW + 501 });
  });

  test(`${name}: no delivery waits for events of another subject, merchant or webhook, nor for those of the same revision`, async (t) => {
    const { store, first, second } = await stage(t);
    const [subjectId, one, other] = [nextId(), nextId(), nextId()];
    const later = { subjectId, revision: 2 };
    const some = [
      to(first, NOW + 100, { merchantId: one, subjectId }),
      to(first, NOW - 4, { merchantId: other, ...later }),
      to(second, NOW - 3, { merchantId: one, ...later }),
      to(first, NOW - 2, { merchantId: one, ...later, subjectId: nextId() }),
      to(first, NOW - 1, { merchantId: one, subjectId }),
      to(first, NOW, { merchantId: one, ...later }),
    ];
    await send(store, ...some);
    await claims(store, some.slice(1, 5));
  });

  test(`${name}: thousands that wait for earlier events block no others, and go when these have gone`, async (t) => {
    const { store, first } = await stage(t);
    const stories = many(1_000, () => story(first, 'merchant').slice(0, 2) as [Delivery, Delivery]);
    const back = stories.map(([one]) => ({ ...one, dueAt: NOW + 500 }));
    await send(store, ...back, ...stories.map(([, two]) => two));
    const [last] = await send(store, to(first, NOW));
    await claims(store, [last]);
    const wide = { ...asked, now: NOW + 500, until: NOW + 501, limit: 9_999, each: 9_999 };
    assert.deepEqual(await store.claimDeliveries({ ...wide, skip: [first] }), []);
    const claimed = await store.claimDeliveries(wide);
    assert.equal(claimed.length, 1_001);
    await store.saveDeliveries(claimed.map((one) => ({ ...one, state: 'delivered', dueAt: NOW + 500, tries: [answered] })));
    const waiting = stories.map(([, two]) => two).sort((one, other) => (one.id < other.id ? -1 : 1));
    await claims(store, waiting.slice(0, 100), { now: NOW + 500 });
  });
}

/** What is done with deliveries afterwards. */
export function deliveryContract(name: string, opened: () => Opened): void {
  const listed = async (question: Parameters<Store['deliveries']>[0]) => opened().store.deliveries(question);

  test(`${name}: hundreds are saved at once; deleted ones are left out, and ended ones do not change`, async () => {
    const { store } = opened();
    const webhookId = await hook(store);
    const some = await send(store, ...many(600, (index) => delivery(webhookId, { createdAt: NOW + index })));
    const states = ['due', 'delivered', 'dead'] as const;
    const settled = some.map(
      (one, at): Delivery => ({ ...one, state: states[at % 3] ?? 'due', dueAt: NOW + 5, tries: [failed, answered] }),
    );
    await store.saveDeliveries([...settled, delivery(webhookId), delivery(nextId())]);
    assert.deepEqual(await listed({ webhookId, limit: 999 }), settled.toReversed());
    assert.deepEqual(await store.countDeliveries(webhookId), { due: 200, delivered: 200, dead: 200 });
    const [due, delivered] = settled as [Delivery, Delivery];
    await store.saveDeliveries([
      { ...delivered, state: 'due', dueAt: 1, earlierTries: 2 },
      { ...due, state: 'dead', event: outboxEvent() },
    ]);
    assert.deepEqual(await store.delivery(webhookId, delivered.id), delivered);
    assert.deepEqual(await store.delivery(webhookId, due.id), { ...due, state: 'dead' });
    await store.saveDeliveries([]);
  });

  test(`${name}: deliveries are listed the newest first, page by page, by state and by when it happened`, async () => {
    const { store } = opened();
    const [webhookId, another] = [await hook(store), await hook(store)];
    const states = ['due', 'delivered', 'dead', 'delivered', 'due', 'delivered'] as const;
    const some = states.map((state, at) =>
      delivery(webhookId, { state, createdAt: NOW + (at >> 1), event: outboxEvent({ createdAt: NOW - at }) }),
    );
    await send(store, ...some, delivery(another));
    const all = some.toReversed();
    assert.deepEqual(await listed({ webhookId, limit: 9 }), all);
    assert.deepEqual(await listed({ webhookId: nextId(), limit: 9 }), []);
    const pages: Delivery[] = [];
    for (let after: Delivery | undefined; pages.length < 6; after = pages.at(-1)) {
      const page = await listed({ webhookId, limit: 2, ...(after ? { after } : {}) });
      assert.equal(page.length, 2);
      pages.push(...page);
    }
    assert.deepEqual(pages, all);
    assert.deepEqual(await listed({ webhookId, limit: 9, after: all[5] as Delivery }), []);
    const delivered = all.filter(({ state }) => state === 'delivered');
    assert.deepEqual(await listed({ webhookId, state: 'delivered', limit: 9 }), delivered);
    assert.deepEqual(await listed({ webhookId, state: 'delivered', limit: 1, after: all[1] as Delivery }), delivered.slice(1, 2));
    assert.deepEqual(await listed({ webhookId, from: NOW - 4, to: NOW - 1, limit: 9 }), all.slice(1, 4));
    assert.deepEqual(await listed({ webhookId, state: 'dead', from: NOW - 1, limit: 9 }), []);
    assert.deepEqual(await store.countDeliveries(webhookId), { due: 2, delivered: 3, dead: 1 });
    assert.equal(await store.delivery(another, some[0]?.id ?? ''), null);
  });

  againContract(name, opened);
}

function againContract(name: string, opened: () => Opened): void {
  test(`${name}: deliveries are redelivered by id, by state and by time; their earlier attempts stay and count no more`, async () => {
    const { store } = opened();
    const [webhookId, another] = [await hook(store), await hook(store)];
    const states = ['dead', 'delivered', 'dead', 'due'] as const;
    const made = (of: string) =>
      states.map((state, at) =>
        delivery(of, { state, tries: [failed], dueAt: NOW + 9, event: outboxEvent({ createdAt: NOW + at }) }),
      );
    const [some, others] = [made(webhookId), made(another)];
    await send(store, ...some, ...others);
    const again = (at: number, dueAt: number): Delivery => ({ ...(some[at] as Delivery), state: 'due', dueAt, earlierTries: 1 });
    const now = async () => Promise.all(some.map(({ id }) => store.delivery(webhookId, id)));
    const ids = [0, 1].map((at) => some[at]?.id ?? '');
    assert.equal(await store.redeliver({ webhookId, ids: [...ids, nextId(), others[0]?.id ?? ''] }, NOW + 20), 2);
    assert.deepEqual(await now(), [again(0, NOW + 20), again(1, NOW + 20), some[2], some[3]]);
    assert.equal(await store.redeliver({ webhookId, ids, state: 'dead' }, NOW + 30), 0);
    assert.equal(await store.redeliver({ webhookId, state: 'dead', from: NOW + 3 }, NOW + 30), 0);
    assert.equal(await store.redeliver({ webhookId, state: 'dead' }, NOW + 30), 1);
    assert.equal(await store.redeliver({ webhookId, from: NOW + 1, to: NOW + 3 }, NOW + 40), 2);
    assert.deepEqual(await now(), [again(0, NOW + 20), again(1, NOW + 40), again(2, NOW + 40), some[3]]);
    assert.equal(await store.redeliver({ webhookId, ids: [] }, NOW), 0);
    assert.equal(await store.redeliver({ webhookId }, NOW + 50), 4);
    assert.deepEqual(
      await now(),
      [0, 1, 2, 3].map((at) => again(at, NOW + 50)),
    );
    assert.deepEqual(await Promise.all(others.map(({ id }) => store.delivery(another, id))), others);
  });

  test(`${name}: thousands are redelivered, each once, and none is sent twice at the same time`, async () => {
    const { store } = opened();
    const webhookId = await hook(store);
    const merchantId = nextId();
    const stateAt = (index: number) => (index < 2_100 ? 'dead' : index % 2 ? 'delivered' : 'due');
    const made = many(2_300, (index) =>
      delivery(webhookId, {
        state: stateAt(index),
        dueAt: NOW + 9,
        createdAt: NOW + (index % 5),
        event: outboxEvent({ merchantId }),
      }),
    );
    await send(store, ...made);
    const merchants = onlyMerchant(merchantId);
    const underWay = await store.claimDeliveries({ now: NOW + 9, until: NOW + 99, limit: 50, each: 50, skip: [], merchants });
    assert.equal(underWay.length, 50);
    assert.equal(await store.redeliver({ webhookId }, NOW + 10), 2_300);
    assert.deepEqual(await store.countDeliveries(webhookId), { due: 2_300, delivered: 0, dead: 0 });
    const rest = await store.claimDeliveries({ now: NOW + 98, until: NOW + 99, limit: 9_999, each: 9_999, skip: [], merchants });
    assert.equal(rest.length, 2_250);
  });

  test(`${name}: earlier events that are redelivered go before later ones that are still due`, async () => {
    const { store } = opened();
    const [webhookId, merchantId, subjectId] = [await hook(store), nextId(), nextId()];
    const of = (revision: number, changes: Partial<Delivery>) =>
      delivery(webhookId, { ...changes, event: outboxEvent({ merchantId, subjectId, revision }) });
    const [one, two] = [of(1, { state: 'dead' }), of(2, { dueAt: NOW })];
    await send(store, one, two);
    assert.equal(await store.redeliver({ webhookId, ids: [one.id] }, NOW), 1);
    const merchants = onlyMerchant(merchantId);
    const again = { ...one, state: 'due', dueAt: NOW } as const;
    await claims(store, [again], { merchants });
    await store.saveDeliveries([{ ...again, state: 'delivered', tries: [answered] }]);
    await claims(store, [two], { merchants });
  });
}
