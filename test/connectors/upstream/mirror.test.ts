import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CARD } from '../../http/client.ts';
import { type Chain, startChain } from './chain.ts';

let chain: Chain;
before(async () => {
  chain = await startChain({ settings: { registrations: 'theirs', testMode: 'EXTERNAL' } });
});
after(() => chain.close());

const EXTERNAL = { testMode: 'EXTERNAL' } as const;

const charge = (registrationId: string) =>
  chain.client.send('POST', `/v1/registrations/${registrationId}/payments`, {
    ...EXTERNAL,
    paymentType: 'DB',
    amount: '5.00',
    currency: 'EUR',
  });

test('a registration of ours has one at the platform, which is charged by its id', async () => {
  const { client, farClient, far } = chain;
  const { 'card.cvv': _, ...card } = CARD;
  const stored = await client.send('POST', '/v1/registrations', { ...EXTERNAL, ...card });
  assert.equal(stored.status, 200, JSON.stringify(stored.body));
  const withPayment = await client.pay({ ...EXTERNAL, createRegistration: 'true' });
  assert.equal(withPayment.code, '000.100.112', JSON.stringify(withPayment.body));
  for (const registrationId of [stored.id, withPayment.body.registrationId]) {
    const charged = await charge(registrationId);
    assert.equal(charged.code, '000.100.112', JSON.stringify(charged.body));
    const { body } = await farClient.read(charged.body.resultDetails.ConnectorTxID1);
    assert.match(body.registrationId, /^[0-9a-f]{32}$/);
    assert.notEqual(body.registrationId, registrationId);
    assert.equal(body.merchantTransactionId, charged.id);
    const payment = await far.world.store.payment('5eed00000000000000000000000000f1', body.id);
    assert.equal(payment?.mode, 'EXTERNAL', 'testMode goes to the end');
  }
});

test('a refusal to store is one here too', async () => {
  const { 'card.cvv': _, ...card } = CARD;
  const refused = await chain.client.send('POST', '/v1/registrations', {
    ...EXTERNAL,
    ...card,
    'customParameters[forceResultCode]': '800.100.151',
  });
  assert.equal(refused.code, '800.100.151', JSON.stringify(refused.body));
});
