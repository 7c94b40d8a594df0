import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { readyScenarios } from '../../src/spec/scenarios/ready.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, createClient, DEMO, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Scenarios that a merchant of the test environment saves, and attaches to channels and cards. */

const SCENARIO = 'customParameters[SCENARIO]';
const PAID = '000.100.110';
const OPERATOR = 'operator-of-this-gateway.0123456789';
const OTHER_CARD = '4111111111111111';
const own = {
  name: 'broke-again',
  says: 'There is no money, and the seed says how long the answer takes.',
  acquirer: [{ says: 'declined', code: '800.100.155', advice: '24', takes: '1ms..9ms' }],
} as const;

const store = createMemoryStore();
let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
let admin: ReturnType<typeof createAdministrator>;
let other: ReturnType<typeof createAdministrator>;
before(async () => {
  gateway = await startGateway({ store, operatorToken: OPERATOR });
  shop = createClient(gateway.url);
  admin = createAdministrator(gateway.url);
  other = createAdministrator(gateway.url, OTHER.token);
});
after(() => gateway.close());
beforeEach(async () => {
  for (const { id, settings } of await store.entities()) {
    const { scenarios: _, ...others } = settings;
    await store.setSettings(id, others);
  }
  await gateway.directory.reload();
});

const put = (scenario: object, entityId: string = DEMO.merchantId) => admin.ask('POST', '/scenarios', { entityId, scenario });
const list = (entityId: string = DEMO.merchantId) => admin.ask('GET', `/scenarios?entityId=${entityId}`);
const read = (name: string, entityId: string = DEMO.merchantId) => admin.ask('GET', `/scenarios/${name}?entityId=${entityId}`);
const attach = (name: string, fields: object = {}) =>
  admin.ask('POST', `/scenarios/${name}/attach`, { entityId: DEMO.entityId, ...fields });
const detach = (name: string, fields: object = {}) =>
  admin.ask('POST', `/scenarios/${name}/detach`, { entityId: DEMO.entityId, ...fields });
const log = (name: string, seed = '') => admin.ask('GET', `/scenarios/${name}/log?entityId=${DEMO.merchantId}${seed}`);
const names = ({ body }: Reply): readonly string[] => body.scenarios.map(({ name }: { name: string }) => name);

test('the ready ones are listed with how they end, and read', async () => {
  const listed = await list();
  assert.deepEqual(
    names(listed),
    readyScenarios.map(({ name }) => name),
  );
  const twice = listed.body.scenarios.find(({ name }: { readonly name: string }) => name === 'insufficient-funds-then-paid');
  assert.deepEqual(twice, {
    name: 'insufficient-funds-then-paid',
    isReady: true,
    with: 'card',
    ends: ['800.100.155', PAID],
    says: readyScenarios.find(({ name }) => name === 'insufficient-funds-then-paid')?.says,
  });
  const { body } = await read('chargeback-day-40');
  assert.deepEqual([body.isReady, body.scenario.chargebacks], [true, [{ after: '40d', code: '000.100.221' }]]);
  assert.equal((await read('nobody-knows-this')).status, 404);
});

test('one of the own is kept, played at once, changed and removed; what has begun goes on', async () => {
  assert.equal((await put(own)).body.isReady, false);
  assert.deepEqual((await read('broke-again', DEMO.entityId)).body.scenario, own, 'what is kept above is known below');
  const paid = await shop.pay({ [SCENARIO]: 'broke-again#5' });
  assert.deepEqual([paid.code, paid.body.resultDetails.MerchantAdviceCode], ['800.100.155', '24']);
  await put({ ...own, acquirer: [{ says: 'approved' }] });
  assert.equal((await shop.pay({ [SCENARIO]: 'broke-again' })).code, PAID);
  const played = await admin.ask('GET', `/scenarios/payments/${paid.id}?entityId=${DEMO.entityId}`);
  assert.deepEqual([played.body.seed, played.body.acts.acquirer[0].says], [5, 'declined']);
  assert.deepEqual(names(await list()).at(-1), 'broke-again');
  const removed = await admin.ask('DELETE', `/scenarios/broke-again?entityId=${DEMO.merchantId}`);
  assert.deepEqual([removed.status, removed.body.removed], [200, true]);
  assert.equal((await admin.ask('DELETE', `/scenarios/broke-again?entityId=${DEMO.merchantId}`)).status, 404);
  assert.equal((await shop.pay({ [SCENARIO]: 'broke-again' })).code, '200.300.404');
});

test('the log of a scenario is the same for the same seed, byte for byte, and another one for another where chance is used', async () => {
  await put(own);
  const logs = await Promise.all(['&seed=1', '&seed=1', '&seed=2', ''].map((seed) => log('broke-again', seed)));
  const [one, same, another, free] = logs.map(({ body }) => body.log as string);
  assert.equal(one, same);
  assert.notEqual(one, another);
  assert.match(
    free ?? '',
    /^\{"since":"attempt 1","at":0,"who":"acquirer","does":"declines","code":"800\.100\.155","advice":"24"\}\n/,
  );
  assert.equal((await log('broke-again', '&seed=-1')).code, '200.300.404');
  assert.equal((await log('nobody-knows-this')).status, 404);
});

test('a channel, a card and the payment itself: the nearest to the payment wins', async () => {
  const paying = async (fields: Readonly<Record<string, string>> = {}) => (await shop.pay(fields)).code;
  assert.equal((await attach('insufficient-funds')).body.attached.channel, 'insufficient-funds');
  assert.equal(await paying(), '800.100.155');
  const carded = await attach('card-stolen', { card: CARD['card.number'], seed: 3 });
  assert.deepEqual(carded.body.attached, { channel: 'insufficient-funds', cards: ['card-stolen#3'] });
  assert.deepEqual([await paying(), await paying({ 'card.number': OTHER_CARD })], ['800.100.159', '800.100.155']);
  assert.equal(await paying({ [SCENARIO]: 'paid' }), PAID);
  const stored = await shop.send('POST', '/v1/registrations', { ...CARD, [SCENARIO]: 'paid' });
  const again = await shop.send('POST', `/v1/registrations/${stored.id}/payments`, {
    paymentType: 'DB',
    amount: '5.00',
    currency: 'EUR',
  });
  assert.equal(again.code, '800.100.159', 'a stored card is the same card');
  const kept = JSON.stringify(await store.entities());
  assert.ok(kept.includes('card-stolen#3') && !kept.includes(CARD['card.number']), 'no card number is stored');
  assert.equal((await detach('card-stolen', { card: CARD['card.number'] })).status, 200);
  assert.equal(await paying(), '800.100.155');
  assert.equal((await detach('insufficient-funds')).status, 200);
  assert.equal(await paying(), PAID);
  assert.equal((await detach('insufficient-funds')).status, 404);
});

test('what is attached above holds below, and an own one takes its attachments with it', async () => {
  await put(own);
  await attach('broke-again', { entityId: DEMO.merchantId });
  assert.equal((await shop.pay()).code, '800.100.155');
  await admin.ask('DELETE', `/scenarios/broke-again?entityId=${DEMO.merchantId}`);
  assert.deepEqual([(await list()).body.attached.channel, (await shop.pay()).code], [null, PAID]);
});

test('many changes at once: none is lost', async () => {
  const all = Array.from({ length: 10 }, (_, index) => `story-${index}`);
  await Promise.all(all.map((name) => put({ ...own, name })));
  assert.deepEqual(
    names(await list())
      .slice(-10)
      .toSorted(),
    all,
  );
});

test("another merchant sees nothing of one's own, neither scenarios nor payments", async () => {
  await put(own);
  const paid = await shop.pay({ [SCENARIO]: 'paid' });
  assert.equal((await other.ask('GET', `/scenarios?entityId=${DEMO.merchantId}`)).status, 404);
  assert.equal((await other.ask('GET', `/scenarios/broke-again?entityId=${OTHER.entityId}`)).status, 404);
  assert.equal((await other.ask('GET', `/scenarios/payments/${paid.id}?entityId=${OTHER.entityId}`)).status, 404);
  assert.equal((await admin.ask('GET', `/scenarios/payments/${paid.id}?entityId=${DEMO.lenientId}`)).status, 404);
  const foreign = createClient(gateway.url, OTHER);
  assert.equal((await foreign.pay({ [SCENARIO]: 'broke-again' })).code, '200.300.404');
  assert.equal((await createAdministrator(gateway.url, null).ask('GET', `/scenarios?entityId=${DEMO.merchantId}`)).status, 401);
});

const acquirer = [{ says: 'approved' }];
const bad: readonly (readonly [what: string, scenario: object, fault: string])[] = [
  ['no name', { says: 'x' }, 'scenario.name'],
  ['a ready name', { name: 'paid', says: 'x' }, 'scenario.name'],
  ['a name with capitals', { name: 'Mine', says: 'x' }, 'scenario.name'],
  ['no story', { name: 'mine' }, 'scenario.says'],
  ['an act nobody knows', { name: 'mine', says: 'x', acts: [] }, 'scenario.acts'],
  ['an answer nobody knows', { name: 'mine', says: 'x', acquirer: [{ says: 'perhaps' }] }, 'scenario.acquirer[0].says'],
  ['nine attempts', { name: 'mine', says: 'x', acquirer: Array(9).fill(acquirer[0]) }, 'scenario.acquirer'],
  [
    'a pending code',
    { name: 'mine', says: 'x', acquirer: [{ says: 'approved', code: '000.200.000' }] },
    'scenario.acquirer[0].code',
  ],
  ['a time without a unit', { name: 'mine', says: 'x', bank: { shopper: 'pays', after: '5' } }, 'scenario.bank.after'],
  ['a range the wrong way round', { name: 'mine', says: 'x', bank: { shopper: 'pays', after: '5m..1m' } }, 'scenario.bank.after'],
  ['nobody to be late', { name: 'mine', says: 'x', bank: { after: '5m' } }, 'scenario.bank.after'],
  ['a status below 300', { name: 'mine', says: 'x', receiver: [{ answers: '200', for: '1d' }] }, 'scenario.receiver[0].answers'],
  ['a part without a share', { name: 'mine', says: 'x', settlement: { pays: 'part' } }, 'scenario.settlement.share'],
  ['a seed below zero', { name: 'mine', says: 'x', seed: -1 }, 'scenario.seed'],
  ['a weight of nothing', { name: 'mine', says: 'x', oneOf: [{ weight: 0 }] }, 'scenario.oneOf[0].weight'],
  ['too much', { name: 'mine', says: 'x', acquirer, more: 'x'.repeat(2_048) }, 'scenario'],
];
for (const [what, scenario, fault] of bad) {
  test(`a scenario with ${what} is refused by name`, async () => {
    const { status, code, body } = await put(scenario);
    assert.deepEqual([status, code, body.result.parameterErrors[0].name], [400, '200.300.404', fault]);
  });
}

test('cards are attached where there is a merchant, and their numbers are never repeated', async () => {
  const wrong = await attach('paid', { card: '4200 0000 0000 0000' });
  assert.deepEqual([wrong.code, wrong.body.result.parameterErrors[0].value], ['200.300.404', '***']);
  const asOperator = createAdministrator(gateway.url, OPERATOR);
  const above = await asOperator.ask('POST', '/scenarios/paid/attach', { entityId: sandbox.psp, card: OTHER_CARD });
  assert.deepEqual([above.code, above.body.result.parameterErrors[0].name], ['200.300.404', 'entityId']);
  assert.equal((await attach('nobody-knows-this')).status, 404);
});

test('an entity has at most twenty scenarios of its own', async () => {
  for (let count = 0; count < 20; count += 1) assert.equal((await put({ ...own, name: `story-${count}` })).status, 200);
  assert.match((await put({ ...own, name: 'one-more' })).body.result.parameterErrors[0].message, /more than 20/);
  assert.equal((await put({ ...own, name: 'story-3', says: 'Another one.' })).status, 200);
});
