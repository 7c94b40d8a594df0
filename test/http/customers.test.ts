import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { CARD, createClient, DEMO, type Fields, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** A customer of a merchant, by `customer.merchantCustomerId`: payments, stored details, schedules and totals. */

let gateway: TestGateway;
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
let ask: Ask;

before(async () => {
  gateway = await startGateway();
  ({ ask } = await signedInAs(gateway, { role: 'finance', entityId: sandbox.division }));
});
after(() => gateway.close());

const shop = () => createClient(gateway.url);
const customer = (id: string): Fields => ({
  'customer.merchantCustomerId': id,
  'customer.givenName': 'Zoe',
  'customer.surname': 'Sample',
  'customer.email': 'zoe@example.org',
});
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;

const see = (id: string, entityId: string = DEMO.merchantId, who: Ask = ask) =>
  who('GET', `/customer?entityId=${entityId}&merchantCustomerId=${encodeURIComponent(id)}`);
const idsOf = (things: readonly { readonly id: string }[]): readonly string[] => things.map(({ id }) => id);
const found = async (id: string, entityId: string = DEMO.merchantId): Promise<readonly string[]> =>
  idsOf((await ask('GET', `/payments?entityId=${entityId}&customer=${encodeURIComponent(id)}`)).body.payments);

test('payments, also with stored details, stored cards, schedules and totals by currency', async () => {
  const id = 'customer & 17/ä';
  const stored = await shop().send('POST', '/v1/registrations', { ...CARD, ...INITIAL, ...customer(id) });
  assert.equal(stored.code, '000.100.110', JSON.stringify(stored.body));
  const own = await shop().pay({ amount: '100.00', ...customer(id) });
  await shop().refund(own.id, '18.00');
  const disputed = await shop().pay({ amount: '10.00', ...customer(id) });
  await ask('POST', `/payments/${disputed.id}/chargeback`, { amount: '10.00', key: 'key-of-a-chargeback-1' });
  const authorised = await shop().pay({ amount: '50.00', currency: 'USD', paymentType: 'PA', ...customer(id) });
  const captured = await shop().send('POST', `/v1/payments/${authorised.id}`, {
    paymentType: 'CP',
    amount: '20.00',
    currency: 'USD',
  });
  assert.equal(captured.code, '000.100.110');
  await shop().pay({ amount: '7.00', ...customer(id), 'card.number': '4200000000000001' });
  const byStored = await shop().send('POST', `/v1/registrations/${stored.id}/payments`, {
    amount: '11.00',
    currency: 'EUR',
    paymentType: 'DB',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.source': 'MIT',
  });
  assert.equal(byStored.code, '000.100.110', JSON.stringify(byStored.body));
  const schedule = await ask('POST', '/schedules', {
    entityId: DEMO.merchantId,
    registrationId: stored.id,
    amount: '5.00',
    currency: 'EUR',
    expression: '0 30 6 1 * ?',
    key: 'key-of-a-schedule-1',
  });
  await shop().pay({ amount: '1.00', ...customer('customer & 17') });
  await shop().pay({ amount: '1.00' });

  const { status, body } = await see(id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body.name, body.email, body.merchantId, body.isComplete],
    ['Zoe Sample', 'zoe@example.org', DEMO.merchantId, true],
  );
  assert.deepEqual(body.totals, [
    { currency: 'EUR', payments: 3, paid: '121.00', refunded: '18.00', disputed: '10.00', credited: '0.00' },
    { currency: 'USD', payments: 1, paid: '20.00', refunded: '0.00', disputed: '0.00', credited: '0.00' },
  ]);
  assert.deepEqual(idsOf(body.registrations), [stored.id]);
  assert.deepEqual(idsOf(body.schedules), [schedule.id]);
  const all = await found(id);
  for (const one of [own.id, disputed.id, authorised.id, byStored.id, stored.id]) assert.ok(all.includes(one), one);
  const page = await ask('GET', `/payments/${byStored.id}`);
  assert.equal(page.body.payment.customerId, id);
  assert.equal((await ask('GET', `/registrations/${stored.id}?entityId=${DEMO.merchantId}`)).body.customerId, id);
});

test('the same id at two merchants is two customers; a channel sees its own', async () => {
  const id = 'shared-id';
  const { id: demo } = await shop().pay(customer(id));
  const { id: other } = await createClient(gateway.url, OTHER).pay(customer(id));
  const { id: lenient } = await shop().pay({ ...customer(id), entityId: DEMO.lenientId });
  const listed = await ask('GET', `/customers?entityId=${sandbox.division}&merchantCustomerId=${id}`);
  const merchants: readonly Fields[] = listed.body.customers;
  assert.deepEqual(
    merchants.map(({ merchantId }) => merchantId).toSorted(),
    [DEMO.merchantId, sandbox.otherShop.merchantId].toSorted(),
  );
  assert.deepEqual([...(await found(id))].toSorted(), [demo, lenient].toSorted());
  assert.deepEqual(await found(id, OTHER.entityId), [other]);
  assert.deepEqual(await found(id, DEMO.lenientId), [lenient]);
  assert.equal((await see(id)).body.totals[0].payments, 2);
  assert.equal((await see(id, DEMO.lenientId)).body.totals[0].payments, 1);
  const unknown = await ask('GET', `/customers?entityId=${sandbox.division}&merchantCustomerId=shared`);
  assert.deepEqual(unknown.body.customers, []);
  assert.equal((await see('shared')).status, 404);
  assert.equal((await see(id, sandbox.division)).status, 400);
  const stranger = await signedInAs(gateway, { role: 'administrator', entityId: OTHER.entityId });
  assert.equal((await see(id, DEMO.merchantId, stranger.ask)).status, 404);
});

test('card numbers are no ids of customers', async () => {
  const refused = await see('4200000000000000');
  assert.equal(refused.status, 400);
  assert.doesNotMatch(JSON.stringify(refused.body), /4200000000000000/);
});
