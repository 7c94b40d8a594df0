import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDispatcher } from '../../src/webhooks/dispatch.ts';
import { fanOut } from '../../src/webhooks/fanOut.ts';
import { expireDeliveries } from '../../src/webhooks/handleDispatch.ts';
import { activate, reminders } from '../../src/webhooks/webhookState.ts';
import { TOLERANCE_MS, verify } from '../../src/webhooks/wireFormat.ts';
import { createFixture, payloadIn, quick, T } from './fixture.ts';
import type { Manner } from './receiver.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];

test('an event arrives encrypted and signed, and decrypts to the webhook payload', async () => {
  const fixture = await createFixture();
  const [bare, wrapped] = [await fixture.receiver(), await fixture.receiver({ wrapper: 'JSON', fields: 'NON_CUSTOMER_DATA' })];
  const payment = await fixture.happen();
  await fixture.deliver();
  const [one] = bare.heard;
  assert.ok(one);
  assert.deepEqual(
    [payloadIn(one).type, payloadIn(one).payload.id, payloadIn(one).payload.card.holder],
    ['PAYMENT', payment.id, 'Ann Example'],
  );
  assert.deepEqual([one.verdict, one.headers['content-type']], ['good', 'text/plain']);
  assert.match(one.body, /^[0-9A-F]+$/);
  const [other] = wrapped.heard;
  assert.ok(other);
  assert.match(other.body, /^\{"encryptedBody":"[0-9A-F]+"\}$/);
  assert.deepEqual([other.headers['content-type'], payloadIn(other).payload.card.holder], ['application/json', undefined]);
  assert.equal(other.id, one.id, 'an event has the same id at every webhook');
  const signed = { ...one.headers } as never;
  const asked = { body: one.body, keys: bare.keys };
  assert.equal(verify(signed, { ...asked, now: T + TOLERANCE_MS }), 'good');
  assert.equal(verify(signed, { ...asked, now: T + TOLERANCE_MS + 1_000 }), 'stale', 'a replay is refused');
});

test('an event is read once for all its webhooks; each gets the fields that it may see', async () => {
  const fixture = await createFixture();
  const everything = [await fixture.receiver(), await fixture.receiver(), await fixture.receiver({ wrapper: 'JSON' })];
  const some = await fixture.receiver({ fields: 'NON_CUSTOMER_DATA' });
  const asked: string[] = [];
  const payloadFor: typeof fixture.needs.payloadFor = (event) => {
    asked.push(event.id);
    return fixture.needs.payloadFor(event);
  };
  const dispatcher = createDispatcher({ ...fixture.needs, payloadFor });
  const { store, ids, turn } = fixture;
  const [first, second] = [await fixture.happen(), await fixture.happen()];
  await fanOut({ store, ids, entity: () => null }, turn);
  await dispatcher.run(turn);
  await dispatcher.idle();
  assert.deepEqual([asked.length, new Set(asked).size], [4, 2], 'two events, with personal data and without');
  const holdersAt = (receiver: (typeof everything)[number]) =>
    Object.fromEntries(receiver.accepted.map((one) => [payloadIn(one).payload.id, payloadIn(one).payload.card.holder]));
  for (const receiver of everything)
    assert.deepEqual(holdersAt(receiver), { [first.id]: 'Ann Example', [second.id]: 'Ann Example' });
  assert.deepEqual(holdersAt(some), { [first.id]: undefined, [second.id]: undefined });
});

const manners: readonly (readonly [Manner, status: number | null, why: RegExp | null])[] = [
  ['ok', 200, null],
  ['slow', 202, null],
  ['error', 500, /answered 500/],
  ['busy', 429, /answered 429/],
  ['gone', 410, /answered 410/],
  ['redirect', 302, /redirect/],
  ['reset', null, /ECONNRESET/],
  ['hang', null, /no answer within 15 s/],
];
for (const [manner, status, why] of manners) {
  test(`a receiver that is ${manner}`, async () => {
    const fixture = await createFixture(manner === 'hang' ? quick : undefined);
    const receiver = await fixture.receiver();
    receiver.manner = manner;
    await fixture.happen();
    await fixture.deliver();
    const [delivery] = await fixture.store.deliveries({ webhookId: receiver.webhook.id, limit: 2 });
    const [attempt] = delivery?.tries ?? [];
    assert.ok(delivery && attempt);
    assert.deepEqual([delivery.tries.length, attempt.status, delivery.state], [1, status, why ? 'due' : 'delivered']);
    if (why) assert.match(attempt.why ?? '', why);
    else assert.equal(attempt.why, null);
    const wait = manner === 'busy' ? 120 * MINUTE : MINUTE;
    if (why) assert.deepEqual([delivery.dueAt >= T + wait, delivery.dueAt <= T + wait + MINUTE / 4], [true, true]);
    assert.doesNotMatch(JSON.stringify(delivery), /thank you|"no"/, 'nothing of the answer is kept');
    assert.ok(receiver.heard.every(({ headers }) => headers.host !== undefined));
    assert.equal(receiver.heard.length, 1, 'no redirect is followed, and there is one call only');
  });
}

test('410 disables the webhook, with an alert; due deliveries wait until it is enabled again', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  receiver.manner = 'gone';
  await fixture.happen();
  await fixture.deliver();
  assert.equal((await fixture.webhookNow(receiver.webhook.id))?.state, 'off');
  assert.match(fixture.alerts.join(), /orders: it answered 410/);
  await fixture.goOnUntil(T + DAY);
  assert.equal(receiver.heard.length, 1);
  receiver.manner = 'ok';
  const off = await fixture.webhookNow(receiver.webhook.id);
  assert.ok(off);
  const { webhook } = await activate({ ...fixture.needs, store: fixture.store, ids: fixture.ids }, off);
  assert.deepEqual([webhook?.state, webhook?.why], ['active', null]);
  assert.deepEqual(payloadIn(receiver.accepted[0] as never), { type: 'test', action: 'webhook activation', payload: {} });
  fixture.clock.at += 2_000;
  await fixture.deliver();
  assert.equal(payloadIn(receiver.accepted[1] as never).type, 'PAYMENT');
});

test('Retry-After of a receiver also holds for other events', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  receiver.manner = 'busy';
  await fixture.happen();
  await fixture.deliver();
  receiver.manner = 'ok';
  await fixture.happen();
  fixture.clock.at = T + 30 * MINUTE;
  await fixture.deliver();
  assert.equal(receiver.heard.length, 1);
  fixture.clock.at = T + 61 * MINUTE;
  await fixture.deliver();
  assert.equal(receiver.accepted.length, 1);
  fixture.clock.at = T + 121 * MINUTE;
  await fixture.deliver();
  assert.equal(receiver.accepted.length, 2);
});

test('a receiver that is down for a day gets everything afterwards, in order per payment, each under its id', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  const eventIds: string[] = [];
  receiver.manner = 'reset';
  for (let hour = 0; hour < 24; hour += 1) {
    receiver.manner = (['reset', 'error', 'redirect'] as const)[hour % 3] ?? 'reset';
    const redirect = { url: 'https://bank.example/', parameters: [] };
    const open = await fixture.happen(null, { at: 'shopper', redirect, tries: 0, until: T + DAY, dueAt: T + DAY });
    await fixture.happen(open);
    await fixture.goOnUntil(T + (hour + 1) * 60 * MINUTE);
    if (hour === 12) fixture.restart();
  }
  for (const { event: one } of await fixture.store.deliveries({ webhookId: receiver.webhook.id, limit: 100 }))
    eventIds.push(one.id);
  assert.equal(eventIds.length, 48);
  const before = receiver.heard.length;
  assert.ok(before > 100 && receiver.accepted.length === 0);
  assert.ok(((await fixture.webhookNow(receiver.webhook.id))?.failingSince ?? 0) < T + MINUTE);
  receiver.manner = 'ok';
  await fixture.goOnUntil(T + 3 * DAY);
  assert.deepEqual([...new Set(receiver.accepted.map(({ id }) => id))].toSorted(), eventIds.toSorted());
  assert.ok(receiver.heard.every(({ id, verdict }) => eventIds.includes(id) && verdict === 'good'));
  const codes = Map.groupBy(receiver.accepted.map(payloadIn), ({ payload }) => payload.id);
  for (const list of codes.values()) {
    assert.deepEqual(
      list.map(({ payload }) => payload.result.code),
      ['000.200.000', '000.100.110'],
    );
  }
  assert.equal((await fixture.webhookNow(receiver.webhook.id))?.failingSince, null);
});

test('five days of failure pause a webhook; enabled within 30 days it gets the events in between', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  receiver.manner = 'error';
  for (let day = 0; day < 7; day += 1) {
    await fixture.happen();
    await fixture.goOnUntil(T + (day + 1) * DAY);
  }
  const paused = await fixture.webhookNow(receiver.webhook.id);
  assert.ok(paused);
  assert.deepEqual([paused.state, fixture.alerts], ['paused', ['orders: nothing could be delivered for 5 days']]);
  assert.match(reminders([paused], fixture.clock.now())[0]?.message ?? '', /paused/);
  const calls = receiver.heard.length;
  await fixture.happen();
  await fixture.goOnUntil(T + 10 * DAY);
  assert.equal(receiver.heard.length, calls, 'a paused webhook gets no calls');
  receiver.manner = 'ok';
  await activate({ ...fixture.needs, store: fixture.store, ids: fixture.ids }, paused);
  fixture.clock.at += 2_000;
  await fixture.goOnUntil(T + 12 * DAY);
  const real = receiver.accepted.filter((one) => payloadIn(one).type === 'PAYMENT');
  assert.equal(new Set(real.map(({ id }) => id)).size, 8);
});

test('a webhook that was enabled again and fails again has five days again', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  receiver.manner = 'error';
  await fixture.happen();
  await fixture.goOnUntil(T + 6 * DAY);
  const paused = await fixture.webhookNow(receiver.webhook.id);
  assert.equal(paused?.state, 'paused');
  await fixture.store.saveWebhook({
    ...(paused as NonNullable<typeof paused>),
    state: 'active',
    why: null,
    failingSince: null,
    changedAt: fixture.clock.now(),
    revision: (paused?.revision ?? 0) + 1,
  });
  await fixture.goOnUntil(T + 8 * DAY);
  const again = await fixture.webhookNow(receiver.webhook.id);
  assert.deepEqual([again?.state, (again?.failingSince ?? 0) >= T + 6 * DAY], ['active', true]);
});

test('after 30 days an undelivered event is dead, is listed, and can be sent again', async () => {
  const fixture = await createFixture();
  const [flaky, paused] = [await fixture.receiver(), await fixture.receiver({ state: 'paused', why: 'it failed' })];
  await fixture.happen();
  flaky.manner = 'error';
  await fixture.deliver();
  for (let day = 1; day <= 31; day += 1) {
    // Something gets through every day, so it is never paused.
    fixture.clock.at = T + day * DAY;
    await fixture.deliver();
    const webhook = await fixture.webhookNow(flaky.webhook.id);
    if (webhook?.failingSince)
      await fixture.store.saveWebhook({
        ...webhook,
        failingSince: null,
        changedAt: fixture.clock.now(),
        revision: webhook.revision + 1,
      });
  }
  const [dead] = await fixture.store.deliveries({ webhookId: flaky.webhook.id, state: 'dead', limit: 5 });
  assert.ok(dead && dead.tries.length >= 12, `${dead?.tries.length} tries`);
  assert.equal(await expireDeliveries(fixture.store, fixture.turn), 1);
  assert.deepEqual(await fixture.store.countDeliveries(paused.webhook.id), { due: 0, delivered: 0, dead: 1 });
  flaky.manner = 'ok';
  assert.equal(await fixture.store.redeliver({ webhookId: flaky.webhook.id, state: 'dead' }, fixture.clock.now()), 1);
  await fixture.deliver();
  assert.deepEqual([flaky.accepted.length, flaky.accepted[0]?.id], [1, dead.event.id]);
});

test('key rotation loses nothing: either key verifies the signature, the new one decrypts', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  for (let at = 0; at < 20; at += 1) await fixture.happen();
  await fixture.deliver();
  const older = receiver.keys;
  const rotated = await fixture.keys.rotate(receiver.webhook, { now: fixture.clock.now(), untilMs: DAY });
  assert.ok(rotated);
  for (let at = 0; at < 20; at += 1) await fixture.happen();
  fixture.clock.at += 2_000;
  await fixture.deliver();
  assert.ok(receiver.heard.slice(20).every(({ verdict, text }) => verdict === 'good' && text === null));
  receiver.keys = [Buffer.from(rotated.hex, 'hex'), ...older];
  for (let at = 0; at < 20; at += 1) await fixture.happen();
  fixture.clock.at += 2 * DAY;
  await fixture.deliver();
  assert.ok(receiver.heard.slice(40).every(({ verdict, text }) => verdict === 'good' && text !== null));
  assert.equal(new Set(receiver.accepted.map(({ id }) => id)).size, 60);
  assert.equal(receiver.heard.at(-1)?.headers['webhook-signature']?.toString().split(' ').length, 1);
});

test('receivers that hang do not delay others; a stopped dispatcher releases deliveries it has not begun', async () => {
  const fixture = await createFixture();
  const hanging = await Promise.all(Array.from({ length: 10 }, () => fixture.receiver({ name: 'hangs' })));
  const well = await fixture.receiver();
  for (const receiver of hanging) receiver.manner = 'hang';
  for (let at = 0; at < 60; at += 1) await fixture.happen();
  await fanOut({ store: fixture.store, ids: fixture.ids, entity: () => null }, fixture.turn);
  const deliverer = createDispatcher(fixture.needs);
  for (let times = 0; times < 50 && well.accepted.length < 60; times += 1) await deliverer.run(fixture.turn);
  assert.equal(well.accepted.length, 60);
  assert.deepEqual(
    hanging.map(({ heard }) => heard.length),
    hanging.map(() => 1),
    'a receiver that has not answered has one open call',
  );
  await deliverer.stop(100);
  const asked = { now: T, until: T, limit: 1_000, each: 1_000, skip: [well.webhook.id], merchants: fixture.turn.merchants };
  assert.equal((await fixture.store.claimDeliveries(asked)).length, 600 - 10);
});

test('events without a payload: the payment is gone, or the store or the keys fail', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  await fixture.happen();
  const { payloadFor: createPayload } = fixture.needs;
  const run = async (needs: Partial<typeof fixture.needs>) => {
    await fanOut({ store: fixture.store, ids: fixture.ids, entity: () => null }, fixture.turn);
    const deliverer = createDispatcher({ ...fixture.needs, ...needs });
    await deliverer.run(fixture.turn);
    await deliverer.idle();
    return (await fixture.store.deliveries({ webhookId: receiver.webhook.id, limit: 1 }))[0];
  };
  const failed = await run({ payloadFor: () => Promise.reject(new Error('the store is out of order')) });
  assert.deepEqual([failed?.state, failed?.tries[0]?.why], ['due', 'the payload could not be created']);
  fixture.clock.at += 2 * MINUTE;
  await run({ payloadFor: createPayload, keys: { read: () => Promise.reject(new Error('sealed')) } });
  assert.equal(
    (await fixture.webhookNow(receiver.webhook.id))?.failingSince,
    null,
    'our own failure does not count against the webhook',
  );
  fixture.clock.at += 4 * MINUTE;
  const gone = await run({ payloadFor: async () => null });
  assert.deepEqual([gone?.state, gone?.tries.length, receiver.heard.length], ['dead', 3, 0]);
});

test('a test delivery without a success answer does not activate a webhook', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver({ state: 'unproven' });
  const needs = { ...fixture.needs, store: fixture.store, ids: fixture.ids };
  for (const manner of ['error', 'redirect', 'reset', 'gone'] as const) {
    receiver.manner = manner;
    const { tried } = await activate(needs, receiver.webhook);
    assert.notEqual(tried.why, null);
    assert.equal((await fixture.webhookNow(receiver.webhook.id))?.state, 'unproven');
  }
  receiver.manner = 'ok';
  const moved = { ...receiver.webhook, url: 'http://127.0.0.1:1/', revision: 2 };
  await fixture.store.saveWebhook(moved);
  assert.equal((await activate(needs, receiver.webhook)).webhook?.state, 'unproven', 'another address is not activated');
  await fixture.store.saveWebhook({ ...moved, url: receiver.url, revision: 3 });
  assert.equal((await activate(needs, receiver.webhook)).webhook?.state, 'active');
});

test('two nodes at once, one of which is killed: everything arrives, in order', async () => {
  const fixture = await createFixture();
  const receiver = await fixture.receiver();
  receiver.manner = 'slow';
  for (let at = 0; at < 10; at += 1) await fixture.happen();
  // This node leases what it can and is then killed: its results are never saved.
  const settle = async () => new Promise<void>(() => {});
  await fanOut({ store: fixture.store, ids: fixture.ids, entity: () => null }, fixture.turn);
  const killed = createDispatcher({ ...fixture.needs, store: { ...fixture.store, saveDeliveries: settle } });
  await killed.run(fixture.turn);
  receiver.manner = 'ok';
  await fixture.goOnUntil(T + 10 * MINUTE);
  fixture.clock.at += 2 * MINUTE;
  await fixture.deliver();
  const { delivered, due } = await fixture.store.countDeliveries(receiver.webhook.id);
  assert.deepEqual([delivered, due], [10, 0]);
  assert.equal(new Set(receiver.heard.map(({ id }) => id)).size, 10);
});
