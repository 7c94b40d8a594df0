import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { createAdministrator } from './administrator.ts';
import { checkAnswer } from './answerSchema.ts';
import { createClient, DEMO, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const OPERATOR = 'operator-of-this-gateway.0123456789';
const pspUser = '5eed00000000000000000000000000e6';
const pspToken = tokenOf(pspUser, 'of the PSP');
const limited = '5eed00000000000000000000000000e1';
const SHOPPER = { 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'customer.email': 'ann@example.org' };
const ABSENT = '0'.repeat(32);

let gateway: TestGateway;
let admin: ReturnType<typeof createAdministrator>;
let shop: ReturnType<typeof createClient>;
const receivers: Receiver[] = [];

before(async () => {
  const throttle = { listWebhooks: { requests: 1, perSeconds: 60 } };
  gateway = await startGateway({
    operatorToken: OPERATOR,
    rows: {
      entities: [
        { id: limited, kind: 'channel', parentId: DEMO.merchantId, name: 'Limited', settings: { throttle, priority: 900 } },
      ],
      tokens: [{ userId: pspUser, tokenHash: tokenHash(pspToken), entityId: sandbox.psp, createdAt: 0 }],
    },
  });
  admin = createAdministrator(gateway.url);
  shop = createClient(gateway.url);
});
after(async () => {
  for (const receiver of receivers) receiver.close();
  await gateway.close();
});

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver(gateway.world.clock.now);
  receivers.push(receiver);
  return receiver;
}

/** A webhook that was created and tested, and its receiver. */
async function hooked(fields: object = {}) {
  const receiver = await receive();
  const made = await admin.create({ url: receiver.url, ...fields });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  receiver.keys = [Buffer.from(made.body.key, 'hex')];
  assert.equal((await admin.test(made.id)).body.state, 'active');
  receiver.heard.length = 0;
  receiver.accepted.length = 0;
  return { id: made.id, key: made.body.key as string, receiver, made: made.body };
}

/** Whether a delivery to an active webhook is due. */
async function isBusy(): Promise<boolean> {
  const { store } = gateway.services.webhooks;
  const active = (await store.webhooks()).filter(({ state }) => state === 'active');
  const due = await Promise.all(active.map(({ id }) => store.deliveries({ webhookId: id, state: 'due', limit: 10 })));
  return due.flat().some(({ dueAt }) => dueAt <= gateway.world.clock.now());
}

async function deliver(): Promise<void> {
  // The dispatcher reloads the webhooks after a second.
  gateway.pass(1_001);
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
  // A run does not wait for calls that take long, and on a busy machine many do.
  for (let round = 0; round < 200 && (await isBusy()); round += 1) {
    await pause(10);
    await gateway.work('dispatch deliveries');
  }
}

/** The result of a delivery is stored a moment after the reply. */
async function deliverUntil(isDone: () => Promise<boolean>): Promise<void> {
  await deliver();
  for (let round = 0; round < 200 && !(await isDone()); round += 1) await pause(10);
  assert.ok(await isDone());
}

const receivedText = (receiver: Receiver, at = -1) => JSON.parse(receiver.accepted.at(at)?.text ?? 'null');

test('a webhook is created, tested, and receives a payment as facts 7.4 have it', async () => {
  const receiver = await receive();
  const made = await admin.create({ url: receiver.url });
  assert.equal(made.status, 200);
  const { key, ...shown } = made.body;
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    [shown.state, shown.types, shown.fields, shown.wrapper, shown.name],
    ['unproven', ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'], 'ALL', 'NONE', 'Orders'],
  );
  receiver.keys = [Buffer.from(key, 'hex')];
  await shop.pay();
  await deliver();
  assert.equal(receiver.heard.length, 0, 'nothing is sent to one that has proven nothing');
  const tested = await admin.test(made.id);
  assert.deepEqual([tested.body.state, tested.body.test.delivered, tested.body.test.status], ['active', true, 200]);
  assert.deepEqual(receivedText(receiver), { type: 'test', action: 'webhook activation', payload: {} });
  const paid = await shop.pay({ ...SHOPPER, merchantTransactionId: 'order-10017', 'customParameters[SHOPPER_promo]': 'X1' });
  await deliver();
  const event = receivedText(receiver);
  const { resultDetails: _, buildNumber, timestamp, ndc, descriptor, shortId, result, card, ...payload } = event.payload;
  assert.equal(event.type, 'PAYMENT');
  assert.deepEqual(payload, {
    id: paid.id,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount: '92.00',
    currency: 'EUR',
    presentationAmount: '92.00',
    presentationCurrency: 'EUR',
    merchantTransactionId: 'order-10017',
    authentication: { entityId: DEMO.entityId },
    customer: { givenName: 'Ann', surname: 'Example', email: 'ann@example.org' },
    customParameters: { SHOPPER_promo: 'X1' },
    redirect: { parameters: [] },
    risk: { score: '0' },
    merchantAccountId: DEMO.merchantId,
    channelName: 'Demo_Shop',
    source: 'OPP',
    paymentMethod: 'CC',
  });
  assert.deepEqual(
    [result.code, ndc, buildNumber, card.holder],
    ['000.100.110', paid.body.ndc, paid.body.buildNumber, 'Ann Example'],
  );
  assert.match(`${timestamp} ${shortId} ${descriptor}`, /^[0-9-]{10} [0-9:]{8}\+0000 [0-9.]{14} [0-9.]{14} Demo_Shop$/);
  assert.ok(receiver.heard.every(({ verdict }) => verdict === 'good'));
  await admin.remove(made.id);
});

test('the log of deliveries: pages, states, attempts and a masked body', async () => {
  const { id, receiver, key } = await hooked();
  const paid: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    paid.unshift((await shop.pay({ ...SHOPPER })).id);
    await deliver();
  }
  const all = (await admin.deliveries(id)).body;
  assert.deepEqual(
    all.deliveries.map((one: { transactionId: string }) => one.transactionId),
    paid,
    'the newest first',
  );
  const [newest] = all.deliveries;
  assert.deepEqual(
    [newest.type, newest.code, newest.state, newest.tries.length, newest.tries[0].status, newest.tries[0].why],
    ['PAYMENT', '000.100.110', 'delivered', 1, 200, null],
  );
  assert.equal(newest.eventId, receiver.accepted.at(-1)?.id);
  const first = (await admin.deliveries(id, '?limit=2')).body;
  assert.equal(first.next, first.deliveries[1].id);
  const second = (await admin.deliveries(id, `?limit=2&after=${first.next}`)).body;
  assert.deepEqual([second.deliveries.length, second.deliveries[0].transactionId, second.next], [1, paid[2], null]);
  assert.equal((await admin.deliveries(id, '?state=dead')).body.deliveries.length, 0);
  const happened = encodeURIComponent(all.deliveries[1].happenedAt);
  assert.equal((await admin.deliveries(id, `?from=${happened}`)).body.deliveries.length, 2);
  assert.equal((await admin.deliveries(id, `?to=${happened}`)).body.deliveries.length, 1);
  assert.deepEqual((await admin.read(id)).body.deliveries, { due: 0, delivered: 3, dead: 0 });
  const one = (await admin.delivery(id, newest.id)).body;
  const { payload } = one.body;
  assert.deepEqual([one.body.type, payload.id, payload.amount], ['PAYMENT', paid[0], '92.00']);
  assert.deepEqual(payload.customer, { givenName: '***', surname: '***', email: '***' });
  assert.deepEqual([payload.card.holder, payload.card.expiryMonth, payload.card.last4Digits], ['***', '***', '0000']);
  assert.doesNotMatch(JSON.stringify(one), /Ann|ann@/);
  assert.equal((await admin.delivery(id, ABSENT)).status, 404);
  const other = await hooked();
  assert.equal((await admin.delivery(other.id, newest.id)).status, 404, 'each webhook has its own');
  const answers = JSON.stringify([all, one, (await admin.read(id)).body, (await admin.list(DEMO.merchantId)).body]);
  assert.doesNotMatch(answers + gateway.lines.join(''), new RegExp(key), 'the key is told once');
  await admin.remove(id);
  await admin.remove(other.id);
});

test('what failed is sent again: one, a stretch of time, everything', async () => {
  const { id, receiver } = await hooked();
  const began = new Date(gateway.world.clock.now()).toISOString();
  receiver.manner = 'error';
  await shop.pay();
  await shop.pay();
  const listed = async () => (await admin.deliveries(id)).body.deliveries;
  const count = async () => (await admin.read(id)).body.deliveries;
  await deliverUntil(async () => (await listed()).every(({ tries }: { tries: object[] }) => tries.length === 1));
  assert.equal(receiver.accepted.length, 0);
  const [newest, oldest] = await listed();
  assert.deepEqual([newest.state, newest.tries[0].status, newest.tries[0].why], ['due', 500, 'answered 500']);
  assert.ok(newest.nextTryAt > newest.tries[0].at && newest.endedAt === null);
  receiver.manner = 'ok';
  assert.deepEqual((await admin.resend(id, { ids: [oldest.id, ABSENT] })).body, { count: 1 });
  await deliverUntil(async () => (await count()).delivered === 1);
  assert.deepEqual(
    receiver.accepted.map(({ id: event }) => event),
    [oldest.eventId],
  );
  assert.deepEqual((await admin.resend(id, { failed: true })).body, { count: 1 });
  await deliverUntil(async () => (await count()).delivered === 2);
  assert.equal(receiver.accepted.at(-1)?.id, newest.eventId, 'under the same id');
  assert.deepEqual((await admin.resend(id, { state: 'delivered', from: began })).body, { count: 2 });
  await deliverUntil(async () => receiver.accepted.length === 4);
  await admin.remove(id);
});

test('a key is exchanged; the one before is good for as long as is said', async () => {
  const { id, key, receiver } = await hooked();
  const rotated = await admin.rotate(id);
  const newer = rotated.body.key as string;
  assert.notEqual(newer, key);
  assert.deepEqual(
    rotated.body.keys.map(({ until }: { until: string | null }) => until === null),
    [true, false],
  );
  const left = Date.parse(rotated.body.keys[1].until) - gateway.world.clock.now();
  assert.ok(Math.abs(left - 24 * 3_600_000) < 60_000, String(left));
  await shop.pay();
  await deliver();
  assert.deepEqual([receiver.heard.at(-1)?.verdict, receiver.heard.at(-1)?.text], ['good', null], 'signed by both');
  receiver.keys = [Buffer.from(newer, 'hex')];
  const own = 'AB'.repeat(32);
  assert.equal((await admin.rotate(id, { untilHours: 0, key: own })).body.key, own);
  await shop.pay();
  await deliver();
  assert.equal(receiver.heard.at(-1)?.verdict, 'forged', 'the one before is over');
  receiver.keys = [Buffer.from(own, 'hex')];
  await shop.pay();
  await deliver();
  assert.equal(receivedText(receiver).type, 'PAYMENT');
  await admin.remove(id);
});

test('410 switches off, a test delivery switches on, and off is off', async () => {
  const { id, receiver } = await hooked();
  receiver.manner = 'gone';
  await shop.pay();
  await deliverUntil(async () => (await admin.read(id)).body.state === 'off');
  const gone = (await admin.read(id)).body;
  assert.deepEqual([gone.state, gone.why], ['off', 'it answered 410: it has unsubscribed']);
  receiver.manner = 'error';
  const failed = await admin.test(id);
  assert.deepEqual(
    [failed.status, failed.body.state, failed.body.test.delivered, failed.body.test.why],
    [200, 'off', false, 'answered 500'],
  );
  receiver.manner = 'ok';
  assert.equal((await admin.test(id)).body.state, 'active');
  const off = (await admin.off(id)).body;
  assert.deepEqual([off.state, off.why], ['off', 'it was switched off by hand']);
  const heard = receiver.heard.length;
  await shop.pay();
  await deliver();
  assert.equal(receiver.heard.length, heard);
  await admin.remove(id);
});

test('what is changed holds; another address is tested before anything is sent to it, and nothing is lost meanwhile', async () => {
  const { id, receiver } = await hooked();
  const changed = (await admin.change(id, { name: 'Büro', types: ['RISK'], fields: 'NON_CUSTOMER_DATA', wrapper: 'JSON' })).body;
  assert.deepEqual(
    [changed.name, changed.types, changed.fields, changed.wrapper, changed.state, changed.url],
    ['Büro', ['RISK'], 'NON_CUSTOMER_DATA', 'JSON', 'active', receiver.url],
  );
  await shop.pay();
  await deliver();
  assert.equal(receiver.heard.length, 0, 'a payment is not asked for any more');
  assert.equal((await admin.change(id, {})).body.changedAt, changed.changedAt);
  const moved = await receive();
  moved.keys = receiver.keys;
  const unproven = (await admin.change(id, { url: moved.url, types: ['PAYMENT'] })).body;
  assert.deepEqual([unproven.state, /test delivery/.test(unproven.why)], ['paused', true]);
  const paid = await shop.pay({ ...SHOPPER });
  await deliver();
  assert.equal(moved.heard.length, 0);
  await admin.test(id);
  await deliver();
  const event = receivedText(moved);
  assert.deepEqual([event.payload.id, event.payload.customer, event.payload.card.holder], [paid.id, undefined, undefined]);
  assert.match(moved.accepted.at(-1)?.body ?? '', /^\{"encryptedBody":"[0-9A-F]+"\}$/);
  await admin.remove(id);
});

test('a removed webhook is gone, with what was on its way', async () => {
  const { id, receiver } = await hooked();
  await shop.pay();
  await gateway.work('fan out events');
  assert.deepEqual((await admin.remove(id)).body, { id, removed: true });
  await deliver();
  assert.equal(receiver.heard.length, 0);
  for (const again of [await admin.read(id), await admin.remove(id), await admin.test(id)]) assert.equal(again.status, 404);
});

test('a webhook hears what is below it and nothing else; an entity has twenty at most', async () => {
  const one = await hooked({ entityId: DEMO.lenientId });
  await shop.pay();
  await deliver();
  assert.equal(one.receiver.heard.length, 0, 'that was another channel');
  await shop.pay({ entityId: DEMO.lenientId });
  await deliver();
  assert.equal(one.receiver.heard.length, 1);
  for (let at = 1; at < 20; at += 1) await admin.create({ entityId: DEMO.lenientId, url: 'https://shop.example/' });
  const full = await admin.create({ entityId: DEMO.lenientId, url: 'https://shop.example/' });
  assert.deepEqual([full.status, full.body.result.parameterErrors[0].name], [400, 'entityId']);
  const own = (await admin.list(DEMO.lenientId)).body.webhooks;
  assert.equal(own.length, 20);
  assert.equal((await admin.list(DEMO.entityId)).body.webhooks.length, 0);
  for (const { id } of own) await admin.remove(id);
});

const callers: readonly (readonly [who: string, token: string | null, own: number, parent: number, foreign: number])[] = [
  ['the merchant', DEMO.token, 200, 404, 404],
  ['the other merchant', OTHER.token, 404, 404, 200],
  ['the PSP above them', pspToken, 200, 200, 200],
  ['the operator', OPERATOR, 200, 200, 200],
  ['nobody', null, 401, 401, 401],
  ['a stranger', 'guessed', 403, 403, 403],
  ['a wrong password', tokenOf(sandbox.demoShop.userId, 'guess'), 403, 403, 403],
];
for (const [who, token, own, parent, foreign] of callers) {
  test(`${who} reaches ${own} ${parent} ${foreign}: its own, one above, another's; what is not there is 404 in the same words`, async () => {
    const operator = createAdministrator(gateway.url, OPERATOR);
    const url = 'https://shop.example/hook';
    const asking = createAdministrator(gateway.url, token);
    const absent = token !== null && own !== 403 ? 404 : own;
    const places = [
      [DEMO.entityId, own],
      [sandbox.division, parent],
      [OTHER.entityId, foreign],
    ] as const;
    const words = async (reply: Promise<Reply>): Promise<object> => {
      const { status, headers, body } = await reply;
      return { status, result: body.result, keys: Object.keys(body), challenge: headers.get('www-authenticate') };
    };
    for (const [entityId, expected] of places) {
      const { id } = await operator.create({ entityId, url });
      const [list, create] = [await asking.list(entityId), await asking.create({ entityId, url })];
      assert.deepEqual([list.status, create.status], [expected, expected]);
      const calls = (name: string): readonly Promise<Reply>[] => [
        asking.read(name),
        asking.change(name, {}),
        asking.deliveries(name),
        asking.delivery(name, ABSENT),
        asking.rotate(name, { untilHours: 1 }),
        asking.resend(name, { failed: true }),
        asking.off(name),
        asking.remove(name),
      ];
      const [here, nowhere] = [await Promise.all(calls(id).map(words)), await Promise.all(calls(ABSENT).map(words))];
      assert.ok(nowhere.every((answer) => (answer as { status: number }).status === absent));
      if (expected !== 200) {
        assert.deepEqual(here, nowhere, 'foreign and absent look alike');
        assert.deepEqual(await words(asking.list(entityId)), await words(asking.list(ABSENT)));
        assert.equal((await operator.read(id)).status, 200, 'and nothing happened to it');
        await operator.remove(id);
      }
      for (const { id: left } of (await operator.list(entityId)).body.webhooks) await operator.remove(left);
    }
  });
}

test('every change is audited, with its result and without a key', async () => {
  const from = gateway.lines.length;
  const { id, key } = await hooked();
  await admin.rotate(id, { key: 'cd'.repeat(32) });
  await admin.resend(id, {});
  await admin.read(id);
  await admin.remove(id);
  const lines = gateway.lines.slice(from).map((line) => JSON.parse(line));
  const acts = lines.filter(({ admin: isAct }) => isAct).map(({ who, what, entityId, result }) => [who, what, entityId, result]);
  const [user, entityId] = [sandbox.demoShop.userId, DEMO.merchantId];
  assert.deepEqual(acts, [
    [user, 'createWebhook', entityId, 'done'],
    [user, 'testWebhook', entityId, 'done'],
    [user, 'rotateWebhookKey', entityId, 'done'],
    [user, 'resendDeliveries', entityId, '200.300.404'],
    [user, 'removeWebhook', entityId, 'done'],
  ]);
  assert.doesNotMatch(gateway.lines.join(''), new RegExp(`${key}|${'cd'.repeat(32)}|${DEMO.token}|${OPERATOR}`));
});

test('too many calls are refused with Retry-After', async () => {
  assert.equal((await admin.list(limited)).status, 200);
  const late = await admin.list(limited);
  assert.deepEqual([late.status, late.code, late.headers.get('retry-after')], [429, '800.120.100', '60']);
});

test('in live only the operator administers, and only public addresses can be called', async () => {
  const live = await startGateway({ environment: 'live', operatorToken: OPERATOR });
  try {
    const merchant = createAdministrator(live.url);
    assert.deepEqual(
      [(await merchant.list(DEMO.entityId)).status, (await merchant.list(DEMO.entityId)).code],
      [403, '800.900.300'],
    );
    const operator = createAdministrator(live.url, OPERATOR);
    assert.equal((await operator.list(DEMO.entityId)).status, 200);
    for (const url of ['http://shop.example/', 'https://shop.example:8443/', 'https://ann:secret@shop.example/']) {
      const refused = await operator.create({ url });
      assert.deepEqual([refused.status, refused.body.result.parameterErrors[0].name], [400, 'url'], url);
    }
    const inside = await operator.create({ url: 'https://127.0.0.1/' });
    const tested = (await operator.test(inside.id)).body;
    assert.deepEqual(
      [tested.state, tested.test],
      ['unproven', { ...tested.test, delivered: false, status: null, why: 'the host is not a public one' }],
    );
  } finally {
    await live.close();
  }
  const nobody = await startGateway({ environment: 'live' });
  assert.equal((await createAdministrator(nobody.url, OPERATOR).list(DEMO.entityId)).status, 403);
  await nobody.close();
});

test('finished deliveries are deleted after five weeks, and a failing receiver is named once a day', async () => {
  const { id, receiver } = await hooked();
  await shop.pay();
  await deliver();
  receiver.manner = 'error';
  // A failure soon after a success is a hiccup.
  gateway.pass(61_000);
  await shop.pay();
  await deliverUntil(async () => (await admin.read(id)).body.failingSince !== null);
  const reminders = () => gateway.lines.filter((line) => line.includes('a webhook does not work') && line.includes(id)).length;
  const remind = () => gateway.work('report failing webhooks');
  await remind();
  await remind();
  assert.equal(reminders(), 1);
  const DAY_MS = 86_400_000;
  gateway.pass(DAY_MS);
  await remind();
  assert.equal(reminders(), 2);
  await gateway.work('delete old events');
  assert.deepEqual((await admin.read(id)).body.deliveries, { due: 1, delivered: 1, dead: 0 });
  gateway.pass(35 * DAY_MS);
  await gateway.work('delete old events');
  assert.deepEqual((await admin.read(id)).body.deliveries, { due: 1, delivered: 0, dead: 0 });
  await admin.off(id);
  await gateway.work('abandon overdue deliveries');
  assert.deepEqual((await admin.deliveries(id)).body.deliveries[0].state, 'dead');
  await admin.remove(id);
});

test('answers are as the OpenAPI document has them', async () => {
  // The client compares every reply with its schema.
  const { id } = await hooked();
  await shop.pay();
  await deliver();
  const { body: listed } = await admin.deliveries(id);
  const { body: read } = await admin.read(id);
  const replies = [
    await admin.delivery(id, listed.deliveries[0].id),
    await admin.test(id),
    await admin.list(DEMO.merchantId),
    await admin.resend(id, { failed: true }),
    await admin.remove(id),
  ];
  assert.deepEqual(
    replies.map(({ status }) => status),
    replies.map(() => 200),
  );
  const refused = (await admin.create({ url: 'x' })).body;
  assert.deepEqual(Object.keys(refused), ['result', 'buildNumber', 'timestamp', 'ndc']);
  const { state: _, ...without } = read;
  for (const wrong of [without, { ...read, more: 1 }, { ...read, state: 'asleep' }, { ...read, createdAt: 'today' }])
    assert.throws(() => checkAnswer('GET', `/admin/v1/webhooks/${id}`, 200, wrong), JSON.stringify(wrong));
});
