import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adminAccess, type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import { DEMO } from './client.ts';
import { startGateway } from './gateway.ts';
import { browserOf, signedInAs } from './userFixture.ts';

/** Other sites can do nothing with the session of a signed-in user (R32). */

const gateway = await startGateway();
after(() => gateway.close());
const person = await signedInAs(gateway);
const { cookie, csrf } = person;

const name = { name: 'Ann Example' };
const send = (
  headers: Readonly<Record<string, string>>,
  method = 'POST',
  path = '/me',
  body: string | undefined = JSON.stringify(name),
) =>
  fetch(`${gateway.backOfficeUrl}/admin/v1${path}`, {
    method,
    headers,
    ...(method === 'POST' && body !== undefined && { body }),
  });

const json = { 'content-type': 'application/json' };

test('the same request from our own page is done', async () => {
  assert.equal((await send({ cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'same-origin', ...json })).status, 200);
  assert.equal((await send({ cookie, 'x-turnpike-csrf': csrf, ...json })).status, 200, 'and from who is no browser');
});

const forged: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['from another site', { cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'cross-site', ...json }],
  ['from another host of the same site', { cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'same-site', ...json }],
  ['typed into the address line', { cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'none', ...json }],
  ['without the token', { cookie, 'sec-fetch-site': 'same-origin', ...json }],
  ['with an empty token', { cookie, 'x-turnpike-csrf': '', 'sec-fetch-site': 'same-origin', ...json }],
  ['with the token of another session', { cookie, 'x-turnpike-csrf': `${csrf}x`, 'sec-fetch-site': 'same-origin', ...json }],
  ['by an old browser, from another origin', { cookie, 'x-turnpike-csrf': csrf, origin: 'https://evil.example', ...json }],
  ['from a page without an origin', { cookie, 'x-turnpike-csrf': csrf, origin: 'null', ...json }],
];
for (const [what, headers] of forged) {
  test(`${what}: refused`, async () => {
    const reply = await send(headers);
    assert.equal(reply.status, 403);
    assert.equal((await send(headers, 'DELETE', '/session')).status, 403);
    assert.equal((await person.ask('GET', '/me')).status, 200, 'nobody was signed out');
  });
}

test('a sign-in from another site is refused', async () => {
  const body = JSON.stringify({ email: 'ann@shop.example', password: 'x' });
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal((await send({ 'sec-fetch-site': site, ...json }, 'POST', '/session', body)).status, 403, site);
  }
});

test('a form or a plain script of another site is refused', async () => {
  const types = [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/csp-report',
    '',
  ];
  for (const type of types) {
    const headers = { cookie, 'x-turnpike-csrf': csrf, 'sec-fetch-site': 'same-origin', 'content-type': type };
    assert.equal((await send(headers)).status, 400, type);
  }
});

test('reads from another site are refused, too', async () => {
  const read = (site: string) => send({ cookie, 'sec-fetch-site': site }, 'GET', `/webhooks?entityId=${DEMO.merchantId}`);
  assert.equal((await read('same-origin')).status, 200);
  assert.equal((await read('cross-site')).status, 403);
  assert.equal((await read('same-site')).status, 403);
});

test('a cookie does not work at the port of the API, nor a token at the sign-in', async () => {
  const atApi = await fetch(`${gateway.url}/admin/v1/webhooks?entityId=${DEMO.merchantId}`, { headers: { cookie } });
  assert.equal(atApi.status, 401);
  assert.equal((await fetch(`${gateway.url}/admin/v1/me`, { headers: { cookie } })).status, 404);
  const byToken = await fetch(`${gateway.backOfficeUrl}/admin/v1/me`, { headers: { authorization: `Bearer ${DEMO.token}` } });
  assert.equal(byToken.status, 401);
});

test('no preflight of another origin is allowed', async () => {
  for (const path of ['/me', '/session', '/users', `/webhooks?entityId=${DEMO.merchantId}`]) {
    const reply = await fetch(`${gateway.backOfficeUrl}/admin/v1${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    const allowing = [...reply.headers.keys()].filter((one) => one.startsWith('access-control-'));
    assert.deepEqual(allowing, [], path);
  }
});

const own = {
  'x-frame-options': /^DENY$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /no-store/,
} as const;

function isOwn(what: string, { headers }: { readonly headers: Headers }): void {
  for (const [header, pattern] of Object.entries(own)) assert.match(headers.get(header) ?? '', pattern, `${what}: ${header}`);
  const [, age = '0'] = /max-age=([0-9]+)/.exec(headers.get('strict-transport-security') ?? '') ?? [];
  assert.ok(Number(age) >= 31_536_000, what);
  assert.equal(headers.get('access-control-allow-origin'), null, what);
}

test('every reply of every route is for our own pages alone, framed nowhere and kept nowhere', async () => {
  const rows = Object.entries(endpoints as Readonly<Record<string, Endpoint>>);
  const ours = rows.filter(([, { access }]) => adminAccess.some((one) => one === access));
  assert.ok(ours.length > 80);
  const nobody = browserOf(gateway.backOfficeUrl, null, null);
  for (const [endpoint, { method, path }] of ours) {
    const way = path.replace('/admin/v1', '').replaceAll(/\{[^}]+\}/g, 'f'.repeat(32));
    // Signing out would end the session that the rest of the test needs.
    for (const ask of endpoint === 'signOut' || endpoint === 'passkeyOptions' ? [nobody] : [nobody, person.ask])
      isOwn(endpoint, await ask(method, way));
    gateway.pass(1_000);
  }
  for (const path of ['/admin', '/admin/v1/nowhere', '/admin/v1/me/x/y/z'])
    isOwn(path, await fetch(gateway.backOfficeUrl + path));
  isOwn('PUT', await fetch(`${gateway.backOfficeUrl}/admin/v1/me`, { method: 'PUT' }));
});

test('by https the cookie is one that no other host and no http page can set', async () => {
  const { sessionCookie } = await import('../../src/http/admin/authorize.ts');
  const message = { peer: { isEncrypted: true }, headers: { host: 'office.example' } };
  const [header, cookieText] = sessionCookie(gateway.services, { message } as never, 'x'.repeat(43));
  assert.equal(header, 'Set-Cookie');
  assert.equal(cookieText, `__Host-turnpike=${'x'.repeat(43)}; Path=/; HttpOnly; SameSite=Strict; Secure`);
});
