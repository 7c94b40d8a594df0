import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AccountView } from '../../src/spec/answers/account.ts';
import type { RoutingBacktest, RoutingOfRules, RoutingRule } from '../../src/spec/routing.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { payAt, routedKinds, routedShops } from './routedShop.ts';
import { signedInAs } from './userFixture.ts';

const OPERATOR = 'operator-of-the-routing-0123456789abcdef';
const rules: readonly RoutingRule[] = [{ name: 'Large', when: { amountFrom: '100.00' }, to: ['closed', 'large'] }];
const { shops, rows } = routedShops(2, rules);
const shop = shops[0] ?? assert.fail('no shop');
const channelId = shop.channels[0]?.entityId ?? '';
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ rows, connectorKinds: routedKinds, operatorToken: OPERATOR });
});
after(() => gateway.close());

type Refusal = {
  readonly result?: { readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[] };
};

async function ask<Answer>(method: string, path: string, json?: object, token = OPERATOR) {
  const reply = await fetch(`${gateway.url}/admin/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { status: reply.status, body: (await reply.json()) as Answer & Refusal };
}

const faultsIn = ({ result }: Refusal) => result?.parameterErrors?.map(({ name, message }) => `${name} ${message}`) ?? [];

test('a channel shows the accounts that it may use, with their owner and state', async () => {
  const { body } = await ask<AccountView>('GET', `entities/${channelId}`);
  assert.deepEqual(body.acquirerAccounts, []);
  assert.deepEqual(
    body.usableAccounts.map(({ name, state, isReachable, lacksSecrets, ownerId }) => [
      name,
      state,
      isReachable,
      lacksSecrets,
      ownerId,
    ]),
    [
      ['base', 'on', true, false, shop.merchant.entityId],
      ['large', 'on', true, false, shop.merchant.entityId],
      ['strict', 'on', true, false, shop.merchant.entityId],
      ['closed', 'off', true, false, shop.merchant.entityId],
    ],
  );
});

test('every fault of a rule has the name of its rule', async () => {
  const { body: account } = await ask<AccountView>('GET', `entities/${channelId}`);
  const change = (wrong: object) =>
    ask<AccountView>('POST', `entities/${channelId}`, { revision: account.revision, set: { 'routing.rules': wrong } });
  const { status, body } = await change([{ to: ['base'] }, { to: [], share: 0 }]);
  assert.equal(status, 400);
  assert.deepEqual(faultsIn(body), [
    'routing.rules.1 rule 2: "share" must be a number above 0 and at most 100',
    'routing.rules.1 rule 2: "to" must be a list of account names',
  ]);
  assert.deepEqual(faultsIn((await change([{ to: ['base'] }, { to: ['base', 'moon'] }])).body), [
    'routing.rules.1 rule 2: "to" must name accounts or connectors that there are; moon is none',
  ]);
});

const accountsOf = ({ accounts }: RoutingOfRules) => accounts.map(({ account, count, share }) => [account, count, share]);
const rulesOf = (side: RoutingOfRules) => side.rules.map(({ rule, count, amounts }) => [rule, count, amounts]);
const tryRules = (given: object = {}) => ask<RoutingBacktest>('POST', 'routingBacktest', { entityId: channelId, ...given });

test('rules are tried on the first payments of the channel, beside the present ones', async () => {
  const payer = { url: gateway.url, token: shop.merchant.token, entityId: channelId };
  const { id } = await payAt(payer, { amount: '10.00' });
  await payAt(payer, { amount: '10.00', paymentType: 'RF' }, id);
  await payAt(payer, { amount: '30.00', currency: 'USD' });
  await payAt(payer, { amount: '200.00' });
  await payAt({ ...payer, entityId: shop.channels[1]?.entityId ?? '' }, { amount: '11.00' });
  const other = shops[1] ?? assert.fail('no other shop');
  const elsewhere = { url: gateway.url, token: other.merchant.token, entityId: other.channels[0]?.entityId ?? '' };
  await payAt(elsewhere, { amount: '12.00' });
  gateway.pass(1_000);

  const proposed = [{ name: 'Dollars', when: { currencies: ['USD'] }, to: ['strict'] }, { to: ['large'] }];
  const { status, body } = await tryRules({ rules: proposed });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.payments, body.isCut], [3, false]);
  assert.deepEqual(rulesOf(body.present), [
    [1, 1, { EUR: '200.00' }],
    [null, 2, { EUR: '10.00', USD: '30.00' }],
  ]);
  assert.deepEqual(accountsOf(body.present), [
    ['base', 2, 66.67],
    ['large', 1, 33.33],
  ]);
  assert.deepEqual(rulesOf(body.proposed), [
    [1, 1, { USD: '30.00' }],
    [2, 2, { EUR: '210.00' }],
    [null, 0, {}],
  ]);
  assert.deepEqual(accountsOf(body.proposed), [
    ['large', 2, 66.67],
    ['strict', 1, 33.33],
  ]);
  assert.deepEqual(body.accounts, [
    { account: 'base', count: 2, decided: 2, approved: 2, approvalRate: 100 },
    { account: 'large', count: 1, decided: 1, approved: 1, approvalRate: 100 },
  ]);
  const { body: same } = await tryRules();
  assert.deepEqual(same.proposed, same.present);
  const now = gateway.services.world.clock.now();
  const { body: later } = await tryRules({ from: new Date(now - 500).toISOString() });
  assert.equal(later.payments, 0);
});

test('the approval rate of an account is that of its own payments', async () => {
  const [one] = shops[1]?.channels ?? [];
  const entityId = one?.entityId ?? '';
  const { body: account } = await ask<AccountView>('GET', `entities/${entityId}`);
  const strict = [{ when: { amountFrom: '50.00' }, to: ['strict'] }];
  await ask('POST', `entities/${entityId}`, { revision: account.revision, set: { 'routing.rules': strict } });
  await payAt({ url: gateway.url, token: one?.token ?? '', entityId }, { amount: '60.00' });
  gateway.pass(1_000);
  const { body } = await tryRules({ entityId });
  const found = body.accounts.find((record) => record.account === 'strict');
  assert.deepEqual(found, { account: 'strict', count: 1, decided: 1, approved: 0, approvalRate: 0 });
});

const refusals: readonly (readonly [what: string, given: object, fault: string])[] = [
  ['no channel', { entityId: shop.merchant.entityId }, 'entityId must be a channel: channels take payments'],
  ['no list', { rules: {} }, 'rules must be a list of rules as in the setting routing.rules'],
  ['a bad rule', { rules: [{ to: ['base'] }, { to: [] }] }, 'rules.1 rule 2: "to" must be a list of account names'],
  [
    'too many rules',
    { rules: Array.from({ length: 201 }, () => ({ to: ['base'] })) },
    'rules must be a list of at most 200 rules',
  ],
  [
    'an unknown account',
    { rules: [{ to: ['moon'] }] },
    'rules.0 rule 1: "to" must name accounts or connectors that there are; moon is none',
  ],
  ['nothing between', { from: '2099-01-01T00:00:00Z' }, 'from must lie before the end: nothing is between them'],
  ['too long', { from: '2001-01-01T00:00:00Z' }, 'from must be at most 366 days before the end'],
];

for (const [what, given, fault] of refusals) {
  test(`a back-test is refused: ${what}`, async () => {
    const { status, body } = await tryRules(given);
    assert.equal(status, 400);
    assert.deepEqual(faultsIn(body), [fault]);
  });
}

test('a back-test needs the right to read payments of the channel', async () => {
  const asked = { entityId: channelId };
  const { ask: asReader } = await signedInAs(gateway, { role: 'readOnly', entityId: shop.merchant.entityId });
  assert.equal((await asReader('POST', '/routingBacktest', asked)).status, 200);
  const { ask: asStranger } = await signedInAs(gateway, { role: 'readOnly', entityId: shops[1]?.merchant.entityId ?? '' });
  assert.equal((await asStranger('POST', '/routingBacktest', asked)).status, 404);
  const { status } = await ask('POST', 'routingBacktest', asked, shops[1]?.merchant.token ?? '');
  assert.equal(status, 404);
});
