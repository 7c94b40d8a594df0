import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logOfPayment } from '../../src/spec/scenarios/log.ts';
import { play } from '../../src/spec/scenarios/played.ts';
import { type Ready, readyScenario, readyScenarios } from '../../src/spec/scenarios/ready.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { createAdministrator } from './administrator.ts';
import { createShop, resultOn } from './checkoutShopper.ts';
import { CARD, createClient, DEMO, type Fields, type Reply, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Scenarios as a merchant's test suite plays them: by HTTP, with nothing but an access token. */

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const BACK = { shopperResultUrl: 'https://shop.example/result' };
const tried: Readonly<Record<Ready['with'], Fields>> = {
  card: {},
  bank: { ...NO_CARD, ...BACK, paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE' },
  secure: { ...SHOPPER, ...BACK },
};
const SCENARIO = 'customParameters[SCENARIO]';
const MINUTE_MS = 60_000;
const PAID = '000.100.110';

const store = createMemoryStore();
let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
let admin: ReturnType<typeof createAdministrator>;
let receiver: Receiver;
before(async () => {
  gateway = await startGateway({ store, patienceMs: 100 });
  shop = createClient(gateway.url);
  admin = createAdministrator(gateway.url);
  receiver = await startReceiver(gateway.world.clock.now);
});
after(async () => {
  receiver.close();
  await gateway.close();
});

const playing = (scenario: string, fields: Fields = {}): Promise<Reply> => shop.pay({ [SCENARIO]: scenario, ...fields });
const played = (id: string): Promise<Reply> => admin.ask('GET', `/scenarios/payments/${id}?entityId=${DEMO.merchantId}`);

test('every ready scenario that ends the same way always ends as its row says, attempt by attempt, and leaves its log', async () => {
  const cases = readyScenarios.flatMap((row) => (row.ends ?? []).map((code, index) => ({ row, code, attempt: index + 1 })));
  assert.ok(cases.length >= 40);
  const begun = await Promise.all(cases.map(({ row, attempt }) => playing(`${row.name}#7@${attempt}`, tried[row.with])));
  await gateway.settle();
  const ends = await Promise.all(begun.map(({ id }) => played(id)));
  assert.deepEqual(
    ends.map(({ body }) => `${body.name}@${body.attempt} ${body.code}`),
    cases.map(({ row, code, attempt }) => `${row.name}@${attempt} ${code}`),
  );
  for (const [index, { row, attempt }] of cases.entries()) {
    const { body } = ends[index] as Reply;
    const scenario = readyScenario(row.name);
    assert.ok(scenario);
    assert.equal(body.log, logOfPayment(play(scenario, { seed: 7, attempt }), 9_200n), row.name);
    assert.deepEqual([body.seed, body.isOpen], [7, false]);
  }
});

test('a payment that is in trouble goes on the same way on another node', async (t) => {
  const other = await startGateway({ store: { ...store, close: async () => {} }, patienceMs: 100 });
  t.after(() => other.close());
  other.pass(-other.world.clock.now() + gateway.world.clock.now());
  const names = ['pending-then-declined', 'booked-but-silent', 'booked-too-late', 'never-arrived', 'acquirer-down'] as const;
  const begun = await Promise.all(names.map((name) => playing(name)));
  const away = await playing('shopper-cancels', { ...tried.bank, 'customParameters[SIMULATOR_shopperAfter]': '5m' });
  assert.equal(away.code, '000.200.000');
  await other.settle();
  const ends = await Promise.all([...begun, away].map(({ id }) => shop.read(id)));
  const rows = [...names, 'shopper-cancels'].map((name) => readyScenarios.find((row) => row.name === name)?.ends?.[0]);
  assert.deepEqual(
    ends.map(({ code }) => code),
    rows,
  );
});

test('what is tried again goes on with the next attempt, and what follows a payment plays its part', async () => {
  const first = await playing('declined-twice-then-paid');
  const again = (id: string) => shop.pay({ referenceUuid: id, 'standingInstruction.industryPractice': 'RESUBMISSION' });
  const second = await again(first.id);
  const third = await again(second.id);
  assert.deepEqual([first.code, second.code, third.code], ['800.100.162', '800.100.162', PAID]);
  const reserved = await playing('capture-declined', { paymentType: 'PA' });
  assert.deepEqual([reserved.code, (await shop.capture(reserved.id, '92.00')).code], [PAID, '800.100.151']);
  const paid = await playing('refund-declined');
  assert.deepEqual([paid.code, (await shop.refund(paid.id, '10.00')).code], [PAID, '800.100.172']);
  const settled = await playing('paid', { paymentType: 'PA' });
  assert.equal((await shop.capture(settled.id, '92.00')).code, PAID);
});

test('the retries of a schedule are the attempts of its scenario', async () => {
  const series = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.type': 'RECURRING' };
  const customer = { 'standingInstruction.source': 'CIT', 'standingInstruction.recurringType': 'SUBSCRIPTION' };
  const stored = await shop.send('POST', '/v1/registrations', { ...CARD, ...series, ...customer });
  const plan = await shop.send('POST', '/scheduling/v1/schedules', {
    registrationId: stored.id,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.expression': '0 0 6 1 * ?',
    [SCENARIO]: 'declined-twice-then-paid',
  });
  assert.equal(plan.status, 200, JSON.stringify(plan.body));
  const codes: string[] = [];
  for (let hours = 0; hours < 33 * 24 && codes.length < 3; hours += 6) {
    gateway.pass(6 * 60 * MINUTE_MS);
    await gateway.work('run due schedules');
    const runs = await store.runs(DEMO.merchantId, plan.id, 100);
    const payments = await Promise.all(runs.map(({ paymentId }) => shop.read(paymentId ?? '')));
    codes.splice(0, codes.length, ...payments.map(({ code }) => code));
  }
  assert.deepEqual(codes.toSorted(), ['000.100.110', '800.100.162', '800.100.162']);
});

test('a second attempt in a checkout goes on with the next attempt of the scenario', async () => {
  const buyer = createShop(gateway.url);
  const { id } = await buyer.create({ [SCENARIO]: 'insufficient-funds-then-paid' });
  const outcomes: string[] = [];
  for (let tries = 0; tries < 2; tries += 1) {
    const { location } = await buyer.pay(id);
    outcomes.push(resultOn(await buyer.browse('GET', location ?? '')).result.outcome);
  }
  assert.deepEqual(outcomes, ['declined', 'success']);
});

test('a single parameter, and a holder that names a code, win over the scenario', async () => {
  assert.equal((await playing('card-stolen', { 'customParameters[forceResultCode]': '000.100.112' })).code, '000.100.112');
  assert.equal((await playing('card-stolen', { 'card.holder': '800.100.155' })).code, '800.100.155');
  const detailed = await playing('card-stolen', { 'customParameters[SIMULATOR_advice]': '21' });
  assert.equal(detailed.body.resultDetails.MerchantAdviceCode, '21');
  const sent = await playing(JSON.stringify({ acquirer: [{ says: 'declined', code: '800.100.171' }] }));
  assert.equal(sent.code, '800.100.171', 'a scenario can be sent with the payment');
});

test('a webhook is dead for the payment that says so, and well for all others', async () => {
  // Earlier events have no receiver.
  await gateway.work('fan out events');
  const made = await admin.create({ url: receiver.url });
  receiver.keys = [Buffer.from(made.body.key, 'hex')];
  assert.equal((await admin.test(made.id)).body.state, 'active');
  receiver.heard.length = 0;
  const work = async (ms: number) => {
    gateway.pass(ms);
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    // The result is stored by the next turn at the latest.
    await gateway.work('dispatch deliveries');
  };
  const ill = await playing('receiver-broken-then-well');
  const well = await playing('paid');
  await work(0);
  const triesOf = async (id: string) => {
    const { body } = await admin.deliveries(made.id);
    return body.deliveries.find((one: { transactionId: string }) => one.transactionId === id);
  };
  assert.deepEqual(
    (await triesOf(ill.id)).tries.map(({ status, why }: { status: number; why: string }) => [status, why]),
    [[500, 'answered 500 (by a scenario)']],
  );
  assert.deepEqual([(await triesOf(ill.id)).state, (await triesOf(well.id)).state], ['due', 'delivered']);
  assert.equal(receiver.heard.length, 1, 'nobody was called for it');
  for (let minutes = 0; minutes < 30; minutes += 3) await work(3 * MINUTE_MS);
  const { state, tries } = await triesOf(ill.id);
  assert.deepEqual([state, tries.at(-1).status, tries.length >= 4], ['delivered', 200, true]);
  assert.equal((await admin.read(made.id)).body.failingSince, null, 'its health is not touched');
});

const bad: readonly (readonly [text: string, says: RegExp])[] = [
  ['nobody-knows-this', /no scenario has this name/],
  ['Paid', /must be the name of a scenario/],
  ['paid#', /must be the name of a scenario/],
  ['paid#-1', /must be the name of a scenario/],
  ['paid#1@0', /must be the name of a scenario/],
  ['paid#9999999999', /must be the name of a scenario/],
  ['__proto__', /must be the name of a scenario/],
  ['constructor', /no scenario has this name/],
  ['{', /must be JSON/],
  ['{"acquirer":[]}', /acquirer must be a list of 1 to 8/],
  ['{"acquirer":[{"says":"declined","code":"000.100.110"}]}', /acquirer\[0\]\.code must be the code of a decline/],
  ['{"acquirer":[{"says":"approved","takes":"1h"}]}', /takes must be 30s at most/],
  ['{"chargebacks":[{"after":"400d","code":"000.100.221"}]}', /chargebacks\[0\]\.after must be a duration/],
  ['{"nothing":1}', /nothing is not known here/],
];
for (const [text, says] of bad) {
  test(`${text} is refused, and nothing is kept`, async () => {
    const { status, code, id, body } = await playing(text);
    assert.deepEqual([status, code, id], [400, '200.300.404', undefined]);
    assert.equal(body.result.parameterErrors[0].name, SCENARIO);
    assert.match(body.result.parameterErrors[0].message, says);
  });
}

test('what a payment plays is written by the gateway alone', async () => {
  const { code, body } = await shop.pay({ 'customParameters[SCENARIO_played]': '{}' });
  assert.deepEqual([code, body.result.parameterErrors[0].message], ['200.300.404', 'is written by the gateway']);
});

test('live plays no scenario: the parameter is one of the merchant, and the administration has none', async (t) => {
  const OPERATOR = 'operator-of-this-gateway.0123456789';
  const live = await startGateway({ environment: 'live', operatorToken: OPERATOR });
  t.after(() => live.close());
  const operator = createAdministrator(live.url, OPERATOR);
  const listed = await operator.ask('GET', `/scenarios?entityId=${DEMO.merchantId}`);
  assert.deepEqual([listed.status, listed.body.result.description.includes('live plays no scenarios')], [404, true]);
  const put = await operator.ask('POST', '/scenarios/paid/attach', { entityId: DEMO.entityId });
  assert.equal(put.status, 404);
  const paid = await createClient(live.url).pay({ [SCENARIO]: 'card-stolen' });
  assert.notEqual(paid.code, '800.100.159');
  assert.equal(paid.body.customParameters?.SCENARIO_played, undefined);
});
