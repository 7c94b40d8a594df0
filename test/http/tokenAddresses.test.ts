import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';
import { createAddressList } from '../../src/spec/addressBlocks.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, DEMO } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** T5: a token that is stolen opens nothing from another address than those it was issued for. */

const ALLOWED = ['203.0.113.0/24', '2001:db8::/32'];
let gateway: TestGateway;
let administrator: Awaited<ReturnType<typeof signedInAs>>;
let listed: { readonly id: string; readonly token: string };

before(async () => {
  // The tests send as a proxy does: the last address that it has written is that of the client.
  gateway = await startGateway({ trustProxy: ['127.0.0.1'] });
  administrator = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId });
  const { body } = await issue({ allowedAddresses: ALLOWED });
  listed = { id: body.issued.id, token: body.token };
});
after(() => gateway.close());

const issue = (fields: object) => administrator.ask('POST', '/tokens', { entityId: DEMO.entityId, name: 'Office', ...fields });
const setAddresses = (id: string, allowedAddresses: unknown) =>
  administrator.ask('POST', `/tokens/${id}/allowedAddresses`, { allowedAddresses });

const PAYMENT = { entityId: DEMO.entityId, amount: '1.00', currency: 'EUR', paymentType: 'DB', ...CARD };
type Sent = { readonly token?: string; readonly from?: string; readonly fields?: Readonly<Record<string, string>> };

/** A payment as it comes through the proxy. The whole reply, but for what differs in every one. */
async function pay({ token, from, fields = {} }: Sent) {
  const response = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    body: new URLSearchParams({ ...PAYMENT, ...fields }),
  });
  const { ndc, timestamp: _, ...body } = (await response.json()) as { readonly ndc: string; readonly timestamp: string };
  const headers = [...response.headers.keys()].sort();
  return { ndc, seen: { status: response.status, headers, body } };
}

const pairOf = (token: string) => {
  const [user = '', password = ''] = Buffer.from(token, 'base64').toString().split('|');
  return { 'authentication.userId': user, 'authentication.password': password };
};
const WRONG = Buffer.from(`${'7'.repeat(32)}|${'8'.repeat(32)}`).toString('base64');

test('from an allowed address it pays; from any other, and past the proxy, the reply is that to a wrong token', async () => {
  for (const from of ['203.0.113.9', '2001:db8:1::2', '198.51.100.7, 203.0.113.9', '[2001:db8::1]:443']) {
    assert.equal((await pay({ token: listed.token, from })).seen.status, 200, from);
    assert.equal((await pay({ from, fields: pairOf(listed.token) })).seen.status, 200, `${from}, as parameters`);
  }
  const elsewhere = ['198.51.100.7', '203.0.114.0', '2001:db9::', '203.0.113.9, 198.51.100.7', undefined];
  for (const from of elsewhere) {
    const sent = from === undefined ? {} : { from };
    const wrong = await pay({ ...sent, token: WRONG });
    assert.equal(wrong.seen.status, 403);
    assert.deepEqual((await pay({ ...sent, token: listed.token })).seen, wrong.seen, from ?? 'past the proxy');
    assert.deepEqual((await pay({ ...sent, fields: pairOf(listed.token) })).seen, wrong.seen, `${from}, as parameters`);
  }
});

test('a header that the client itself has written moves it nowhere', async () => {
  const user = { userId: 'c'.repeat(32), entityId: DEMO.entityId, createdAt: 0, allowedAddresses: ALLOWED };
  const token = tokenOf(user.userId, 'secret');
  const direct = await startGateway({ rows: { entities: [], tokens: [{ ...user, tokenHash: tokenHash(token) }] } });
  const response = await fetch(`${direct.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    body: new URLSearchParams(PAYMENT),
  });
  assert.equal(response.status, 403);
  await direct.close();
});

test('whatever the address, it pays exactly if the list holds it', async () => {
  const holds = createAddressList(ALLOWED);
  const near = fc.tuple(fc.constantFrom('203.0.112.', '203.0.113.', '203.0.114.'), fc.nat(255)).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.oneof(near, fc.ipV4(), fc.ipV6()), async (from) => {
      const { seen } = await pay({ token: listed.token, from, fields: { amount: '1.01' } });
      assert.equal(seen.status, holds(from) ? 200 : 403, from);
    }),
    { numRuns: 100 },
  );
});

test('a long body is not read for it, and the log says why to the operator alone', async () => {
  const { seen, ndc } = await pay({
    token: listed.token,
    from: '198.51.100.7',
    fields: { 'merchant.memo': 'x'.repeat(100_000) },
  });
  assert.equal(seen.status, 403);
  assert.ok(!JSON.stringify(seen.body).includes('address'));
  const line = gateway.lines.find((one) => one.includes(ndc)) ?? '';
  assert.match(line, /an access token from an address that it does not allow/);
  assert.ok(!line.includes(listed.token));
});

test('the administration API refuses it as well', async () => {
  const ask = async (from: string, token: string) => {
    const url = `${gateway.url}/admin/v1/webhooks?entityId=${DEMO.entityId}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from } });
    const { ndc: _, timestamp: __, ...body } = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body };
  };
  assert.equal((await ask('203.0.113.9', listed.token)).status, 200);
  assert.deepEqual(await ask('198.51.100.7', listed.token), await ask('198.51.100.7', WRONG));
});

test('the list is shown, changed and removed, each time at once; a rotation keeps it; each change is an audit entry', async () => {
  const { token, issued } = (await issue({})).body;
  assert.deepEqual(issued.allowedAddresses, []);
  const status = async (from: string, by: string = token) => (await pay({ token: by, from })).seen.status;
  assert.equal(await status('198.51.100.7'), 200);
  const set = await setAddresses(issued.id, ['2001:DB8:0::/48', '198.51.100.7/32', '198.51.100.7']);
  assert.deepEqual([set.status, set.body.allowedAddresses], [200, ['2001:db8::/48', '198.51.100.7']]);
  assert.deepEqual([await status('198.51.100.7'), await status('198.51.100.8')], [200, 403]);
  const { body } = await administrator.ask('GET', `/tokens?entityId=${DEMO.entityId}`);
  const shown = body.tokens.find(({ id }: { readonly id: string }) => id === issued.id);
  assert.deepEqual(shown.allowedAddresses, ['2001:db8::/48', '198.51.100.7']);

  const rotated = (await administrator.ask('POST', `/tokens/${issued.id}/rotate`, { end: 'byHand' })).body;
  assert.deepEqual(rotated.issued.allowedAddresses, ['2001:db8::/48', '198.51.100.7']);
  assert.deepEqual([await status('198.51.100.7', rotated.token), await status('198.51.100.8', rotated.token)], [200, 403]);

  assert.deepEqual((await setAddresses(issued.id, [])).body.allowedAddresses, []);
  assert.equal(await status('198.51.100.8'), 200);
  assert.equal(await status('198.51.100.8', rotated.token), 403, 'the other one keeps its list');
  const entries = (await administrator.ask('GET', `/audit?entityId=${DEMO.merchantId}&what=setTokenAddresses`)).body.entries;
  assert.deepEqual(
    entries.map(({ objectId, result }: Record<string, string>) => [objectId, result]),
    [
      [issued.id, 'done'],
      [issued.id, 'done'],
    ],
  );
});

test('an ended token has no list to change, and a token sets none', async () => {
  const { issued } = (await issue({})).body;
  await administrator.ask('POST', `/tokens/${issued.id}/end`, { end: 'now' });
  assert.equal((await setAddresses(issued.id, ['192.0.2.1'])).status, 400);
  const byToken = createAdministrator(gateway.url);
  assert.equal((await byToken.ask('POST', `/tokens/${listed.id}/allowedAddresses`, { allowedAddresses: [] })).status, 403);
});

test('what is no list of addresses is refused by name, and changes nothing', async () => {
  const bad = [[['192.0.2.7/24']], [['192.0.2.0/33']], [['::/0']], [['shop.example']], [['x']], ['192.0.2.7'], [null], [[7]]];
  for (const [value] of bad) {
    const reply = await setAddresses(listed.id, value);
    assert.deepEqual(
      [reply.status, reply.body.result.parameterErrors?.[0]?.name],
      [400, 'allowedAddresses'],
      JSON.stringify(value),
    );
    assert.equal((await issue({ allowedAddresses: value })).status, 400);
  }
  assert.equal((await pay({ token: listed.token, from: '198.51.100.7' })).seen.status, 403);
});
