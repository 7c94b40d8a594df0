import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO } from './client.ts';
import { startGateway } from './gateway.ts';
import { signedInAs, type TestUser } from './userFixture.ts';

/** The second person cannot be avoided: not by splitting, not at once, not by weakening the rule. */

const OPERATOR_TOKEN = 'operator-token-of-a-test-0123456789';
const store = createMemoryStore();
const gateway = await startGateway({ store, operatorToken: OPERATOR_TOKEN });
after(() => gateway.close());
const client = createClient(gateway.url);
const merchantId = DEMO.merchantId;
const at = { entityId: merchantId } as const;

/** Restores the earlier limits, without approval. */
async function limits(approvals: Readonly<Record<string, string>>): Promise<void> {
  const row = (await store.entities()).find(({ id }) => id === merchantId);
  await store.setSettings(merchantId, { ...row?.settings, approvals });
  await gateway.directory.reload();
}
const limitsNow = async () => (await store.entities()).find(({ id }) => id === merchantId)?.settings.approvals;

type Signed = Awaited<ReturnType<typeof signedInAs>>;
const signIn = (person: TestUser) => signedInAs(gateway, { ...at, ...person });

let keys = 0;
async function refund(who: Signed, paymentId: string, amount?: string, act = 'refund') {
  keys += 1;
  const values = { ...(amount !== undefined && { amount }), key: `four-eyes-of-a-test-${keys}` };
  const { status, body } = await who.ask('POST', `/payments/${paymentId}/${act}`, values);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { payment: { amount: string } | null; approval: { id: string; reason: object; approvers: string[] } | null };
}

const sumRefunded = async (paymentId: string): Promise<bigint> => {
  const { body } = await client.send('GET', `/v1/query/${paymentId}`, { includeLinkedTransactions: 'true' });
  const refunds = body.payments.filter(({ paymentType }: { paymentType: string }) => ['RF', 'RV'].includes(paymentType));
  return refunds.reduce((sum: bigint, { amount }: { amount: string }) => sum + BigInt(amount.replace('.', '')), 0n);
};

test('five refunds of 10 are one of 50: the fifth waits, with the reason and the approvers', async () => {
  await limits({ EUR: '40.00' });
  const [ann, bob] = [await signIn({ role: 'finance' }), await signIn({ role: 'finance' })];
  const { id } = await client.pay();
  for (const _ of [1, 2, 3, 4]) assert.ok((await refund(ann, id, '10.00')).payment);
  const { payment, approval } = await refund(ann, id, '10.00');
  assert.equal(payment, null);
  assert.deepEqual(approval?.reason, { rule: 'payment', sum: '50.00', limit: '40.00' });
  assert.ok(approval?.approvers.length);
  const detail = (await ann.ask('GET', `/payments/${id}`)).body;
  const { limit } = detail.acts.find(({ act }: { act: string }) => act === 'refund');
  assert.deepEqual([limit.amount, limit.onPayment, limit.today], ['40.00', '40.00', '40.00']);
  const other = await client.pay();
  assert.deepEqual((await refund(ann, other.id, '0.01')).approval?.reason, { rule: 'day', sum: '40.01', limit: '40.00' });
  assert.equal((await refund(ann, other.id, undefined, 'reverse')).approval?.reason !== undefined, true, 'reversals too');
  assert.equal((await bob.ask('POST', `/approvals/${approval?.id}/approve`)).body.state, 'done');
  assert.equal(await sumRefunded(id), 50_00n);
  assert.ok((await refund(bob, id, '40.00')).payment, 'what he approved is not his own');
});

test('twenty refunds at once never pass the limit together', async () => {
  const ann = await signIn({ role: 'finance' });
  const { id } = await client.pay();
  const all = await Promise.all(Array.from({ length: 20 }, () => refund(ann, id, '15.00')));
  assert.equal(all.filter(({ payment }) => payment).length, 2);
  assert.equal(await sumRefunded(id), 30_00n);
});

test('a key that is repeated counts once, and what was declined does not count', async () => {
  const ann = await signIn({ role: 'finance' });
  const { id } = await client.pay({ amount: '20.00' });
  const values = { amount: '20.00', key: 'the-same-key-three-times' };
  const replies = await Promise.all([1, 2, 3].map(() => ann.ask('POST', `/payments/${id}/refund`, values)));
  assert.equal(new Set(replies.map(({ body }) => body.payment?.id)).size, 1);
  const again = await ann.ask('POST', `/payments/${id}/refund`, { amount: '5.00', key: 'more-than-is-left-of-it' });
  assert.notEqual(again.status, 200, 'nothing is left');
  const other = await client.pay();
  assert.ok((await refund(ann, other.id, '20.00')).payment, '20 + 20, and the one that failed is not counted');
  assert.ok((await refund(ann, other.id, '0.01')).approval);
});

test('a currency without a limit always needs a second person while another has one', async () => {
  const ann = await signIn({ role: 'finance' });
  const { id } = await client.pay({ currency: 'USD' });
  assert.deepEqual((await refund(ann, id, '0.01')).approval?.reason, { rule: 'single', sum: '0.01', limit: '0.00' });
});

const change = async (who: Signed, values: object) => {
  const { revision } = (await who.ask('GET', `/entities/${merchantId}`)).body;
  return who.ask('POST', `/entities/${merchantId}`, { revision, ...values });
};

test('limits are lowered at once; raised or removed by two', async () => {
  await limits({ EUR: '40.00' });
  const [ann, bob] = [await signIn({ role: 'administrator' }), await signIn({ role: 'administrator' })];
  assert.equal((await change(ann, { set: { approvals: { EUR: '30.00' } } })).status, 200);
  assert.deepEqual(await limitsNow(), { EUR: '30.00' });
  for (const weaker of [{ set: { approvals: {} } }, { inherit: ['approvals'] }, { set: { approvals: { EUR: '30.01' } } }]) {
    const { status, body } = await change(ann, weaker);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.approval.id && body.approval.approvers.length > 0);
    assert.deepEqual(await limitsNow(), { EUR: '30.00' }, 'nothing has changed yet');
    assert.equal((await ann.ask('POST', `/approvals/${body.approval.id}/approve`)).status, 403, 'not by who asked');
  }
  const mixed = await change(ann, { set: { approvals: {}, priority: 7 } });
  assert.equal(mixed.status, 400, 'with nothing else');
  const { body } = await change(ann, { set: { approvals: { EUR: '90.00' } } });
  assert.equal((await bob.ask('POST', `/approvals/${body.approval.id}/approve`)).body.state, 'done');
  assert.deepEqual(await limitsNow(), { EUR: '90.00' });
  const stale = await change(ann, { set: { approvals: { EUR: '95.00' } } });
  await limits({ EUR: '10.00' });
  assert.equal(
    (await bob.ask('POST', `/approvals/${stale.body.approval.id}/approve`)).body.state,
    'failed',
    'they have changed since',
  );
  assert.deepEqual(await limitsNow(), { EUR: '10.00' });
  const entries = (await store.auditChain(0, 10_000)).filter(({ what }) => what === 'changeEntity');
  assert.ok(entries.some(({ who, result }) => who === ann.user.id && result === 'asked'));
  assert.ok(entries.some(({ who, result, note }) => who === ann.user.id && result === 'done' && note?.startsWith('approval ')));
});

test('a user cannot become the second person: not by a role, an invitation or a link', async () => {
  await limits({ EUR: '40.00' });
  const [ann, bob] = [await signIn({ role: 'administrator' }), await signIn({ role: 'administrator' })];
  const puppet = await signIn({ role: 'support' });
  const grants = (role: string) => ({ ...at, grants: [{ ...at, role }] });
  const given = await ann.ask('POST', `/users/${puppet.user.id}`, grants('finance'));
  assert.equal(given.status, 200, JSON.stringify(given.body));
  assert.ok(given.body.approval?.id, 'the role waits');
  const { approvals } = (await bob.ask('GET', `/approvals?entityId=${merchantId}`)).body;
  const { about } = approvals.find(({ id }: { id: string }) => id === given.body.approval.id);
  assert.equal(about, `Ann Example <${puppet.user.email}>, finance`, 'who decides sees for whom');
  assert.equal((await ann.ask('POST', `/approvals/${given.body.approval.id}/approve`)).status, 403);
  assert.equal((await puppet.ask('POST', `/approvals/${given.body.approval.id}/approve`)).status, 403);
  const invited = await ann.ask('POST', '/users', { ...at, email: 'puppet@shop.example', name: 'Puppet', role: 'finance' });
  assert.equal(invited.status, 400, JSON.stringify(invited.body));
  const reset = await ann.ask('POST', `/users/${bob.user.id}/reset`, { ...at });
  assert.equal(reset.status, 400, JSON.stringify(reset.body));
  assert.equal((await bob.ask('POST', `/approvals/${given.body.approval.id}/approve`)).body.state, 'done');
  assert.equal(
    (await ann.ask('POST', '/users', { ...at, email: 'helper@shop.example', name: 'Helper', role: 'support' })).status,
    200,
  );
});

test('a single user cannot weaken approvals here, and reads where to do it', async () => {
  await limits({ EUR: '40.00' });
  for (const document of await store.documents({ collection: 'user', ownerId: '', limit: 200 }))
    await store.saveDocuments([
      { ...document, revision: document.revision + 1, body: { ...(document.body as object), state: 'disabled' } },
    ]);
  const ann = await signedInAs(gateway);
  const { status, body } = await change(ann, { set: { approvals: {} } });
  assert.equal(status, 403);
  assert.match(JSON.stringify(body), /npx turnpike approvals/);
  assert.deepEqual(await limitsNow(), { EUR: '40.00' });
});
