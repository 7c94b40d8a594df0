import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AccountView } from '../../src/spec/answers/account.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const OPERATOR = 'operator-of-the-accounts-0123456789abcdef';
const { shops, rows } = freshShops(1);
const merchantId = shops[0]?.merchant.entityId ?? '';
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ rows, operatorToken: OPERATOR });
});
after(() => gateway.close());

async function ask(method: string, path: string, json?: object) {
  const reply = await fetch(`${gateway.url}/admin/v1/entities/${merchantId}${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    ...(json && { body: JSON.stringify(json) }),
  });
  const body = (await reply.json()) as AccountView & {
    readonly result?: { readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[] };
  };
  return { status: reply.status, body };
}

async function setAccounts(accounts: object) {
  const { body } = await ask('GET', '');
  return ask('POST', '', { revision: body.revision, set: { accounts } });
}

const upstream = { connector: 'upstream', settings: { url: 'https://api.example.com', entityId: 'a'.repeat(32) } };

test('an account is set up, its credentials are stored and never shown, and a channel can name it', async () => {
  const set = await setAccounts({ other: upstream });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const [shown] = set.body.acquirerAccounts;
  assert.equal(shown?.notificationPath, `/v1/connectors/upstream/${merchantId}.other/notifications`);
  assert.ok(shown?.secrets.every(({ isSet }) => !isSet));
  const required = shown?.secrets.find(({ isOptional }) => !isOptional)?.name ?? '';
  const kept = await ask('POST', '/accountSecrets', {
    account: 'other',
    secret: required,
    value: 'a-credential-of-thirty-signs-0123456789',
  });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  assert.ok(!JSON.stringify(kept.body).includes('thirty'));
  const after = kept.body.acquirerAccounts[0]?.secrets.find(({ name }) => name === required);
  assert.equal(after?.isSet, true);
  assert.match(after?.keptAt ?? '', /^20/);
  const { body } = await ask('GET', '');
  assert.ok(body.connectors.includes('other'));
  const named = await ask('POST', '', { revision: body.revision, set: { connectors: { default: 'other' } } });
  assert.equal(named.status, 200, JSON.stringify(named.body));
  const dropped = await ask('DELETE', `/accountSecrets?account=other&secret=${required}`);
  assert.equal(dropped.body.acquirerAccounts[0]?.secrets.find(({ name }) => name === required)?.isSet, false);
});

const refusals: readonly (readonly [what: string, accounts: object, says: RegExp])[] = [
  ['an unknown connector', { other: { connector: 'none', settings: {} } }, /"connector" must be one of/],
  [
    'an unknown setting',
    { other: { ...upstream, settings: { ...upstream.settings, colour: 'red' } } },
    /"settings\.colour" does not exist/,
  ],
  ['a missing setting', { other: { connector: 'upstream', settings: {} } }, /is missing/],
  [
    'an address without TLS',
    { other: { ...upstream, settings: { ...upstream.settings, url: 'http://api.example.com' } } },
    /must be an address/,
  ],
  ['the name of a connector without accounts', { simulator: upstream }, /without accounts/],
];

for (const [what, accounts, says] of refusals) {
  test(`refused: ${what}`, async () => {
    const { status, body } = await setAccounts(accounts);
    assert.equal(status, 400);
    assert.match(JSON.stringify(body.result?.parameterErrors?.map(({ message }) => message)).replaceAll('\\"', '"'), says);
  });
}

test('a credential is refused for an account or under a name that does not exist, and when it is too short', async () => {
  await setAccounts({ other: upstream });
  for (const [values, name] of [
    [{ account: 'unknown', secret: 'token', value: 'x'.repeat(40) }, 'account'],
    [{ account: 'other', secret: 'unknown', value: 'x'.repeat(40) }, 'secret'],
    [{ account: 'other', secret: 'accessToken', value: 'x' }, 'value'],
  ] as const) {
    const { status, body } = await ask('POST', '/accountSecrets', values);
    assert.equal(status, 400);
    assert.equal(body.result?.parameterErrors?.[0]?.name, name, JSON.stringify(body));
  }
});

test('a notification for an account that does not exist is not found', async () => {
  for (const path of [`upstream/${merchantId}.nobody`, `none/${merchantId}.other`, `upstream/${'f'.repeat(32)}.other`]) {
    const reply = await fetch(`${gateway.url}/v1/connectors/${path}/notifications`, { method: 'POST', body: '{}' });
    assert.equal(reply.status, 404);
  }
});
