import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { timers } from '../../src/app/system.ts';
import type { PostAs } from '../../src/checkouts/ports.ts';
import { createGateway } from '../../src/http/gateway.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { walletSecretRecord } from '../../src/wallets/wallets.ts';
import { createAuthority } from '../threeDS/authority.ts';
import { createShop } from './checkoutShopper.ts';
import { DEMO, type Fields, OTHER } from './client.ts';
import { startGateway } from './gateway.ts';

/**
 * The session by which a page opens the sheet of a wallet: made in the sandbox, and requested from the wallet's own servers elsewhere.
 */

const VALIDATION = 'https://apple-pay-gateway.apple.com/paymentservices/startSession';
const HERE = 'http://localhost:3000';
const SHOP = 'https://shop.example';

const authority = createAuthority('Wallet Root');
const proof = authority.issue({ name: 'merchant.shop' });
const identity = { id: 'web1', certificate: proof.cert, displayName: 'Ann’s Shop', domains: ['shop.example'] };
const walletA = { merchantIdentifier: 'merchant.shop', keys: ['2026'], roots: [authority.cert], windowSeconds: 300 };
const store = createMemoryStore();
const gateway = await startGateway({ store });
const { services } = gateway;

type Heard = { readonly json: unknown; readonly peer: string; readonly path: string; readonly host: string };
const heard: Heard[] = [];
let answer: (response: ServerResponse) => void;

/** The wallet's own server: it accepts only clients with a certificate of its authority. */
const wallet = createServer({
  ...authority.issue({ name: 'localhost' }),
  ca: [authority.cert],
  requestCert: true,
  rejectUnauthorized: true,
});
wallet.on('tlsClientError', () => {});
wallet.on('request', async (request: IncomingMessage, response: ServerResponse) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const peer = (request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? '';
  heard.push({ json: JSON.parse(Buffer.concat(parts).toString()), peer, path: request.url ?? '', host: asked.at(-1) ?? '' });
  answer(response);
});
await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve));

/** The hosts that the gateway meant to call. */
const asked: string[] = [];
/** The gateway's own client; the names of the wallet's servers resolve to the one on this machine. */
const postAs: PostAs = (credentials) => {
  const post = createOutbound({ timers: impatient, reach: 'loopback' }).poster({ ...credentials, ca: [authority.cert] });
  return (url, json, bounds) => {
    const { hostname, pathname } = new URL(url);
    asked.push(hostname);
    return post(`https://localhost:${(wallet.address() as AddressInfo).port}${pathname}`, json, bounds);
  };
};
const impatient = { within: <T>(ms: number, promise: Promise<T>) => timers.within(Math.min(ms, 500), promise) };

const lines: string[] = [];
const log = createLog('info', { write: (line) => lines.push(line) }, Date.now);
const gatewayServer = createGateway({ replies: services.replies, metrics: services.metrics, log, tls: null });
const url = `http://127.0.0.1:${await gatewayServer.listen(0, '127.0.0.1')}`;
gatewayServer.open({ ...services, checkouts: { ...services.checkouts, postAs } });
after(async () => {
  await gatewayServer.stop();
  await gateway.close();
  wallet.closeAllConnections();
  await new Promise((resolve) => wallet.close(resolve));
});

const json = (response: ServerResponse, body: string, status = 200, type = 'application/json'): void => {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
};
const SESSION = { merchantSessionIdentifier: 'SSH1', nonce: 'a1', signature: 'f00d', domainName: 'shop.example' };

const shop = createShop(url, OTHER);
const demo = createShop(url, DEMO);

async function setUp(entityId: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const row = (await store.entities()).find(({ id }) => id === entityId);
  await store.setSettings(entityId, { ...row?.settings, ...settings });
  await gateway.directory.reload();
}

async function keepKey(entityId: string, key: string | null): Promise<void> {
  const name = 'walletA/identity/web1';
  await services.world.vault.ready(entityId);
  const sealed = key === null ? null : services.world.vault.seal(walletSecretRecord(entityId, name), key);
  await store.storeSecret(entityId, name, sealed);
}

beforeEach(async () => {
  heard.length = 0;
  asked.length = 0;
  answer = (response) => json(response, JSON.stringify(SESSION));
});
const merchantOf = (entityId: string): string => gateway.directory.entity(entityId)?.merchantId ?? assert.fail(entityId);
/** The setup is the merchant's; the channel below inherits it, with the merchant's key. */
const otherMerchant = merchantOf(OTHER.entityId);
const real = async (wallets: object = { walletA: { ...walletA, identity } }): Promise<void> => {
  await setUp(otherMerchant, { wallets });
  await keepKey(otherMerchant, proof.key);
};

async function ask(id: string, form: Fields = {}, headers: Fields = { origin: SHOP }) {
  const fields = { validationUrl: VALIDATION, paymentBrand: 'APPLEPAY', ...form };
  const answered = await shop.browse('POST', `/v1/checkouts/${id}/walletSession`, fields, headers);
  const body = JSON.parse(answered.text);
  const faults: readonly { readonly name: string }[] = body.result?.parameterErrors ?? [];
  return { ...answered, body, code: body.result?.code, names: faults.map(({ name }) => name) };
}

test('the sandbox proves every page by itself', async () => {
  const { id } = await demo.create({ 'merchant.name': 'Corner Shop' });
  const { status, headers, body } = await ask(id, {}, { origin: HERE });
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  const { epochTimestamp, expiresAt, merchantSessionIdentifier, nonce, signature, ...rest } = body;
  assert.deepEqual(rest, {
    merchantIdentifier: `merchant.${DEMO.merchantId}`,
    domainName: 'localhost',
    displayName: 'Corner Shop',
  });
  assert.ok(expiresAt > epochTimestamp && Math.abs(epochTimestamp - Date.now()) < 60_000);
  assert.match(`${merchantSessionIdentifier} ${nonce} ${signature}`, /^SSH[0-9A-F]{64} [0-9a-f]{8} [0-9a-f]{256}$/);
  const again = await ask(id, {}, { origin: HERE });
  assert.notEqual(again.body.nonce, nonce);
  assert.deepEqual(asked, [], 'nobody was called');
});

test('the widget gets the names by which the wallets know the shop, the same as from the issuer of the sandbox', async () => {
  const { id } = await demo.create({ 'merchant.country': 'AT' });
  const { brands, merchantName } = await demo.session(id);
  const of = (name: string) => brands.find((brand: { name: string }) => brand.name === name).wallet;
  const issuer = services.walletIssuer?.of(DEMO.merchantId) ?? assert.fail();
  const [a, b] = [issuer.setupFor('walletA').walletA, issuer.setupFor('walletB').walletB];
  const shop = { displayName: merchantName, country: 'AT' };
  assert.deepEqual(of('APPLEPAY'), { ...shop, merchantIdentifier: a?.merchantIdentifier });
  assert.deepEqual(of('GOOGLEPAY'), {
    ...shop,
    gateway: b?.recipientId.replace('gateway:', ''),
    gatewayMerchantId: b?.gatewayMerchantId,
  });
});

const refusedUrls: readonly string[] = [
  '',
  'apple-pay-gateway.apple.com',
  'http://apple-pay-gateway.apple.com/paymentservices/startSession',
  'HTTPS://APPLE-PAY-GATEWAY.APPLE.COM/x',
  'https://apple-pay-gateway.apple.com:443/x',
  'https://apple-pay-gateway.apple.com:8443/x',
  'https://user@apple-pay-gateway.apple.com/x',
  'https://user:word@apple-pay-gateway.apple.com/x',
  'https://apple-pay-gateway.apple.com@evil.example/x',
  'https://apple-pay-gateway.apple.com.evil.example/x',
  'https://apple-pay-gateway.apple.com./x',
  'https://apple-pay-gateway.apple.com\\@evil.example/x',
  'https://apple-pay-gateway.apple.com?@evil.example/x',
  'https://apple-pay-gateway.apple.com#@evil.example/x',
  'https://evil.example/apple-pay-gateway.apple.com',
  'https://evil-apple-pay-gateway.apple.com/x',
  'https://x.apple-pay-gateway.apple.com/x',
  'https://apple-pay-gateway.evil.apple.com/x',
  'https://apple-pay-gatewayx.apple.com/x',
  'https://apple-pay-gateway-.apple.com/x',
  'https://apple-pay-gateway-a--b.apple.com/x',
  'https://us-apple-pay-gateway.apple.com/x',
  'https://apple-pay-gateway-apple.com/x',
  'https://apple-pay-gatewäy.apple.com/x',
  'https://apple-pay-gateway.apple.com/a b',
  'https://apple-pay-gateway.apple.com/a\nb',
  ' https://apple-pay-gateway.apple.com/x',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'javascript:alert(1)',
  `https://apple-pay-gateway.apple.com/${'x'.repeat(2_000)}`,
];

for (const validationUrl of refusedUrls) {
  test(`refused without a call: ${JSON.stringify(validationUrl).slice(0, 90)}`, async () => {
    await real();
    const { id } = await shop.create();
    const { status, code, names } = await ask(id, { validationUrl });
    assert.deepEqual([status, code, names], [400, '200.300.404', ['validationUrl']]);
    assert.deepEqual(asked, []);
    await setUp(otherMerchant, { wallets: { walletA: 'sandbox' } });
    assert.equal((await ask(id, { validationUrl })).status, 400, 'the sandbox is as strict');
  });
}

for (const host of [
  'apple-pay-gateway.apple.com',
  'apple-pay-gateway-cert.apple.com',
  'apple-pay-gateway-nc-pod1.apple.com',
  'apple-pay-gateway-pr-pod5-dr.apple.com',
  'cn-apple-pay-gateway.apple.com',
  'cn-apple-pay-gateway-tj-pod3-dr.apple.com',
]) {
  test(`${host} is called with the certificate of the shop, and its reply is passed on`, async () => {
    await real();
    const { id } = await shop.create();
    const { status, body } = await ask(id, { validationUrl: `https://${host}/paymentservices/paymentSession` });
    assert.deepEqual([status, body], [200, SESSION]);
    assert.deepEqual(heard, [
      {
        host,
        path: '/paymentservices/paymentSession',
        peer: proof.fingerprint,
        json: {
          merchantIdentifier: 'merchant.shop',
          displayName: 'Ann’s Shop',
          initiative: 'web',
          initiativeContext: 'shop.example',
        },
      },
    ]);
  });
}

test('the origin is what the browser says, whatever a field claims', async () => {
  await real();
  const { id } = await shop.create();
  const lie = { origin: SHOP, domain: 'shop.example', initiativeContext: 'shop.example', merchantIdentifier: 'merchant.mine' };
  for (const origin of [
    'https://evil.example',
    'http://shop.example',
    'https://www.shop.example',
    'null',
    'shop.example',
    'x:y',
  ]) {
    const { status, code, names } = await ask(id, lie, { origin });
    assert.deepEqual([origin, status, code, names], [origin, 400, '200.300.404', ['Origin']]);
  }
  assert.deepEqual((await ask(id, lie, {})).names, ['Origin']);
  assert.deepEqual(asked, []);
  await ask(id, lie, { origin: 'https://shop.example:8443' });
  assert.partialDeepStrictEqual(heard.at(-1)?.json, { merchantIdentifier: 'merchant.shop', initiativeContext: 'shop.example' });
});

test('only pages that may show the widget may open a wallet', async () => {
  await setUp(DEMO.entityId, { widgetOrigins: [SHOP] });
  const { id } = await demo.create();
  assert.deepEqual((await ask(id, {}, { origin: HERE })).names, ['Origin']);
  assert.equal((await ask(id, {}, { origin: SHOP })).status, 200);
  await setUp(DEMO.entityId, { widgetOrigins: null });
});

const unoffered: readonly [what: string, checkout: Fields, form: Fields, wallets: object][] = [
  ['a brand that has no such session', {}, { paymentBrand: 'GOOGLEPAY' }, { walletA: 'sandbox' }],
  ['no wallet at all', {}, { paymentBrand: 'VISA' }, { walletA: 'sandbox' }],
  ['no brand', {}, { paymentBrand: '' }, { walletA: 'sandbox' }],
  ['a channel that does not take it', {}, {}, { walletA: null }],
  ['a setup for apps alone', {}, {}, { walletA }],
  ['a checkout for another brand', { paymentBrand: 'VISA' }, {}, { walletA: 'sandbox' }],
  [
    'a checkout that only stores',
    { paymentType: '', amount: '', currency: '', createRegistration: 'true' },
    {},
    { walletA: 'sandbox' },
  ],
];
for (const [what, checkout, form, wallets] of unoffered) {
  test(`${what}: refused by the name of the field`, async () => {
    await setUp(otherMerchant, { wallets });
    const { id } = await shop.create(checkout);
    const { status, code, names } = await ask(id, form);
    assert.deepEqual([status, code, names, asked], [400, '200.300.404', ['paymentBrand'], []]);
    if (form.paymentBrand === undefined) {
      const { brands } = await shop.session(id);
      assert.ok(!brands.some((brand: { name: string }) => brand.name === 'APPLEPAY'), 'nor is it offered');
    }
  });
}

test('a field that is sent twice is none', async () => {
  const { id } = await demo.create();
  const response = await fetch(`${url}/v1/checkouts/${id}/walletSession`, {
    method: 'POST',
    headers: { origin: SHOP },
    body: new URLSearchParams([
      ['paymentBrand', 'APPLEPAY'],
      ['validationUrl', 'https://evil.example/'],
      ['validationUrl', VALIDATION],
    ]),
  });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /validationUrl/);
});

test('without a checkout that lives there is no session', async () => {
  const { id } = await demo.create();
  const { status, body } = await ask(`${'0'.repeat(32)}-test-1`);
  assert.deepEqual([status, body.result.code], [400, '200.300.404']);
  assert.match(body.result.description, /No payment session found/);
  gateway.pass(31 * 60_000);
  assert.match((await ask(id, {}, { origin: HERE })).body.result.description, /No payment session found/);
});

const failures: readonly [what: string, says: RegExp, replies: (response: ServerResponse) => void][] = [
  ['refused', /not recognised this shop/, (response) => json(response, '{"statusMessage":"not registered"}', 417)],
  ['a list', /not recognised this shop/, (response) => json(response, '[]')],
  ['a word', /not recognised this shop/, (response) => json(response, '"session"')],
  ['nothing', /not recognised this shop/, (response) => json(response, 'null')],
  ['broken JSON', /could not be reached/, (response) => json(response, '{"a":')],
  ['a page', /could not be reached/, (response) => json(response, '<html>', 200, 'text/html')],
  ['too much', /could not be reached/, (response) => json(response, JSON.stringify({ a: 'x'.repeat(65_536) }))],
  [
    'a redirect',
    /could not be reached/,
    (response) => {
      response.writeHead(302, { location: 'https://evil.example/' });
      response.end();
    },
  ],
  ['a cut connection', /could not be reached/, (response) => response.destroy()],
  ['silence', /could not be reached/, () => {}],
];
for (const [what, says, replies] of failures) {
  test(`the wallet's server answers with ${what}: an error of the provider, and nothing of it is passed on`, async () => {
    await real();
    answer = replies;
    const { id } = await shop.create();
    const { status, code, body, text } = await ask(id);
    assert.deepEqual([status, code, heard.length], [400, '900.100.700', 1]);
    assert.match(body.result.description, says);
    assert.ok(!text.includes('not registered'));
  });
}

test('an identity whose key is not there, or is not its own, proves nothing', async () => {
  await real();
  const { id } = await shop.create();
  await keepKey(otherMerchant, null);
  const lost = await ask(id);
  assert.deepEqual([lost.status, lost.code, asked.length], [400, '900.100.700', 0]);
  assert.match(lost.body.result.description, /not set up completely/);
  assert.ok(gateway.lines.some((line) => line.includes('the private key of a wallet is not there')));
  await keepKey(otherMerchant, authority.issue({ name: 'another' }).key);
  assert.deepEqual([(await ask(id)).code, heard.length], ['900.100.700', 0]);
  await keepKey(otherMerchant, proof.key);
  assert.equal((await ask(id)).status, 200);
  assert.ok(!`${gateway.lines}${lines}`.includes('PRIVATE KEY'));
});

test('the gateway itself calls public addresses alone', async () => {
  const post = services.checkouts.postAs({ cert: proof.cert, key: proof.key });
  const bounds = { answerBytesMax: 100, withinMs: 500 };
  await assert.rejects(post(`https://localhost:${(wallet.address() as AddressInfo).port}/`, {}, bounds), /not a public one/);
});

test('so many a minute and no more, each channel for itself', async () => {
  await setUp(DEMO.entityId, { throttle: { walletSession: { requests: 2, perSeconds: 60 } } });
  const { id } = await demo.create();
  const statuses = [];
  for (let times = 0; times < 3; times += 1) statuses.push((await ask(id, {}, { origin: HERE })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  const last = await ask(id, {}, { origin: HERE });
  assert.deepEqual([last.code, Number(last.headers.get('retry-after')) > 0], ['800.120.100', true]);
  assert.deepEqual((await ask(id, { validationUrl: 'x' }, { origin: HERE })).names, ['validationUrl'], 'a fault costs nothing');
  await setUp(otherMerchant, { wallets: { walletA: 'sandbox' } });
  assert.equal((await ask((await shop.create()).id)).status, 200);
});

test('a wallet that Google addresses to the merchant is not one for pages', async () => {
  const setup = {
    gatewayMerchantId: null,
    keys: ['1'],
    roots: [{ keyValue: 'AAAA', protocolVersion: 'ECv1', keyExpiration: null }],
  };
  const shown = async (recipientId: string, gatewayMerchantId: string | null) => {
    await setUp(otherMerchant, { wallets: { walletB: { ...setup, recipientId, gatewayMerchantId } } });
    const { brands } = await shop.session((await shop.create()).id);
    return brands.find(({ name }: { name: string }) => name === 'GOOGLEPAY')?.wallet ?? null;
  };
  assert.equal(await shown('merchant:123', null), null);
  assert.partialDeepStrictEqual(await shown('gateway:payhouse', 'shop-7'), { gateway: 'payhouse', gatewayMerchantId: 'shop-7' });
});
