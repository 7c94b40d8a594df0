import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';
import type { PaymentDetail } from '../../src/spec/answers/payments.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** The timeline of a payment: every stored step, in its order, and no invented instant. */

const CAREFUL = '5eed00000000000000000000000000b1';
const USER = '5eed00000000000000000000000000b2';
const token = tokenOf(USER, 'of a test');
const rule = { id: 'gift', says: 'no gifts', when: "risk.parameters[basket] = 'gift'", mode: 'on' };
const careful: EntityRow = {
  id: CAREFUL,
  kind: 'channel',
  parentId: sandbox.demoShop.merchantId,
  name: 'Careful',
  settings: { risk: { mode: 'on', rules: [{ ...rule, gives: { verdict: 'decline', code: '800.300.301', score: -10 } }] } },
};
const store = createMemoryStore();
const gateway = await startGateway({
  store,
  rows: { entities: [careful], tokens: [{ userId: USER, tokenHash: tokenHash(token), entityId: CAREFUL, createdAt: 0 }] },
});
after(() => gateway.close());
const shop = createClient(gateway.url);

async function storyOf(id: string): Promise<PaymentDetail['timeline']> {
  // Each time anew: the clock is moved by hours in between.
  const seat = await signedInAs(gateway, { role: 'readOnly', entityId: DEMO.merchantId });
  const { status, body } = await seat.ask('GET', `/payments/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.timeline;
}
const steps = (story: PaymentDetail['timeline']) => story.map(({ kind, what }) => `${kind}.${what}`);

test('a payment that a rule declines names the rule, and no acquirer was asked', async () => {
  const client = createClient(gateway.url, { entityId: CAREFUL, token });
  const { id, code } = await client.pay({ 'risk.parameters[basket]': 'gift' });
  assert.equal(code, '800.300.301');
  const story = await storyOf(id);
  assert.deepEqual(steps(story), ['request.received', 'checks.passed', 'risk.fired', 'risk.decline', 'state.declined']);
  const fired = story.find(({ what }) => what === 'fired');
  assert.deepEqual([fired?.note, fired?.detail], ['gift', 'no gifts (-10)']);
  assert.equal(story.find(({ tone }) => tone === 'bad')?.what, 'decline');
});

test('3D Secure comes between the risk checks and the acquirer', async () => {
  const paid = await shop.pay({ ...SHOPPER, shopperResultUrl: 'https://shop.example/', 'card.number': '4200000000000026' });
  const walked = steps(await storyOf(paid.id)).filter((step) => /^(?:threeDS|connector)/.test(step));
  assert.deepEqual(walked, ['threeDS.begun', 'threeDS.frictionless', 'connector.sent', 'connector.approved']);
  const failed = await shop.pay({ ...SHOPPER, shopperResultUrl: 'https://shop.example/', 'card.number': '4012001037461114' });
  const story = await storyOf(failed.id);
  assert.ok(
    steps(story).every((step) => !step.startsWith('connector')),
    steps(story).join(),
  );
  assert.equal(story.findLast(({ kind }) => kind === 'state')?.note, failed.code);
});

test('a lost reply shows as it was: open, inquired, decided', async () => {
  const { id } = await shop.pay({ 'customParameters[SIMULATOR_answer]': 'lost' });
  assert.ok(steps(await storyOf(id)).includes('connector.doubt'));
  await gateway.settle();
  const story = await storyOf(id);
  const states = story.filter(({ kind }) => kind === 'state');
  assert.deepEqual([states[0]?.what, states.at(-1)?.what], ['pending', 'approved']);
  const known = story.flatMap(({ at }) => (at === null ? [] : [at]));
  assert.deepEqual(known, known.toSorted());
  assert.ok(story.filter(({ kind }) => kind === 'ledger').length >= 2);
});

test('webhook deliveries are part of it, attempt after attempt', async () => {
  const times = { createdAt: 1, changedAt: 1, revision: 1, failingSince: null } as const;
  const webhook = {
    id: 'a'.repeat(32),
    entityId: DEMO.merchantId,
    name: 'Orders',
    url: 'https://shop.example/',
    ...times,
  } as const;
  await store.addWebhook({
    ...webhook,
    types: ['PAYMENT'],
    fields: 'ALL',
    wrapper: 'NONE',
    state: 'active',
    why: null,
    keys: [],
  });
  const { id } = await shop.pay();
  const [outboxEvent] = await store.eventsOf(DEMO.merchantId, { subjectId: id, transactionId: id });
  assert.ok(outboxEvent);
  const tries = [
    { at: outboxEvent.createdAt + 10, status: 500, ms: 3, why: 'answered 500' },
    { at: outboxEvent.createdAt + 20, status: 200, ms: 3, why: null },
  ];
  const times2 = { earlierTries: 0, dueAt: outboxEvent.createdAt + 20, createdAt: outboxEvent.createdAt } as const;
  await store.saveFanOut(
    [outboxEvent],
    [{ id: 'b'.repeat(32), webhookId: webhook.id, event: outboxEvent, state: 'due', tries: [], ...times2 }],
  );
  assert.equal((await storyOf(id)).at(-1)?.what, 'waiting');
  await store.saveDeliveries([
    { id: 'b'.repeat(32), webhookId: webhook.id, event: outboxEvent, state: 'delivered', tries, ...times2 },
  ]);
  const webhooks = (await storyOf(id)).filter(({ kind }) => kind === 'webhook');
  assert.deepEqual(
    webhooks.map(({ what, note, detail }) => [what, note, detail]),
    [
      ['failed', 'Orders', '500 · answered 500'],
      ['delivered', 'Orders', '200'],
    ],
  );
});
