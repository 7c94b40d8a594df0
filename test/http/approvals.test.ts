import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO } from './client.ts';
import { startGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** The four-eyes principle above a limit, from both sides. */

const store = createMemoryStore();
const gateway = await startGateway({ store });
after(() => gateway.close());
const demo = (await store.entities()).find(({ id }) => id === DEMO.merchantId);
await store.setSettings(DEMO.merchantId, { ...demo?.settings, approvals: { EUR: '50.00' } });
await gateway.directory.reload();

const at = { entityId: DEMO.merchantId } as const;
const support = await signedInAs(gateway, { role: 'support', ...at });
const finance = await signedInAs(gateway, { role: 'finance', ...at });
const colleague = await signedInAs(gateway, { role: 'finance', ...at });
const stranger = await signedInAs(gateway, { role: 'finance', entityId: sandbox.otherShop.merchantId });
const client = createClient(gateway.url);

let keys = 0;
async function asked(by: typeof support): Promise<{ readonly paymentId: string; readonly id: string }> {
  const { id: paymentId } = await client.pay();
  keys += 1;
  const reply = await by.ask('POST', `/payments/${paymentId}/refund`, { amount: '60.00', key: `refund-of-a-test-${keys}` });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  assert.equal(reply.body.payment, null, 'nothing is refunded yet');
  return { paymentId, id: reply.body.approval.id };
}

const waiting = async (who: typeof support) =>
  ((await who.ask('GET', `/approvals?entityId=${DEMO.merchantId}`)).body.approvals ?? []) as { id: string; isYours: boolean }[];

const refunds = async (paymentId: string): Promise<number> => {
  const { body } = await client.send('GET', `/v1/query/${paymentId}`, { includeLinkedTransactions: 'true' });
  return body.payments.filter(({ paymentType }: { paymentType: string }) => paymentType === 'RF').length;
};

test('a refund above the limit waits for a second person, who sees the requester and the reason', async () => {
  const { paymentId, id } = await asked(finance);
  assert.deepEqual(
    (await waiting(finance)).filter((one) => one.id === id).map(({ isYours }) => isYours),
    [true],
  );
  const own = await finance.ask('POST', `/approvals/${id}/approve`);
  assert.deepEqual([own.status, own.code], [403, '800.900.300']);
  assert.equal((await support.ask('POST', `/approvals/${id}/approve`)).status, 403, 'without the right');
  assert.equal((await stranger.ask('POST', `/approvals/${id}/approve`)).status, 404, 'of another merchant');
  assert.equal(await refunds(paymentId), 0);
  const both = await Promise.all(
    [1, 2].map(() => colleague.ask('POST', `/approvals/${id}/approve`, { note: 'called the shopper' })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const done = both.find(({ status }) => status === 200)?.body;
  assert.deepEqual(
    [done.state, done.result, done.note, done.askedBy.id],
    ['done', 'done', 'called the shopper', finance.user.id],
  );
  assert.equal(await refunds(paymentId), 1);
  assert.equal(
    (await waiting(colleague)).some((one) => one.id === id),
    false,
  );
});

test('a refused approval is not carried out, nor one that is a week old', async () => {
  const [refused, old] = [await asked(support), await asked(support)];
  assert.equal((await colleague.ask('POST', `/approvals/${refused.id}/refuse`, { note: 'too much' })).body.state, 'refused');
  assert.equal((await finance.ask('POST', `/approvals/${refused.id}/approve`)).status, 409);
  const tired = await signedInAs(gateway, { role: 'finance', ...at, isSteppedUp: false });
  assert.equal((await tired.ask('POST', `/approvals/${old.id}/approve`)).headers.get('x-turnpike-needs'), 'stepUp');
  gateway.pass(7 * 24 * 3_600_000);
  const later = await signedInAs(gateway, { role: 'finance', ...at });
  assert.equal((await later.ask('POST', `/approvals/${old.id}/approve`)).status, 409);
  assert.deepEqual([await refunds(refused.paymentId), await refunds(old.paymentId)], [0, 0]);
});
