import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chain, startChain } from './chain.ts';

let chain: Chain;
before(async () => {
  chain = await startChain({ settings: { honoursIdempotencyKey: true } });
});
after(() => chain.close());

const EXTERNAL = { testMode: 'EXTERNAL' } as const;

test('an authorisation, its capture and its refund are booked on both sides', async () => {
  const { client, farClient } = chain;
  const authorised = await client.pay({ ...EXTERNAL, paymentType: 'PA' });
  assert.equal(authorised.code, '000.100.112', JSON.stringify(authorised.body));
  const theirs = authorised.body.resultDetails.ConnectorTxID1;
  const far = await farClient.read(theirs);
  assert.equal(far.body.merchantTransactionId, authorised.id);
  assert.equal(far.body.customParameters.SHOPPER_turnpike, '5eed00000000000000000000000000f1');
  assert.deepEqual([far.code, far.body.amount, far.body.paymentType], ['000.100.110', '92.00', 'PA']);
  const captured = await client.capture(authorised.id, '50.00', EXTERNAL);
  assert.equal(captured.code, '000.100.112', JSON.stringify(captured.body));
  const refunded = await client.refund(captured.id, '20.00', EXTERNAL);
  assert.equal(refunded.code, '000.100.112', JSON.stringify(refunded.body));
});
