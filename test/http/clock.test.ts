import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { rest } from '../../src/app/system.ts';
import { realClock } from '../../src/merchants/clocks.ts';
import { onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { MerchantClock } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { challenge, codeOn, goBack } from './cardholder.ts';
import { createShop } from './checkoutShopper.ts';
import { CARD, createClient, DEMO, OTHER, SHOPPER } from './client.ts';
import { createClockClient, createWebhookReceiver, DAY_MS, receivedBy } from './clockFixture.ts';
import { startGateway, type TestGatewayOptions } from './gateway.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PATH = '/scheduling/v1/schedules';
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;
const DAILY = { 'job.expression': '0 0 6 * * ?' } as const;

/** A gateway with the demo shop, its clock, and another merchant beside it. */
async function stage(context: TestContext, options: TestGatewayOptions = {}) {
  const store = options.store ?? createMemoryStore();
  const gateway = await startGateway({ ...options, store });
  context.after(() => gateway.close());
  const shop = createClient(gateway.url);
  const stored = async (fields = {}): Promise<string> => {
    const reply = await shop.send('POST', '/v1/registrations', { ...CARD, ...INITIAL, ...fields });
    assert.equal(reply.code, '000.100.110', JSON.stringify(reply.body));
    return reply.id;
  };
  const plan = (registrationId: string, fields: Readonly<Record<string, string>>) =>
    shop.send('POST', PATH, { registrationId, paymentType: 'DB', amount: '17.00', currency: 'EUR', ...fields });
  const other = createClockClient(gateway.url, sandbox.otherShop.merchantId, OTHER.token);
  return { gateway, store, shop, stored, plan, clock: createClockClient(gateway.url), other };
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 20_000;

test('a clock is read, frozen, moved, and returned to real time', async (context) => {
  const { gateway, clock, shop } = await stage(context);
  const real = () => gateway.world.clock.now();
  const { status, body } = await clock.read();
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    merchantId: DEMO.merchantId,
    isFrozen: false,
    isReal: true,
    isMoving: false,
    target: null,
  });
  assert.ok(isNear(Date.parse(body.now), real()));

  const moved = await clock.move({ by: 'P2M' });
  const ahead = Temporal.Instant.fromEpochMilliseconds(real()).toZonedDateTimeISO('UTC').add('P2M').epochMilliseconds;
  assert.ok(isNear(Date.parse(moved.body.now), ahead), 'months by the calendar');
  assert.partialDeepStrictEqual(moved.body, { isFrozen: false, isReal: false, did: { payments: 0, runs: 0, deliveries: 0 } });
  gateway.pass(HOUR_MS);
  assert.ok(isNear(await clock.now(), ahead + HOUR_MS), 'it runs on');
  const paid = await shop.pay();
  assert.ok(isNear(Date.parse(paid.body.timestamp.replace(' ', 'T')), ahead + HOUR_MS), paid.body.timestamp);

  const { body: frozen } = await clock.freeze();
  gateway.pass(HOUR_MS);
  assert.deepEqual([frozen.isFrozen, await clock.now()], [true, Date.parse(frozen.now)], 'it stands');
  const to = new Date(Date.parse(frozen.now) + 90_061_001).toISOString();
  assert.partialDeepStrictEqual((await clock.move({ to })).body, { now: to, isFrozen: true });
  assert.ok(isNear(Date.parse((await shop.pay()).body.timestamp.replace(' ', 'T')), Date.parse(to)));

  const { body: back } = await clock.real();
  assert.partialDeepStrictEqual(back, { isReal: true, isFrozen: false });
  assert.ok(isNear(Date.parse(back.now), real()));
  assert.ok(isNear(Date.parse((await shop.pay()).body.timestamp.replace(' ', 'T')), real()));
});

test('the clock of a channel is that of its merchant', async (context) => {
  const { gateway, clock } = await stage(context);
  const channel = createClockClient(gateway.url, DEMO.entityId);
  const { body } = await channel.set({ by: '30d' });
  assert.equal(body.merchantId, DEMO.merchantId);
  assert.ok(isNear(await clock.now(), gateway.world.clock.now() + 30 * DAY_MS));
});

test('a checkout is over after its thirty minutes, and in the twenty-ninth its merchant is called', async (context) => {
  const { gateway } = await stage(context);
  const shop = createShop(gateway.url, DEMO);
  const clock = createClockClient(gateway.url);
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  context.after(() => server.close());
  await clock.move({ by: '400d' });
  const notificationUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
  const [paid, idle] = [await shop.create({ notificationUrl }), await shop.create()];
  await shop.pay(paid.id);
  await clock.move({ by: '28m' });
  assert.deepEqual([heard.length, (await shop.session(idle.id)).leftMs > 0], [0, true]);
  await clock.move({ by: '90s' });
  assert.equal(heard.length, 1, 'called once');
  assert.equal((await shop.status(paid.id)).code, '000.100.110');
  await clock.move({ by: '1m' });
  assert.equal((await shop.status(paid.id)).code, '200.300.404');
  assert.notEqual((await shop.browse('GET', `/v1/checkouts/${idle.id}/widget`)).status, 200);
});

test('a receiver that is down for a day hears everything afterwards, in order, each under its id', async (context) => {
  const { gateway, clock, shop } = await stage(context);
  const receiver = await createWebhookReceiver(gateway);
  await clock.freeze();
  receiver.manner = 'error';
  const ids: string[] = [];
  for (let hour = 0; hour < 24; hour += 6) {
    const { id } = await shop.pay({ paymentType: 'PA' });
    ids.push(id, (await shop.capture(id, '92.00')).id);
    await clock.move({ by: '6h' });
  }
  assert.equal(receiver.accepted.length, 0);
  receiver.manner = 'ok';
  await clock.move({ by: '3d' });
  assert.deepEqual(
    receivedBy(receiver)
      .map(({ payload }) => payload.id)
      .toSorted(),
    ids.toSorted(),
    'everything, and each once',
  );
  const tries = Map.groupBy(receiver.heard, ({ text }) => JSON.parse(text ?? '{}').payload.id as string);
  for (const id of ids) {
    const same = tries.get(id) ?? [];
    assert.ok(same.length > 3 && new Set(same.map((one) => one.id)).size === 1, 'the same id in every try');
  }
  assert.ok(
    receiver.heard.every(({ verdict }) => verdict === 'good'),
    'signed in real time',
  );
});

test('back in real time, what waited for a later day is delivered at once', async (context) => {
  const { gateway, clock, shop } = await stage(context);
  const receiver = await createWebhookReceiver(gateway);
  await clock.move({ by: '1w' });
  receiver.manner = 'error';
  const { id } = await shop.pay();
  await clock.move({ by: '5h' });
  receiver.manner = 'ok';
  await clock.real();
  while (receiver.accepted.length === 0) {
    await gateway.work('dispatch deliveries');
    await rest();
  }
  assert.deepEqual(
    receivedBy(receiver).map(({ payload }) => payload.id),
    [id],
  );
});

test('registrations are deleted when they expire, and their network is asked when that is possible', async (context) => {
  const { clock, shop, stored, store } = await stage(context);
  const card = { 'card.expiryMonth': '05', 'card.expiryYear': '2028' };
  const id = await stored({ ...card, 'customParameters[SIMULATOR_networkToken]': 'later' });
  const kept = async () => (await store.registration(DEMO.merchantId, id))?.registration;
  await clock.move({ by: '1h' });
  assert.ok((await kept())?.networkToken, 'it has a token of its scheme');
  await clock.move({ to: '2029-07-31T00:00:00Z' });
  assert.equal((await kept())?.state, 'active');
  await clock.move({ by: 'P2D' });
  assert.equal((await kept())?.state, 'deleted', 'fourteen months after the card expired');
  assert.equal((await shop.send('GET', `/v1/registrations/${id}`, {})).code, '100.150.202');
});

test('a card that was good at first has expired by the clock of its merchant', async (context) => {
  const { clock, shop, gateway } = await stage(context);
  const card = { 'card.expiryMonth': '05', 'card.expiryYear': '2030' };
  assert.equal((await shop.pay(card)).code, '000.100.110');
  await clock.move({ to: '2030-06-02T00:00:00Z' });
  assert.equal((await shop.pay(card)).code, '100.100.303');
  assert.equal((await createClient(gateway.url, OTHER).pay(card)).code, '000.100.110', 'not for another merchant');
});

test("a wallet's token is made and grows old in its merchant's time", async (context) => {
  const { gateway, clock, shop } = await stage(context);
  await clock.move({ by: '100d' });
  const make = async () => {
    const form = new URLSearchParams({ wallet: 'walletA', entityId: DEMO.entityId, amount: '92.00', currency: 'EUR' });
    const answer = await fetch(`${gateway.url}/sandbox/wallets?format=json`, { method: 'POST', body: form });
    return (await answer.json()) as { readonly parameter: string; readonly token: string };
  };
  const pay = ({ parameter, token }: { readonly parameter: string; readonly token: string }) =>
    shop.send('POST', '/v1/payments', {
      amount: '92.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'VISA',
      [parameter]: token,
    });
  const [first, second] = [await make(), await make()];
  assert.equal((await pay(first)).code, '000.100.110');
  await clock.move({ by: '3d' });
  assert.equal((await pay(second)).code, '200.100.603');
});

test('a schedule that is cancelled too late goes on until the next end of its term', async (context) => {
  const { clock, shop, store, stored, plan } = await stage(context);
  const notice = { 'job.durationNumber': '10', 'job.durationUnit': 'DAY', 'job.noticeNumber': '3', 'job.noticeUnit': 'DAY' };
  const made = await plan(await stored(), { ...DAILY, ...notice, 'job.noticeCallable': 'DURATION_END' });
  await clock.move({ by: '8d' });
  const { body } = await shop.send('DELETE', `${PATH}/${made.id}`, {});
  assert.equal(body.plan.state, 'ending');
  await clock.move({ by: 'P20D' });
  const runs = await store.runs(DEMO.merchantId, made.id, 100);
  assert.ok(
    runs.every(({ paymentId }) => paymentId !== null),
    'every day was charged on its day',
  );
  assert.ok(runs.length === 19 || runs.length === 20, `${runs.length} charges in two terms of ten days`);
  assert.equal((await shop.send('GET', `${PATH}/${made.id}`, {})).body.plan.state, 'over');
});

test('another merchant of the same gateway sees nothing of it', async (context) => {
  const { gateway, clock, other } = await stage(context);
  const [neighbour, checkouts] = [createClient(gateway.url, OTHER), createShop(gateway.url)];
  const { id: registrationId } = await neighbour.send('POST', '/v1/registrations', { ...CARD, ...INITIAL });
  const made = await neighbour.send('POST', PATH, {
    registrationId,
    paymentType: 'DB',
    amount: '1.00',
    currency: 'EUR',
    ...DAILY,
  });
  const checkout = await checkouts.create();
  await clock.move({ by: 'P1Y' });
  for (const job of [
    'sweep',
    'run due schedules',
    'delete expired registrations',
    'send checkout notifications',
    'delete expired checkouts and builds',
  ])
    await gateway.work(job);
  assert.equal((await other.read()).body.isReal, true);
  assert.deepEqual(await gateway.services.schedules.store.runs(sandbox.otherShop.merchantId, made.id, 9), []);
  const { body } = await neighbour.send('GET', `${PATH}/${made.id}`, {});
  assert.ok(isNear(Date.parse(body.timestamp.replace(' ', 'T')), gateway.world.clock.now()));
  assert.ok(Date.parse(body.plan.nextRuns[0].replace(' ', 'T')) < gateway.world.clock.now() + 2 * DAY_MS);
  assert.ok((await checkouts.session(checkout.id)).leftMs > 29 * MINUTE_MS);
  assert.equal((await other.set({ freeze: true })).status, 200);
  assert.equal(
    (await createClockClient(gateway.url, sandbox.otherShop.merchantId).set({ real: true })).status,
    404,
    'nor its clock',
  );
});

test('while a test clock is frozen, jobs go on and touch nothing of its merchant', async (context) => {
  const { gateway, clock, shop, stored, plan, store } = await stage(context);
  const checkouts = createShop(gateway.url, DEMO);
  const made = await plan(await stored(), DAILY);
  await clock.freeze();
  const [checkout, key] = [await checkouts.create(), { 'Idempotency-Key': 'once-and-for-all' }];
  const first = await shop.pay({}, key);
  const receiver = await createWebhookReceiver(gateway);
  receiver.manner = 'error';
  await shop.pay();
  await gateway.work('fan out events');
  gateway.pass(60 * DAY_MS);
  for (const job of [
    'sweep',
    'run due schedules',
    'delete expired idempotency keys',
    'delete old events',
    'abandon overdue deliveries',
    'delete expired checkouts and builds',
  ])
    await gateway.work(job);
  assert.deepEqual(await store.runs(DEMO.merchantId, made.id, 9), [], 'nothing is due where no time passes');
  assert.equal((await shop.pay({}, key)).id, first.id, 'a key is known as long as ever');
  await checkouts.pay(checkout.id);
  assert.equal((await checkouts.status(checkout.id)).code, '000.100.110');
  receiver.manner = 'ok';
  await clock.move({ by: '1h' });
  assert.ok(receivedBy(receiver).length > 0, 'and what was to be told is told');
  assert.equal((await store.countDeliveries(receiver.hookId)).dead, 0);
});

test('a cardholder authenticates at the issuer, and is too late after ten minutes', async (context) => {
  const { clock, shop } = await stage(context);
  await clock.move({ by: '500d' });
  const secure = { ...SHOPPER, 'card.number': '4200000000000018', shopperResultUrl: 'https://shop.example/done' };
  const pending = await shop.pay(secure);
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.equal((await shop.read(pending.id)).code, '000.100.110', 'as if it were today');
  const late = await shop.pay(secure);
  assert.equal(late.code, '000.200.000');
  await clock.move({ by: '2h' });
  assert.match((await shop.read(late.id)).code, /^100\.3[89]/, 'nobody came');
});

const bad: readonly [what: string, fields: object, name: string, says: RegExp][] = [
  ['no wish', {}, 'to', /exactly one of freeze, to, by, real/],
  ['two wishes', { freeze: true, by: '1d' }, 'by', /exactly one/],
  ['freeze: false', { freeze: false }, 'freeze', /must be true/],
  ['backwards', { to: '2020-01-01T00:00:00Z' }, 'to', /goes only forward/],
  ['no instant', { to: 'tomorrow' }, 'to', /must be an instant/],
  ['no duration', { by: 'a month' }, 'by', /must be a duration/],
  ['nothing', { by: 'P0D' }, 'by', /above zero/],
  ['too far at once', { by: 'P11Y' }, 'by', /10 years at once/],
  ['beyond all dates', { by: 'P900000Y' }, 'by', /must not go beyond/],
  ['a name nobody knows', { by: '1d', zone: 'UTC' }, 'zone', /not known/],
  ['a division', { entityId: sandbox.division, by: '1d' }, 'entityId', /must be a merchant or a channel/],
];
test('entities without a clock are refused', async (context) => {
  const { gateway, clock } = await stage(context, { operatorToken: 'the-operator-of-this-gateway' });
  const operator = createAdministrator(gateway.url, 'the-operator-of-this-gateway');
  for (const [what, fields, name, says] of bad) {
    const { status, body } = await operator.ask('POST', '/clock', { entityId: DEMO.merchantId, ...fields });
    assert.equal(status, 400, what);
    const [fault] = body.result.parameterErrors;
    assert.equal(fault.name, name, what);
    assert.match(fault.message, says, what);
  }
  assert.equal((await clock.read()).body.isReal, true, 'nothing was moved');
  assert.equal((await operator.ask('GET', `/clock?entityId=${'f'.repeat(32)}`)).status, 404);
  assert.equal((await createAdministrator(gateway.url, null).ask('GET', `/clock?entityId=${DEMO.merchantId}`)).status, 401);
});

test('live has no clocks', async (context) => {
  const entities = [
    { id: '11'.repeat(16), kind: 'psp', parentId: null, name: 'One', settings: {} },
    { id: '22'.repeat(16), kind: 'division', parentId: '11'.repeat(16), name: 'Two', settings: {} },
    { id: '33'.repeat(16), kind: 'merchant', parentId: '22'.repeat(16), name: 'Three', settings: {} },
  ] as const;
  const store = createMemoryStore();
  await store.saveClock({ ...realClock('33'.repeat(16)), offsetMs: DAY_MS, revision: 1 });
  const { gateway } = await stage(context, {
    store,
    environment: 'live',
    operatorToken: 'the-operator',
    rows: { entities, tokens: [] },
  });
  const { ask } = createAdministrator(gateway.url, 'the-operator');
  for (const answer of [
    await ask('GET', `/clock?entityId=${'33'.repeat(16)}`),
    await ask('POST', '/clock', { entityId: '33'.repeat(16), by: '1d' }),
  ]) {
    assert.deepEqual([answer.status, answer.code], [404, '700.400.580']);
    assert.match(answer.body.result.description, /live has no clocks to move/);
    assert.ok(
      isNear(Date.parse(answer.body.timestamp.replace(' ', 'T')), gateway.world.clock.now()),
      'a row changes nothing there',
    );
  }
  await assert.rejects(gateway.work('advance test clocks'), /no job/);
});

test('a second move waits for the first, and freeze stops it where it is', async (context) => {
  const { gateway, clock, shop, stored, plan } = await stage(context, { patienceMs: 300 });
  const receiver = await createWebhookReceiver(gateway);
  await plan(await stored(), DAILY);
  await clock.freeze();
  receiver.manner = 'hang';
  const first = clock.set({ by: 'P1Y' });
  while (!(await clock.read()).body.isMoving || receiver.heard.length < 2) await shop.read('f'.repeat(32));
  const second = await clock.set({ by: '1d' });
  assert.equal(second.status, 400);
  assert.match(second.body.result.parameterErrors[0].message, /is on its way to .* already; wait .* or stop it with freeze/);
  const { body } = await clock.freeze();
  assert.deepEqual([body.isMoving, body.isFrozen, (await first).status], [false, true, 200]);
  receiver.manner = 'ok';
  assert.ok((await clock.move({ by: '1d' })).body.did.runs > 0);
});

test('a move whose node was killed is carried on by another, with everything that is due', async (context) => {
  const store = createMemoryStore();
  const { gateway, clock, stored, plan } = await stage(context, { store });
  const made = await plan(await stored(), DAILY);
  await clock.freeze();
  const [row] = await store.clocks();
  const target = (row?.frozenAt ?? 0) + 10 * DAY_MS;
  const left: MerchantClock = {
    ...(row ?? realClock('')),
    target,
    steppedAt: gateway.world.clock.now(),
    revision: (row?.revision ?? 0) + 1,
  };
  await store.claimSchedules({ now: target, until: target + DAY_MS, limit: 9, merchants: onlyMerchant(DEMO.merchantId) });
  assert.equal(await store.saveClock(left), true);
  const other = await startGateway({ store });
  context.after(() => other.close());
  const hand = createClockClient(other.url);
  assert.deepEqual((await hand.read()).body.target, new Date(target).toISOString());
  await other.work('run due schedules');
  await other.work('advance test clocks');
  assert.equal((await hand.read()).body.isMoving, true, 'whoever moves it may be alive');
  assert.equal((await store.runs(DEMO.merchantId, made.id, 99)).length, 0, 'and nobody else works for it');
  other.pass(31_000);
  await other.work('advance test clocks');
  while ((await hand.read()).body.isMoving) await hand.read();
  assert.equal(await hand.now(), target);
  while ((await store.runs(DEMO.merchantId, made.id, 99)).length < 10) await hand.read();
  assert.equal(await createClockClient(gateway.url).now(), target, 'the first node knows it too');
});
