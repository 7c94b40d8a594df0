import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import { abandonOverdue } from '../../src/webhooks/abandonOverdue.ts';
import { activate } from '../../src/webhooks/activate.ts';
import { createDispatcher } from '../../src/webhooks/dispatch.ts';
import { fanOut } from '../../src/webhooks/fanOut.ts';
import { reminders } from '../../src/webhooks/reminders.ts';
import { TOLERANCE_MS, verify } from '../../src/webhooks/signature.ts';
import type { Manner } from './receiver.ts';
import { createStage, T, told } from './stage.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];

test('what happened arrives encrypted and signed, and opens to the notice', async () => {
  const stage = await createStage();
  const [bare, wrapped] = [await stage.receiver(), await stage.receiver({ wrapper: 'JSON', fields: 'NON_CUSTOMER_DATA' })];
  const payment = await stage.happen();
  await stage.deliver();
  const [one] = bare.heard;
  assert.ok(one);
  assert.deepEqual([told(one).type, told(one).payload.id, told(one).payload.card.holder], ['PAYMENT', payment.id, 'Ann Example']);
  assert.deepEqual([one.verdict, one.headers['content-type']], ['good', 'text/plain']);
  assert.match(one.body, /^[0-9A-F]+$/);
  const [other] = wrapped.heard;
  assert.ok(other);
  assert.match(other.body, /^\{"encryptedBody":"[0-9A-F]+"\}$/);
  assert.deepEqual([other.headers['content-type'], told(other).payload.card.holder], ['application/json', undefined]);
  assert.equal(other.id, one.id, 'the same news has the same id everywhere');
  const signed = { ...one.headers } as never;
  const asked = { body: one.body, keys: bare.keys };
  assert.equal(verify(signed, { ...asked, now: T + TOLERANCE_MS }), 'good');
  assert.equal(verify(signed, { ...asked, now: T + TOLERANCE_MS + 1_000 }), 'stale', 'a recording is of no use');
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
    const stage = await createStage();
    const receiver = await stage.receiver();
    receiver.manner = manner;
    await stage.happen();
    await stage.deliver();
    const [delivery] = await stage.store.deliveries({ webhookId: receiver.webhook.id, limit: 2 });
    const [attempt] = delivery?.tries ?? [];
    assert.ok(delivery && attempt);
    assert.deepEqual([delivery.tries.length, attempt.status, delivery.state], [1, status, why ? 'due' : 'delivered']);
    if (why) assert.match(attempt.why ?? '', why);
    else assert.equal(attempt.why, null);
    const wait = manner === 'busy' ? 120 * MINUTE : MINUTE;
    if (why) assert.deepEqual([delivery.dueAt >= T + wait, delivery.dueAt <= T + wait + MINUTE / 4], [true, true]);
    assert.doesNotMatch(JSON.stringify(delivery), /thank you|"no"/, 'nothing of the answer is kept');
    assert.ok(receiver.heard.every(({ headers }) => headers.host !== undefined));
    assert.equal(receiver.heard.length, 1, 'nobody is followed, nobody called twice');
  });
}

test('410 switches the webhook off, with a notice; what is due waits for it to be switched on again', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  receiver.manner = 'gone';
  await stage.happen();
  await stage.deliver();
  assert.equal((await stage.webhookNow(receiver.webhook.id))?.state, 'off');
  assert.match(stage.notices.join(), /orders: it answered 410/);
  await stage.goOnUntil(T + DAY);
  assert.equal(receiver.heard.length, 1);
  receiver.manner = 'ok';
  const off = await stage.webhookNow(receiver.webhook.id);
  assert.ok(off);
  const { webhook } = await activate({ ...stage.needs, store: stage.store, ids: stage.ids }, off);
  assert.deepEqual([webhook?.state, webhook?.why], ['active', null]);
  assert.deepEqual(told(receiver.accepted[0] as never), { type: 'test', action: 'webhook activation', payload: {} });
  stage.clock.at += 2_000;
  await stage.deliver();
  assert.equal(told(receiver.accepted[1] as never).type, 'PAYMENT');
});

test('who asked for a rest is left alone by other news too', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  receiver.manner = 'busy';
  await stage.happen();
  await stage.deliver();
  receiver.manner = 'ok';
  await stage.happen();
  stage.clock.at = T + 30 * MINUTE;
  await stage.deliver();
  assert.equal(receiver.heard.length, 1);
  stage.clock.at = T + 61 * MINUTE;
  await stage.deliver();
  assert.equal(receiver.accepted.length, 1);
  stage.clock.at = T + 121 * MINUTE;
  await stage.deliver();
  assert.equal(receiver.accepted.length, 2);
});

test('a receiver that is down for a day gets everything afterwards, in order per payment, each under its id', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  const news: string[] = [];
  receiver.manner = 'reset';
  for (let hour = 0; hour < 24; hour += 1) {
    receiver.manner = (['reset', 'error', 'redirect'] as const)[hour % 3] ?? 'reset';
    const redirect = { url: 'https://bank.example/', parameters: [] };
    const open = await stage.happen(null, { at: 'shopper', redirect, tries: 0, until: T + DAY, dueAt: T + DAY });
    await stage.happen(open);
    await stage.goOnUntil(T + (hour + 1) * 60 * MINUTE);
    if (hour === 12) stage.restart();
  }
  for (const { event: one } of await stage.store.deliveries({ webhookId: receiver.webhook.id, limit: 100 })) news.push(one.id);
  assert.equal(news.length, 48);
  const before = receiver.heard.length;
  assert.ok(before > 100 && receiver.accepted.length === 0);
  assert.ok(((await stage.webhookNow(receiver.webhook.id))?.failingSince ?? 0) < T + MINUTE);
  receiver.manner = 'ok';
  await stage.goOnUntil(T + 3 * DAY);
  assert.deepEqual([...new Set(receiver.accepted.map(({ id }) => id))].toSorted(), news.toSorted());
  assert.ok(receiver.heard.every(({ id, verdict }) => news.includes(id) && verdict === 'good'));
  const codes = Map.groupBy(receiver.accepted.map(told), ({ payload }) => payload.id);
  for (const list of codes.values()) {
    assert.deepEqual(
      list.map(({ payload }) => payload.result.code),
      ['000.200.000', '000.100.110'],
    );
  }
  assert.equal((await stage.webhookNow(receiver.webhook.id))?.failingSince, null);
});

test('five days of failure pause a webhook; switched on within 30 days it gets what happened meanwhile', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  receiver.manner = 'error';
  for (let day = 0; day < 7; day += 1) {
    await stage.happen();
    await stage.goOnUntil(T + (day + 1) * DAY);
  }
  const paused = await stage.webhookNow(receiver.webhook.id);
  assert.ok(paused);
  assert.deepEqual([paused.state, stage.notices], ['paused', ['orders: nothing could be delivered for 5 days']]);
  assert.match(reminders([paused], stage.clock.now())[0]?.message ?? '', /paused/);
  const calls = receiver.heard.length;
  await stage.happen();
  await stage.goOnUntil(T + 10 * DAY);
  assert.equal(receiver.heard.length, calls, 'a paused webhook is left alone');
  receiver.manner = 'ok';
  await activate({ ...stage.needs, store: stage.store, ids: stage.ids }, paused);
  stage.clock.at += 2_000;
  await stage.goOnUntil(T + 12 * DAY);
  const real = receiver.accepted.filter((one) => told(one).type === 'PAYMENT');
  assert.equal(new Set(real.map(({ id }) => id)).size, 8);
});

test('a webhook that was set right and fails again has its five days again', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  receiver.manner = 'error';
  await stage.happen();
  await stage.goOnUntil(T + 6 * DAY);
  const paused = await stage.webhookNow(receiver.webhook.id);
  assert.equal(paused?.state, 'paused');
  await stage.store.saveWebhook({
    ...(paused as NonNullable<typeof paused>),
    state: 'active',
    why: null,
    failingSince: null,
    changedAt: stage.clock.now(),
    revision: (paused?.revision ?? 0) + 1,
  });
  await stage.goOnUntil(T + 8 * DAY);
  const again = await stage.webhookNow(receiver.webhook.id);
  assert.deepEqual([again?.state, (again?.failingSince ?? 0) >= T + 6 * DAY], ['active', true]);
});

test('after 30 days what could not be delivered is dead, listed, and can be sent again', async () => {
  const stage = await createStage();
  const [flaky, paused] = [await stage.receiver(), await stage.receiver({ state: 'paused', why: 'it failed' })];
  await stage.happen();
  flaky.manner = 'error';
  await stage.deliver();
  for (let day = 1; day <= 31; day += 1) {
    // Something gets through every day, so it is never paused.
    stage.clock.at = T + day * DAY;
    await stage.deliver();
    const webhook = await stage.webhookNow(flaky.webhook.id);
    if (webhook?.failingSince)
      await stage.store.saveWebhook({
        ...webhook,
        failingSince: null,
        changedAt: stage.clock.now(),
        revision: webhook.revision + 1,
      });
  }
  const [dead] = await stage.store.deliveries({ webhookId: flaky.webhook.id, state: 'dead', limit: 5 });
  assert.ok(dead && dead.tries.length >= 12, `${dead?.tries.length} tries`);
  assert.equal(await abandonOverdue(stage.store, stage.turn), 1);
  assert.deepEqual(await stage.store.countDeliveries(paused.webhook.id), { due: 0, delivered: 0, dead: 1 });
  flaky.manner = 'ok';
  assert.equal(await stage.store.redeliver({ webhookId: flaky.webhook.id, state: 'dead' }, stage.clock.now()), 1);
  await stage.deliver();
  assert.deepEqual([flaky.accepted.length, flaky.accepted[0]?.id], [1, dead.event.id]);
});

test('keys are exchanged and nothing is lost: whoever knows either key can check, the new one opens', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  for (let at = 0; at < 20; at += 1) await stage.happen();
  await stage.deliver();
  const older = receiver.keys;
  const rotated = await stage.keys.rotate(receiver.webhook, { now: stage.clock.now(), untilMs: DAY });
  assert.ok(rotated);
  for (let at = 0; at < 20; at += 1) await stage.happen();
  stage.clock.at += 2_000;
  await stage.deliver();
  assert.ok(receiver.heard.slice(20).every(({ verdict, text }) => verdict === 'good' && text === null));
  receiver.keys = [Buffer.from(rotated.hex, 'hex'), ...older];
  for (let at = 0; at < 20; at += 1) await stage.happen();
  stage.clock.at += 2 * DAY;
  await stage.deliver();
  assert.ok(receiver.heard.slice(40).every(({ verdict, text }) => verdict === 'good' && text !== null));
  assert.equal(new Set(receiver.accepted.map(({ id }) => id)).size, 60);
  assert.equal(receiver.heard.at(-1)?.headers['webhook-signature']?.toString().split(' ').length, 1);
});

test('receivers that hang do not delay others; who is stopped gives back what he has not begun', async () => {
  const stage = await createStage();
  const hanging = await Promise.all(Array.from({ length: 10 }, () => stage.receiver({ name: 'hangs' })));
  const well = await stage.receiver();
  for (const receiver of hanging) receiver.manner = 'hang';
  for (let at = 0; at < 60; at += 1) await stage.happen();
  await fanOut({ store: stage.store, ids: stage.ids, entity: () => null }, stage.turn);
  // With all the patience there is: a machine that is busy itself must not look like a receiver that hangs.
  const { post } = createOutbound({ timers, reach: 'loopback' });
  const deliverer = createDispatcher({ ...stage.needs, post });
  for (let times = 0; times < 50 && well.accepted.length < 60; times += 1) await deliverer.run(stage.turn);
  assert.equal(well.accepted.length, 60);
  assert.deepEqual(
    hanging.map(({ heard }) => heard.length),
    hanging.map(() => 1),
    'who has not answered yet has one open call',
  );
  await deliverer.stop(100);
  const asked = { now: T, until: T, limit: 1_000, each: 1_000, skip: [well.webhook.id], merchants: stage.turn.merchants };
  assert.equal((await stage.store.claimDeliveries(asked)).length, 600 - 10);
});

test('what cannot be told: what it is about is gone, or our own house is out of order', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  await stage.happen();
  const { payloadFor: noticeOf } = stage.needs;
  const run = async (needs: Partial<typeof stage.needs>) => {
    await fanOut({ store: stage.store, ids: stage.ids, entity: () => null }, stage.turn);
    const deliverer = createDispatcher({ ...stage.needs, ...needs });
    await deliverer.run(stage.turn);
    await deliverer.idle();
    return (await stage.store.deliveries({ webhookId: receiver.webhook.id, limit: 1 }))[0];
  };
  const failed = await run({ payloadFor: () => Promise.reject(new Error('the store is out of order')) });
  assert.deepEqual([failed?.state, failed?.tries[0]?.why], ['due', 'the payload could not be created']);
  stage.clock.at += 2 * MINUTE;
  await run({ payloadFor: noticeOf, keys: { read: () => Promise.reject(new Error('sealed')) } });
  assert.equal((await stage.webhookNow(receiver.webhook.id))?.failingSince, null, 'that is not its fault');
  stage.clock.at += 4 * MINUTE;
  const gone = await run({ payloadFor: async () => null });
  assert.deepEqual([gone?.state, gone?.tries.length, receiver.heard.length], ['dead', 3, 0]);
});

test('a test delivery that is not answered well proves nothing', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver({ state: 'unproven' });
  const needs = { ...stage.needs, store: stage.store, ids: stage.ids };
  for (const manner of ['error', 'redirect', 'reset', 'gone'] as const) {
    receiver.manner = manner;
    const { tried } = await activate(needs, receiver.webhook);
    assert.notEqual(tried.why, null);
    assert.equal((await stage.webhookNow(receiver.webhook.id))?.state, 'unproven');
  }
  receiver.manner = 'ok';
  const moved = { ...receiver.webhook, url: 'http://127.0.0.1:1/', revision: 2 };
  await stage.store.saveWebhook(moved);
  assert.equal((await activate(needs, receiver.webhook)).webhook?.state, 'unproven', 'another address has proven nothing');
  await stage.store.saveWebhook({ ...moved, url: receiver.url, revision: 3 });
  assert.equal((await activate(needs, receiver.webhook)).webhook?.state, 'active');
});

test('two nodes at once, one of which is killed: everything arrives, in order', async () => {
  const stage = await createStage();
  const receiver = await stage.receiver();
  receiver.manner = 'slow';
  for (let at = 0; at < 10; at += 1) await stage.happen();
  // Claims what it can and is never heard of again: what it was told is not written down.
  const settle = async () => new Promise<void>(() => {});
  await fanOut({ store: stage.store, ids: stage.ids, entity: () => null }, stage.turn);
  const killed = createDispatcher({ ...stage.needs, store: { ...stage.store, saveDeliveries: settle } });
  await killed.run(stage.turn);
  receiver.manner = 'ok';
  await stage.goOnUntil(T + 10 * MINUTE);
  stage.clock.at += 2 * MINUTE;
  await stage.deliver();
  const { delivered, due } = await stage.store.countDeliveries(receiver.webhook.id);
  assert.deepEqual([delivered, due], [10, 0]);
  assert.equal(new Set(receiver.heard.map(({ id }) => id)).size, 10);
});
