import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { payloadIn } from './fixture.ts';
import { startWebhooks, until } from './r42.ts';

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
