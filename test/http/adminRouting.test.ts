import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AccountView } from '../../src/spec/answers/account.ts';
import type { RoutingRule } from '../../src/spec/routing.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { routedKinds, routedShops } from './routedShop.ts';

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
