import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { type Point, type StatisticsAnswer, type ThreeDSOutcome, threeDSOutcomes } from '../../src/spec/answers/statistics.ts';
import { testCards } from '../../src/spec/cards/testCards.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createAdministrator } from './administrator.ts';
import { challenge, codeOn, goBack } from './cardholder.ts';
import { CARD, createClient, DEMO, OTHER, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const OPERATOR = 'operator-of-this-gateway.0123456789';
const PSP = 'beef00000000000000000000000000e1';
const DIVISION = 'beef00000000000000000000000000d1';
const VIENNA = 'beef00000000000000000000000000f1';
const SHOP = 'beef0000000000000000000000000001';

/** A merchant in a country with daylight saving time. */
const entities: readonly EntityRow[] = [
  { id: PSP, kind: 'psp', parentId: null, name: 'PSP', settings: {} },
  { id: DIVISION, kind: 'division', parentId: PSP, name: 'Division', settings: {} },
  { id: VIENNA, kind: 'merchant', parentId: DIVISION, name: 'Vienna', settings: { timeZone: 'Europe/Vienna' } },
  { id: SHOP, kind: 'channel', parentId: VIENNA, name: 'Shop', settings: {} },
];

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ operatorToken: OPERATOR, rows: { entities, tokens: [] } });
});
after(() => gateway.close());

const read = async (query: Readonly<Record<string, string>>, token: string | null = OPERATOR) =>
  createAdministrator(gateway.url, token).ask('GET', `/statistics?${new URLSearchParams(query)}`);

async function figures(query: Readonly<Record<string, string>>): Promise<StatisticsAnswer> {
  await gateway.work('aggregate statistics');
  const { status, body } = await read(query);
  assert.equal(status, 200);
  return body as StatisticsAnswer;
}

const pay = (amount: string, more: Readonly<Record<string, string>> = {}, who: { entityId: string; token: string } = DEMO) =>
  createClient(gateway.url, who).send('POST', '/v1/payments', { ...CARD, amount, currency: 'EUR', paymentType: 'DB', ...more });

test('a payment is counted within one fold, for the channel and everything above it', async () => {
  const [one, two] = [await pay('92.00'), await pay('10.55', { currency: 'USD' })];
  assert.deepEqual([one.code, two.code], ['000.100.110', '000.100.110']);
  assert.equal((await pay('1.00', { 'customParameters[forceResultCode]': '800.100.153' })).code, '800.100.153');
  await pay('33.00', {}, OTHER);
  for (const entityId of [DEMO.entityId, DEMO.merchantId]) {
    const { total, declines, points, step, before, brands } = await figures({ entityId, range: '7days' });
    assert.equal(step, 'day');
    assert.deepEqual(total.volume, { EUR: '92.00', USD: '10.55' });
    assert.deepEqual(total.attempts, { approved: 2, declined: 1, rejected: 0, pending: 0 });
    assert.deepEqual(
      declines.map(({ code, count }) => [code, count]),
      [['800.100.153', 1]],
    );
    assert.equal(total.latency.count, 3);
    assert.equal(total.threeDS.notAsked, 3);
    assert.equal(before.attempts.approved, 0);
    assert.deepEqual(
      brands.map(({ brand }) => brand),
      ['VISA'],
    );
    const sum = points.reduce((all: number, { attempts }: Point) => all + attempts.approved, 0);
    assert.equal(sum, total.attempts.approved);
  }
});

test('others see nothing of it', async () => {
  const foreign = await read({ entityId: DEMO.merchantId }, OTHER.token);
  const absent = await read({ entityId: '5eed00000000000000000000000000ff' }, OTHER.token);
  assert.deepEqual([foreign.status, foreign.code], [404, absent.code]);
  assert.equal((await read({ entityId: DEMO.merchantId }, null)).status, 401);
  const own = await figures({ entityId: OTHER.entityId });
  assert.deepEqual(own.total.volume, { EUR: '33.00' });
});

test('a day has as many hours as the clocks of the merchant give it', async () => {
  const days = async (fromDay: string, toDay: string) => (await figures({ entityId: SHOP, fromDay, toDay })).points;
  const spring = await days('2031-03-28', '2031-04-02');
  assert.deepEqual(
    spring.map(({ from, to }: Point) => (Date.parse(to) - Date.parse(from)) / 3_600_000),
    [24, 24, 23, 24, 24, 24],
  );
  assert.equal(spring[0]?.from, '2031-03-27T23:00:00.000Z');
  const autumn = await days('2031-10-26', '2031-10-26');
  assert.equal(autumn.length, 25, 'the hour that comes twice is told twice');
  const year = await figures({ entityId: PSP, fromDay: '2031-01-01', toDay: '2031-12-31' });
  assert.deepEqual([year.step, year.timeZone, year.points.length], ['week', 'UTC', 53]);
});

test('a period is given in one way, whole, and forwards', async () => {
  const wrong: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ range: '7days', fromDay: '2031-01-01', toDay: '2031-01-02' }, 'fromDay'],
    [{ fromDay: '2031-01-01' }, 'toDay'],
    [{ to: '2031-01-01T00:00:00Z' }, 'from'],
    [{ from: '2031-01-02T00:00:00Z', to: '2031-01-01T00:00:00Z' }, 'to'],
    [{ fromDay: '2031-01-02', toDay: '2031-01-01' }, 'toDay'],
    [{ fromDay: '2031-01-02', toDay: '2051-01-01' }, 'toDay'],
  ];
  for (const [query, name] of wrong) {
    const { status, body } = await read({ entityId: SHOP, ...query });
    assert.deepEqual([status, body.result.parameterErrors[0].name], [400, name], JSON.stringify(query));
  }
});

const outcomes = {
  frictionless: 'frictionless',
  challenge: 'challengePassed',
  attempt: 'attempted',
  notEnrolled: 'notEnrolled',
  // No issuer that takes part knows the card: no challenge is possible.
  notParticipating: 'notAsked',
  none: 'notAsked',
} as const satisfies Readonly<Record<string, ThreeDSOutcome>>;

for (const [kind, outcome] of Object.entries(outcomes)) {
  test(`3D Secure: ${kind} counts as ${outcome}`, async () => {
    const card = testCards.find(
      ({ brand, threeDSecure, methodData }) => brand === 'VISA' && threeDSecure === kind && !methodData,
    );
    const asked = { entityId: DEMO.entityId, range: '7days' };
    const before = await figures(asked);
    const answer = await createClient(gateway.url).pay({
      ...CARD,
      ...SHOPPER,
      'card.number': card?.number ?? '',
      shopperResultUrl: 'https://shop.example/result',
    });
    if (kind === 'challenge') {
      assert.equal((await figures(asked)).total.threeDS.pending, before.total.threeDS.pending + 1);
      await goBack(await challenge(answer, 'submit', codeOn), answer);
    }
    const { total } = await figures(asked);
    const added = threeDSOutcomes.filter((one) => total.threeDS[one] !== before.total.threeDS[one]);
    assert.deepEqual([added, total.threeDS[outcome]], [[outcome], before.total.threeDS[outcome] + 1]);
    // The time that a shopper takes is not the gateway's latency.
    assert.equal(total.latency.count - before.total.latency.count, kind === 'challenge' ? 0 : 1);
  });
}

test('webhook results are part of the statistics of their period', async () => {
  const receiver = await startReceiver(gateway.world.clock.now);
  const admin = createAdministrator(gateway.url);
  // Events from before the webhook are not delivered.
  await gateway.work('fan out events');
  try {
    const { body } = await admin.create({ url: receiver.url });
    receiver.keys = [Buffer.from(body.key, 'hex')];
    assert.equal((await admin.test(body.id)).status, 200);
    await pay('4.00');
    const asked = { entityId: DEMO.merchantId, range: '7days' };
    const isTold = async () => (await figures(asked)).total.webhooks.first > 0;
    // A run does not wait for calls that take long, and on a busy machine many do.
    for (let round = 0; round < 200 && !(await isTold()); round += 1) {
      gateway.pass(1_001);
      for (const job of ['fan out events', 'dispatch deliveries']) await gateway.work(job);
    }
    const { total } = await figures(asked);
    assert.deepEqual(total.webhooks, { first: 1, later: 0, waiting: 0, dead: 0 });
    assert.equal(total.webhookLatency.count, 1);
    await admin.remove(body.id);
  } finally {
    receiver.close();
  }
});

test('payments of a merchant with a test clock are counted by that clock', async () => {
  const admin = createAdministrator(gateway.url);
  const before = await figures({ entityId: DEMO.merchantId, range: '7days' });
  assert.equal((await admin.ask('POST', '/clock', { entityId: DEMO.merchantId, by: 'P40D' })).status, 200);
  await pay('5.00');
  const later = await figures({ entityId: DEMO.merchantId, range: '7days' });
  assert.deepEqual(later.total.volume, { EUR: '5.00' });
  assert.ok(Date.parse(later.now) - Date.parse(before.now) > 39 * 86_400_000);
});
