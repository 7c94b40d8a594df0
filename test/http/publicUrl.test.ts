import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { CARD, DEMO, type Fields, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Behind a proxy that passes on another host name: replies to a shopper's browser have the public one all the same. */

const PUBLIC = 'https://pay.example';
const INNER = '10.1.2.3:9000';
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ publicUrl: PUBLIC });
});
after(() => gateway.close());

type Answer = { readonly status: number; readonly text: string; readonly location: string | undefined };

/** A request as the proxy passes it on. */
function ask(method: string, path: string, fields: Fields = {}, headers: Fields = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}${path}`, {
      method,
      headers: { host: INNER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? new URLSearchParams(fields).toString() : undefined);
  });
}

const asMerchant = async (method: string, path: string, fields: Fields = {}) => {
  const { text } = await ask(method, path, { entityId: DEMO.entityId, ...fields }, { authorization: `Bearer ${DEMO.token}` });
  assert.ok(!text.includes(INNER), 'the inner name is told nobody');
  return JSON.parse(text);
};

const ORDER = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const AWAY = { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/' };
const CHALLENGED = { ...CARD, ...SHOPPER, 'card.number': '4200000000000018', shopperResultUrl: 'https://shop.example/' };

test('the script of a checkout comes from the public address, and its hash is of what is served', async () => {
  const { id, integrity } = await asMerchant('POST', '/v1/checkouts', { ...ORDER, integrity: 'true' });
  const script = await ask('GET', `/v1/paymentWidgets.js?checkoutId=${id}`);
  assert.ok(script.text.includes(PUBLIC));
  assert.ok(!script.text.includes(INNER));
  assert.equal(gateway.services.checkouts.integrityOf(script.text), integrity);
  assert.ok((await ask('GET', '/v1/paymentWidgets.js')).text.includes(PUBLIC), 'also without a checkout');
});

test('a payment elsewhere leads over the public address', async () => {
  const { redirect } = await asMerchant('POST', '/v1/payments', { ...ORDER, ...AWAY });
  assert.ok(redirect.url.startsWith(`${PUBLIC}/`), redirect.url);
});

test('3D Secure has the public address for page, method and challenge', async () => {
  const { id, redirect } = await asMerchant('POST', '/v1/payments', { ...ORDER, ...CHALLENGED });
  assert.ok(redirect.url.startsWith(`${PUBLIC}/`), redirect.url);
  const payment = await gateway.world.store.payment(DEMO.merchantId, id);
  assert.equal(payment?.threeDS?.origin, PUBLIC);
  const page = await ask('GET', new URL(redirect.url).pathname);
  assert.equal(page.status, 200);
  assert.ok(!page.text.includes(INNER));
  const phase = payment?.threeDS?.state.phase;
  if (phase?.at === 'challenge') assert.ok(phase.acsUrl?.startsWith(`${PUBLIC}/`), phase.acsUrl ?? '');
});

test('a checkout leads to the bank over the public address, and back to a page of it', async () => {
  const { id } = await asMerchant('POST', '/v1/checkouts', ORDER);
  const sent = await ask('POST', `/v1/checkouts/${id}/payment`, { ...AWAY, widgetFlow: 'tab' });
  assert.equal(sent.status, 303);
  assert.ok(sent.location?.startsWith('/') || sent.location?.startsWith(`${PUBLIC}/`), sent.location ?? '');
});

test('the demo shop and the reference name it too', async () => {
  for (const path of ['/demo', '/docs']) {
    const { status, text } = await ask('GET', path);
    assert.equal(status, 200);
    assert.ok(!text.includes(INNER), path);
  }
  assert.ok((await ask('GET', '/docs')).text.includes(PUBLIC));
});

test('control: without the setting the host of the request is used', async () => {
  const other = await startGateway();
  const before = gateway;
  gateway = other;
  try {
    assert.ok((await ask('GET', '/v1/paymentWidgets.js')).text.includes(INNER));
  } finally {
    gateway = before;
    await other.close();
  }
});
