import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { buildTown, until } from './r42.ts';
import { told } from './stage.ts';

test('stored details that a payment made are told as such, and not only the payment', async () => {
  const gateway = await startGateway();
  const town = await buildTown(gateway.url, ['ok'], () => gateway.world.clock.now());
  after(async () => {
    town.close();
    await gateway.close();
  });
  const { id, body } = await createClient(gateway.url).pay({ createRegistration: 'true' });
  const heard = () => (town.hooks[0]?.receiver.accepted ?? []).map(told);
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
