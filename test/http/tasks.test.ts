import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createClient, DEMO, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** The numbers beside the entries of the rail. */

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

test('each user counts what the user may decide, at the chosen entity and below', async () => {
  const flagged = { 'customParameters[forceResultCode]': '000.400.000' };
  for (const count of [1, 2])
    assert.equal((await createClient(gateway.url).pay({ amount: `${count}.00`, ...flagged })).code, '000.400.000');
  const counted = async (person: Parameters<typeof signedInAs>[1], entityId: string) => {
    const { ask } = await signedInAs(gateway, person);
    const { status, body } = await ask('GET', `/me/tasks?entityId=${entityId}`);
    assert.equal(status, 200, JSON.stringify(body));
    return [body.approvals, body.reviews, body.exceptions];
  };
  assert.deepEqual(await counted({ role: 'operator' }, sandbox.division), [0, 2, 0]);
  assert.deepEqual(await counted({ role: 'support', entityId: DEMO.merchantId }, DEMO.entityId), [0, 2, 0]);
  assert.deepEqual(await counted({ role: 'support', entityId: DEMO.merchantId }, DEMO.lenientId), [0, 0, 0]);
  assert.deepEqual(await counted({ role: 'readOnly', entityId: DEMO.merchantId }, DEMO.merchantId), [0, 0, 0]);
  assert.deepEqual(await counted({ role: 'administrator', entityId: OTHER.entityId }, DEMO.merchantId), [0, 0, 0]);
  assert.deepEqual(await counted({ role: 'operator' }, '0'.repeat(32)), [0, 0, 0]);
  const { ask } = await signedInAs(gateway);
  assert.equal((await ask('GET', '/me/tasks')).status, 400);
});
