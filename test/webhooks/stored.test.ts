import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CARD, createClient } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { payloadIn } from './fixture.ts';
import { startWebhooks, until } from './r42.ts';

const PREPAYMENT = {
  paymentBrand: 'PREPAYMENT',
  paymentType: 'DB',
  amount: '12.50',
  currency: 'EUR',
  shopperResultUrl: 'https://shop.example/result',
} as const;

test('details are created when they can be charged, and events about them come in order', async () => {
  const gateway = await startGateway();
  const webhooks = await startWebhooks(gateway.url, ['ok'], () => gateway.world.clock.now());
  after(async () => {
    webhooks.close();
    await gateway.close();
  });
  const shop = createClient(gateway.url);
  const work = async () => {
    for (const job of ['sweep', 'fan out events', 'dispatch deliveries']) await gateway.work(job);
  };
  const heard = () => (webhooks.hooks[0]?.receiver.accepted ?? []).map(payloadIn).filter(({ type }) => type === 'REGISTRATION');
  const about = () => heard().map(({ action, payload }) => [action, payload.id, payload.result.code]);
  const pending = await shop.pay({ createRegistration: 'true', 'customParameters[forceResultCode]': '000.200.000' });
  assert.equal(pending.code, '000.200.000');
  await work();
  assert.deepEqual(about(), [], 'nothing can be charged yet');
  for (let minute = 0; minute < 15 && about().length === 0; minute += 1) {
    gateway.pass(60_000);
    await work();
  }
  const { registrationId } = (await shop.read(pending.id)).body;
  assert.deepEqual(about(), [['CREATED', registrationId, '000.100.110']]);
  const { id } = await shop.send('POST', '/v1/registrations', CARD);
  await shop.send('POST', `/v1/registrations/${id}/extendlife`, {});
  await shop.send('DELETE', `/v1/registrations/${id}`, {});
  await until(async () => {
    await work();
    return about().length >= 4;
  }, 5_000);
  assert.deepEqual(about().slice(1), [
    ['CREATED', id, '000.100.110'],
    ['UPDATED', id, '000.100.110'],
    ['DELETED', id, '000.100.110'],
  ]);
});

test('a payment that waits for its shopper for days sends two events, however often it is inquired about', async () => {
  const gateway = await startGateway();
  const webhooks = await startWebhooks(gateway.url, ['ok'], () => gateway.world.clock.now());
  after(async () => {
    webhooks.close();
    await gateway.close();
  });
  const shop = createClient(gateway.url);
  const { id, code } = await shop.send('POST', '/v1/payments', PREPAYMENT);
  assert.equal(code, '000.200.000');
  for (let hour = 0; hour < 15 * 24; hour += 1) {
    gateway.pass(3_600_000);
    await gateway.work('sweep');
  }
  const heard = () => (webhooks.hooks[0]?.receiver.accepted ?? []).map(payloadIn);
  await until(async () => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    return heard().length >= 2;
  }, 5_000);
  assert.deepEqual(
    heard().map(({ payload }) => [payload.id, payload.result.code]),
    [
      [id, '000.200.000'],
      [id, '100.396.103'],
    ],
  );
});

test('a registration made by a payment has its own event beside that of the payment', async () => {
  const gateway = await startGateway();
  const webhooks = await startWebhooks(gateway.url, ['ok'], () => gateway.world.clock.now());
  after(async () => {
    webhooks.close();
    await gateway.close();
  });
  const { id, body } = await createClient(gateway.url).pay({ createRegistration: 'true' });
  const heard = () => (webhooks.hooks[0]?.receiver.accepted ?? []).map(payloadIn);
  await until(async () => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    return heard().length >= 2;
  }, 5_000);
  const about = heard().map(({ type, action, payload }) => [type, action, payload.id, payload.result.code]);
  assert.deepEqual(about.toSorted(), [
    ['PAYMENT', undefined, id, '000.100.110'],
    ['REGISTRATION', 'CREATED', body.registrationId, '000.100.110'],
  ]);
});
