import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verify } from '../../../src/ledger/verify.ts';
import { withAudit } from '../../../src/store/open.ts';
import { filesIn, openShop } from './deliveryShop.ts';

const DAY_MS = 86_400_000;
const JOB = 'work of accounts';
const PASSWORD = 'unused-here';

/** A reversal of a debit that waits for its file, from the request to the books. */
test('a debit that waits for its file is reversed and never sent; one in a file is not', async () => {
  const shop = await openShop({ delivery: 'folder' }, PASSWORD);
  const { gateway, dataDir, merchantId, outgoing, pay, reverse } = shop;
  const stateOf = async (id = '') => {
    const payment = await gateway.world.store.payment(merchantId, id);
    return payment?.phase.at === 'final' ? payment.phase.code : payment?.phase.at;
  };
  try {
    const [first, second, third] = [await pay('Mandate-a'), await pay('Mandate-b'), await pay('Mandate-c')];
    for (const { result } of [first, second, third]) assert.equal(result.code, '000.200.000');
    for (const wrong of [
      { amount: '1.00', currency: 'EUR' },
      { amount: '12.34', currency: 'USD' },
    ]) {
      assert.equal((await reverse(first.id ?? '', wrong)).result.code, '700.400.570');
      assert.equal(await stateOf(first.id), 'doubt');
    }
    const [reversed, again] = await Promise.all([reverse(first.id ?? ''), reverse(first.id ?? '')]);
    assert.deepEqual([reversed.result.code, again.result.code].toSorted(), ['000.100.112', '700.400.300']);
    assert.equal(await stateOf(first.id), '100.396.201');
    const done = reversed.result.code === '000.100.112' ? reversed : again;
    const stored = await gateway.world.store.payment(merchantId, done.id ?? '');
    assert.deepEqual([stored?.paymentType, stored?.amount, stored?.referencedId], ['RV', 0n, first.id]);
    assert.equal((await reverse(second.id ?? '', { amount: '12.34', currency: 'EUR' })).result.code, '000.100.112');

    gateway.pass(5 * DAY_MS);
    await gateway.work(JOB);
    assert.equal((await filesIn(outgoing)).length, 1);
    const refused = await reverse(third.id ?? '');
    assert.equal(refused.result.code, '700.400.570');
    assert.match(JSON.stringify(refused.result), /it has left for the bank/);
    assert.equal(await stateOf(third.id), 'doubt');
    const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
    const { findings } = await withAudit({ dataDir }, (audit) => verify(audit, needs));
    assert.deepEqual(findings, []);
  } finally {
    await shop.close();
  }
});
