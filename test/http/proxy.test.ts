import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CARD, DEMO } from './client.ts';
import { startGateway } from './gateway.ts';

/** The gateway behind a proxy that ends TLS, in an environment where nothing is taken without it. */
const gateway = await startGateway({ isTlsOnly: true, trustProxy: ['127.0.0.1'] });
const direct = await startGateway({ isTlsOnly: true, trustProxy: ['10.0.0.5'] });
after(() => Promise.all([gateway.close(), direct.close()]));

const PAYMENT = new URLSearchParams({ entityId: DEMO.entityId, amount: '1.00', currency: 'EUR', paymentType: 'DB', ...CARD });
const pay = (url: string, headers: Record<string, string>) =>
  fetch(`${url}/v1/payments`, { method: 'POST', headers: { authorization: `Bearer ${DEMO.token}`, ...headers }, body: PAYMENT });
const TLS = { 'x-forwarded-proto': 'https' };

test('what came to the proxy by TLS is taken', async () => assert.equal((await pay(gateway.url, TLS)).status, 200));

const refused: [what: string, url: string, headers: Record<string, string>][] = [
  ['without a word of the proxy', gateway.url, {}],
  ['by plain HTTP', gateway.url, { 'x-forwarded-proto': 'http' }],
  ['by plain HTTP, and the client said otherwise', gateway.url, { 'x-forwarded-proto': 'https, http' }],
  ['past the proxy', direct.url, TLS],
  ['by TLS in the words of a header that nobody reads', gateway.url, { forwarded: 'proto=https' }],
];
for (const [what, url, headers] of refused) {
  test(`${what}: refused in the form of the API, and never carried out`, async () => {
    const answer = await pay(url, headers);
    const { result, ndc } = (await answer.json()) as { result: { code: string; description: string }; ndc: string };
    assert.equal(answer.status, 400);
    assert.equal(result.code, '200.300.404');
    assert.match(result.description, /over TLS.*TRUST_PROXY.*X-Forwarded-Proto: https/);
    assert.match(ndc, /^[0-9a-f]{32}$/);
    const line = [...gateway.lines, ...direct.lines].find((one) => one.includes(ndc)) ?? '';
    assert.match(line, /"status":400/);
  });
}

test('the back office too', async () => {
  assert.equal((await fetch(`${gateway.backOfficeUrl}/admin/v1/session`)).status, 400);
  assert.notEqual((await fetch(`${gateway.backOfficeUrl}/admin/v1/session`, { headers: TLS })).status, 400);
});

test('health and metrics work over plain HTTP', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    assert.equal((await fetch(`${direct.url}${path}`)).status, 200, path);
});

const strangers: Record<string, string>[] = [
  { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' },
  { 'x-forwarded-for': '198.51.100.7' },
  { 'x-forwarded-for': '10.0.0.1', via: '1.1 other' },
];
test('metrics are refused to clients of a proxy, whatever they send', async () => {
  for (const headers of strangers.slice(0, 2)) assert.equal((await fetch(`${gateway.url}/metrics`, { headers })).status, 404);
  for (const headers of strangers) assert.equal((await fetch(`${direct.url}/metrics`, { headers })).status, 404);
});
