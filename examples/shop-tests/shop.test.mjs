import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { playScenario, startTurnpike, testCard } from 'turnpike/testing';
import { createShop } from './shop.mjs';

const webhookKey = 'ab'.repeat(32);
let gateway;
let shop;
let server;

before(async () => {
  server = createServer(async (request, response) => {
    const { status } = await shop.receiveWebhook(request.headers, await text(request));
    response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop = createShop({ url: 'http://127.0.0.1:1', token: 'not-yet', entityId: 'not-yet', webhookKey });
  gateway = await startTurnpike({ webhook: { url: `http://127.0.0.1:${server.address().port}/hook`, key: webhookKey } });
  shop = createShop({ ...gateway, webhookKey });
});

after(async () => {
  await gateway.close();
  server.close();
});

test('a shopper pays and is refunded', async () => {
  assert.equal(await shop.charge({ id: 'order-0001', amount: 9200n }, testCard('VISA')), 'Thank you.');
  assert.equal(await shop.refund('order-0001', 1000n), 'success');
});

test('a second click charges nothing twice', async () => {
  const order = { id: 'order-0002', amount: 500n };
  await Promise.all([shop.charge(order, testCard('VISA')), shop.charge(order, testCard('VISA'))]);
  const { payments } = await gateway.client.queryPayments({ merchantTransactionId: order.id });
  assert.equal(payments.length, 1);
});

test('a declined shopper reads what to do', async () => {
  const said = await shop.charge({ id: 'order-0003', amount: 9200n }, { ...testCard('VISA'), ...playScenario('insufficient-funds') });
  assert.match(said, /another card/);
  assert.equal(shop.orders.get('order-0003').state, 'declined');
});

test('a payment that is pending for two minutes arrives by webhook', async () => {
  await shop.charge({ id: 'order-0004', amount: 9200n }, { ...testCard('VISA'), ...playScenario('pending-then-paid') });
  assert.equal(shop.orders.get('order-0004').state, 'pending');
  await gateway.client.clock.moveBy('5m');
  await gateway.webhooks.waitFor({ id: shop.orders.get('order-0004').paymentId, kind: 'success' });
  assert.equal(shop.orders.get('order-0004').state, 'success');
});
