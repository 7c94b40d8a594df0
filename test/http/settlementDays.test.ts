import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { readyScenarios } from '../../src/spec/scenarios/ready.ts';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/memoryStore.ts';
import { CARD, createClient, DEMO, type Fields, OTHER } from './client.ts';
import { createClockClient, createWebhookReceiver, DAY_MS, receivedBy } from './clockFixture.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { dayOf, JOB, playing, recordsOf, settledIn } from './settlementFixture.ts';

/** The simulated acquirer settles each day of a merchant's clock, and takes back what a scenario says. */

let [gateway, store]: [TestGateway | null, MemoryStore] = [null, createMemoryStore()];
const stage = () => {
  if (!gateway) throw new Error('the gateway is not there');
  return { gateway, shop: createClient(gateway.url), clock: createClockClient(gateway.url) };
};
before(async () => {
  store = createMemoryStore();
  gateway = await startGateway({ store });
  await createClockClient(gateway.url).freeze();
});
after(() => gateway?.close());

test('a payment is settled after two days and taken back on day 40: record, transaction, webhook, report', async () => {
  const { shop, clock, gateway: own } = stage();
  const receiver = await createWebhookReceiver(own);
  const began = await clock.now();
  const { id } = await shop.pay(playing('chargeback-day-40'));
  await clock.move({ by: '45d' });
  const [settled, taken, ...others] = await recordsOf(store, id);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [settled, taken].map((record) => [record?.recordType, record?.settledOn, record?.match.status]),
    [
      ['SETTLED', dayOf(began + 2 * DAY_MS), 'MATCHED'],
      ['CHARGEBACK', dayOf(began + 40 * DAY_MS), 'MATCHED'],
    ],
  );
  const found = await shop.send('GET', `/v3/query/${id}`, { includeLinkedTransactions: 'true' });
  const linked = found.body.records as { id: string; paymentType: string; result: { code: string }; timestamp: string }[];
  const [, chargeback] = linked;
  assert.deepEqual(
    [linked.length, chargeback?.paymentType, chargeback?.result.code, chargeback?.id, chargeback?.timestamp.slice(0, 10)],
    [2, 'CB', '000.100.221', taken?.chargebackId, dayOf(began + 40 * DAY_MS)],
  );
  const received = receivedBy(receiver).filter(({ type, payload }) => type === 'PAYMENT' && payload.id === chargeback?.id);
  assert.deepEqual(
    received.map(({ payload }) => [payload.paymentType, payload.referencedId]),
    [['CB', id]],
  );
  const report = await shop.send('GET', '/reports/v1/reconciliations/aggregations', {
    entityId: DEMO.merchantId,
    'date.from': dayOf(began),
    'date.to': dayOf(began + 45 * DAY_MS),
  });
  assert.deepEqual(
    report.body.records.map(({ date, amount, count }: Fields) => [date, amount, count]),
    [
      [dayOf(began + 2 * DAY_MS), '92.00', '1'],
      [dayOf(began + 40 * DAY_MS), '-92.00', '1'],
    ],
  );
});

type Line = readonly [day: number, says: string];
type Story = { readonly plays: string | null; readonly lines: readonly Line[]; readonly inParts?: readonly Line[] };

const inline = (acts: object) => JSON.stringify({ name: 'planted', says: 'A planted fault.', ...acts });
const whole: Line = [2, 'SETTLED 92.00 - 0.00'];
const against = (line: Line): Line => [line[0], `${line[1]} NOT_MATCHED`];

const SALE = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;

/** What a payment of 92.00 comes to. `inParts`: for a merchant whose acquirer settles in parts. */
const stories: readonly Story[] = [
  { plays: null, lines: [whole] },
  { plays: 'chargeback-day-40', lines: [whole, [40, 'CHARGEBACK 92.00 000.100.221']] },
  {
    plays: 'chargeback-won-back',
    lines: [whole, [12, 'CHARGEBACK 92.00 000.100.220'], [42, 'CHARGEBACK REVERSAL 92.00 000.100.220']],
  },
  {
    plays: 'settled-in-parts',
    lines: [against([2, 'SETTLED 55.20 - 1.02']), against([7, 'SETTLED 36.80 - 0.52'])],
    inParts: [
      [2, 'SETTLED 55.20 - 1.02'],
      [7, 'SETTLED 36.80 - 0.52'],
    ],
  },
  { plays: 'never-settled', lines: [] },
  {
    plays: inline({ settlement: { pays: 'twice' } }),
    lines: [whole], // A second line for the same money is a duplicate, and stays out until an operator decides.
  },
  { plays: inline({ settlement: { off: '-0.10', after: '1h' } }), lines: [against([1, 'SETTLED 91.90 - 0.00'])] },
  { plays: inline({ settlement: { after: '50d' } }), lines: [against([50, 'SETTLED 92.00 - 0.00'])] },
  { plays: inline({ settlement: { feePercent: '9', after: '3d' } }), lines: [against([3, 'SETTLED 92.00 - 8.28'])] },
  {
    plays: inline({ chargebacks: [20, 20].map((days) => ({ after: `${days}d`, code: '000.100.206', share: 50 })) }),
    lines: [whole, [20, 'CHARGEBACK 46.00 000.100.206'], [20, 'CHARGEBACK 46.00 000.100.206']],
  },
];

test('every ready scenario about money is among the stories', () => {
  const received = stories.map(({ plays }) => plays);
  for (const { name, about } of readyScenarios) if (about === 'money') assert.ok(received.includes(name), name);
});

for (const isInParts of [false, true]) {
  test(`what becomes of money, by scenario${isInParts ? ', where it may come in parts' : ''}`, async () => {
    const { shop, clock, gateway: own } = stage();
    await store.setSettings(DEMO.merchantId, { settlement: { isInParts } });
    await own.directory.reload();
    const began = await clock.now();
    const ids: string[] = [];
    for (const { plays } of stories) ids.push((await shop.pay(plays === null ? {} : playing(plays))).id);
    await clock.move({ by: '60d' });
    for (const [at, { plays, lines, inParts = lines }] of stories.entries()) {
      const found = await settledIn(store, ids[at] ?? '', began);
      const [expected, planted] = [isInParts ? inParts : lines, plays ?? 'nothing'];
      // With parts allowed, too little is a part like any other.
      if (isInParts && planted.includes('-0.10')) assert.deepEqual(found, [[1, 'SETTLED 91.90 - 0.00']]);
      else assert.deepEqual(found, expected, planted);
    }
  });
}

test('captures, refunds and credits are settled, declined and cancelled ones are not', async () => {
  const { shop, clock } = stage();
  const began = await clock.now();
  const { id: authorised } = await shop.pay({ paymentType: 'PA', ...playing('settled-in-parts') });
  const { id: captured } = await shop.capture(authorised, '50.00');
  const { id: paid } = await shop.pay();
  const { id: refunded } = await shop.refund(paid, '12.00');
  const { id: credited } = await shop.pay({ paymentType: 'CD', amount: '7.00' });
  const { id: declined } = await shop.pay(playing('insufficient-funds'));
  const { id: cancelled } = await shop.pay(playing('chargeback-won-back'));
  assert.equal((await shop.reverse(cancelled)).code, '000.100.110');
  await clock.move({ by: '20d' });
  const settled = (id: string) => settledIn(store, id, began);
  assert.deepEqual(await settled(authorised), []);
  assert.deepEqual(await settled(captured), [
    [2, 'SETTLED 30.00 - 0.67'],
    [7, 'SETTLED 20.00 - 0.28'],
  ]);
  assert.deepEqual(await settled(paid), [whole]);
  assert.deepEqual(await settled(refunded), [[2, 'SETTLED 12.00 - 0.00']]);
  assert.deepEqual(await settled(credited), [[2, 'SETTLED 7.00 - 0.00']]);
  for (const id of [declined, cancelled]) assert.deepEqual(await settled(id), []);
});

test('a payment that a file of the merchant has settled is not settled twice', async () => {
  const { shop, clock, gateway: own } = stage();
  const began = await clock.now();
  const { id } = await shop.pay(playing('chargeback-won-back'));
  await clock.move({ to: `${dayOf(began + DAY_MS)}T12:00:00Z` });
  const payment = (await store.payment(DEMO.merchantId, id)) as Payment;
  const response = await fetch(`${own.url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=own.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'text/csv' },
    body: settlementFileOf(dayOf(began + DAY_MS), [payment]),
  });
  assert.equal(response.status, 200);
  await clock.move({ by: '15d' });
  assert.deepEqual(await settledIn(store, id, began), [
    [1, 'SETTLED 92.00 - 1.38'],
    [12, 'CHARGEBACK 92.00 000.100.220'],
  ]);
});

test('what is still open when its day ends is settled once it is decided', async () => {
  const { shop, clock } = stage();
  const began = await clock.now();
  const { id } = await shop.pay(playing(inline({ acquirer: [{ says: 'pending', for: '30h' }] })));
  const { id: never } = await shop.pay(playing(inline({ acquirer: [{ says: 'pending', for: '30h', code: '800.100.152' }] })));
  await clock.move({ by: '9d' });
  const [[day, says] = [], ...others] = await settledIn(store, id, began);
  assert.deepEqual([says, others], [whole[1], []]);
  assert.ok(day === 2 || day === 3, `on the first file after it, day ${day}`);
  assert.deepEqual(await settledIn(store, never, began), []);
});

test('other merchants are not affected, and merchants in real time are settled too', async () => {
  const { clock, gateway: own } = stage();
  const other = createClient(own.url, OTHER);
  const began = own.world.clock.now();
  const { id } = await other.send('POST', '/v1/payments', { ...CARD, ...SALE });
  await clock.move({ by: '3d' });
  await own.work(JOB);
  assert.deepEqual(await settledIn(store, id, began), []);
  for (let day = 1; day <= 3; day += 1) {
    own.pass(DAY_MS);
    await own.work(JOB);
    await own.work(JOB);
  }
  assert.deepEqual(await settledIn(store, id, began), [whole]);
});

test('back in real time days go on, and nothing is settled twice', async (context) => {
  const own = createMemoryStore();
  const alone = await startGateway({ store: own });
  context.after(() => alone.close());
  const [shop, clock] = [createClient(alone.url), createClockClient(alone.url)];
  const began = alone.world.clock.now();
  const { id: before } = await shop.pay();
  await clock.move({ by: '4d' });
  const { id: ahead } = await shop.pay();
  await clock.move({ by: '4d' });
  await clock.real();
  const { id: back } = await shop.pay();
  for (let day = 0; day <= 9; day += 1) {
    await alone.work(JOB);
    alone.pass(DAY_MS);
  }
  assert.deepEqual(await settledIn(own, before, began), [whole]);
  assert.deepEqual(await settledIn(own, ahead, began), [[6, whole[1]]]);
  assert.deepEqual(await settledIn(own, back, began), [whole]);
});

test('several nodes that settle at the same time settle once', async (context) => {
  const own = createMemoryStore();
  const nodes = await Promise.all([1, 2, 3].map(() => startGateway({ store: { ...own, close: async () => {} } as MemoryStore })));
  context.after(() => Promise.all(nodes.map((node) => node.close())));
  const began = nodes[0]?.world.clock.now() ?? 0;
  const ids: string[] = [];
  const day = async (merchant: Fields & { readonly entityId: string; readonly token: string }, plays: string) => {
    const shop = createClient(nodes[ids.length % nodes.length]?.url ?? '', merchant);
    ids.push((await shop.send('POST', '/v1/payments', { ...CARD, ...SALE, ...playing(plays) })).id);
  };
  for (const plays of ['chargeback-day-40', 'paid', 'never-settled']) for (const one of [DEMO, OTHER]) await day(one, plays);
  for (let days = 0; days < 42; days += 1) {
    await Promise.all(nodes.map((node) => node.work(JOB)));
    for (const node of nodes) node.pass(DAY_MS);
  }
  const lines = [[whole, [40, 'CHARGEBACK 92.00 000.100.221']], [whole], []].flatMap((one) => [one, one]);
  for (const [at, id] of ids.entries()) assert.deepEqual(await settledIn(own, id, began), lines[at], `payment ${at}`);
  assert.deepEqual(
    nodes.flatMap(({ lines: log }) => log.filter((line) => line.includes('"alarm":true'))),
    [],
  );
});

test('live has no such days', async (context) => {
  const live = await startGateway({ environment: 'live' });
  context.after(() => live.close());
  await assert.rejects(live.work(JOB), /there is no job/);
});

/** The store after a power cut at a certain step. */
const broken = {
  'after the file': 'finishScheduledSettlements',
  'before the chargeback': 'unrecorded',
  'after the chargeback': 'saveRecord',
} as const;

for (const [when, step] of Object.entries(broken)) {
  test(`a gateway that ends ${when} leaves nothing undone and nothing double`, async (context) => {
    const own = createMemoryStore();
    let isBroken = false;
    const failing = {
      ...own,
      close: async () => {},
      [step]: async (...given: readonly unknown[]) => {
        if (isBroken) throw new Error('the power is gone');
        return (own[step] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
      },
    } as MemoryStore;
    const first = await startGateway({ store: failing });
    const [shop, clock] = [createClient(first.url), createClockClient(first.url)];
    await clock.freeze();
    const began = await clock.now();
    const { id } = await shop.pay(playing('chargeback-won-back'));
    await clock.move({ by: '5d' });
    isBroken = true;
    await clock.set({ by: '8d' });
    await first.close();
    const second = await startGateway({ store: own });
    context.after(() => second.close());
    const hand = createClockClient(second.url);
    // The node that moved the clock is silent for so long that another takes over.
    second.pass(60_000);
    await second.work('advance test clocks');
    for (let reads = 0; reads < 1_000 && (await hand.read()).body.isMoving; reads += 1) await rest(5);
    await second.work('record chargebacks');
    await hand.move({ by: '35d' });
    const expected = stories.find(({ plays }) => plays === 'chargeback-won-back')?.lines;
    assert.deepEqual(await settledIn(own, id, began), expected);
    const found = await createClient(second.url).send('GET', `/v3/query/${id}`, { includeLinkedTransactions: 'true' });
    assert.deepEqual(
      found.body.records.map(({ paymentType }: Fields) => paymentType),
      ['DB', 'CB', 'CR'],
    );
    assert.equal((await own.files([DEMO.merchantId], 99)).length, 3);
  });
}
