import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createShop, NUMBER, ORDER } from './checkoutShopper.ts';
import { createClient, DEMO, type Fields, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Checkouts as a merchant's server sees them: facts, part 1. */

let gateway: TestGateway;
let shop: ReturnType<typeof createShop>;
before(async () => {
  gateway = await startGateway();
  shop = createShop(gateway.url);
});
after(() => gateway.close());

const ID = /^[0-9A-F]{32}-test-1$/;
const NOBODY = /^invalid or missing parameter - \(opp\) No payment session found for the requested id/;

function assertNoSession(
  { status, code, body }: Awaited<ReturnType<typeof shop.status>>,
  entityId: string = OTHER.entityId,
): void {
  assert.deepEqual([status, code], [400, '200.300.404']);
  assert.match(body.result.description, NOBODY);
  assert.match(body.ndc, new RegExp(`^${entityId}-[0-9a-f]{32}$`));
  assert.deepEqual([body.id, body.result.parameterErrors], [undefined, undefined]);
}

test('a checkout is created: keys in their order, ndc is the id', async () => {
  const { status, code, body } = await shop.create();
  assert.deepEqual([status, code], [200, '000.200.100']);
  assert.deepEqual(Object.keys(body), ['result', 'buildNumber', 'timestamp', 'ndc', 'id']);
  assert.match(body.id, ID);
  assert.equal(body.ndc, body.id);
  assert.equal(body.result.description, 'successfully created checkout');
});

test('integrity comes when the request asks for it', async () => {
  const { body } = await shop.create({ integrity: 'true' });
  assert.deepEqual(Object.keys(body).at(-1), 'integrity');
  assert.match(body.integrity, /^sha384-[A-Za-z0-9+/]{64}$/);
});

test('a checkout that only stores needs no amount', async () => {
  const { code, id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  assert.equal(code, '000.200.100');
  assert.equal((await shop.session(id)).endpoint, '/registration');
});

const faulty: readonly (readonly [says: string, fields: Fields, names: readonly string[]])[] = [
  ['a bad amount', { amount: '-20.20' }, ['amount']],
  ['no amount', { amount: '' }, ['amount']],
  ['neither amount nor registration', { amount: '', currency: '', paymentType: '' }, ['amount', 'currency', 'paymentType']],
  ['part of the charge beside a registration', { currency: '', createRegistration: 'true' }, ['currency']],
  ['a capture', { paymentType: 'CP' }, ['paymentType']],
  ['a brand that is refunded', { 'overridePaymentType[VISA]': 'RF' }, ['overridePaymentType[VISA]']],
  [
    'several faults at once',
    { amount: 'x', currency: 'EURO', 'customer.email': 'a@b.example' },
    ['amount', 'currency', 'customer.givenName', 'customer.surname'],
  ],
  ['stored details that nobody has', { 'registrations[0].id': 'ab'.repeat(16) }, ['registrations[0].id']],
  ['a result page that is none', { shopperResultUrl: 'javascript:alert(1)' }, ['shopperResultUrl']],
  [
    'a proof that may not be kept',
    { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=', 'threeDSecure.eci': '05' },
    ['threeDSecure.verificationId'],
  ],
];
for (const [says, fields, names] of faulty) {
  test(`refused: ${says}`, async () => {
    const { status, code, body } = await shop.create(fields);
    assert.deepEqual([status, code, body.id], [400, '200.300.404', undefined]);
    assert.deepEqual(body.result.parameterErrors.map(({ name }: { name: string }) => name).sort(), [...names].sort());
    assert.match(body.ndc, ID);
  });
}

test('the instrument is no part of a checkout: a number that is sent all the same is not kept', async () => {
  const { code, id } = await shop.create({ 'card.number': NUMBER, 'card.cvv': '123' });
  assert.equal(code, '000.200.100');
  assert.doesNotMatch(JSON.stringify(await gateway.services.checkouts.store.checkout(id)), /4200000000000000|cvv/);
});

test('secrets are stored sealed and go with the payment', async () => {
  const document = { 'customer.identificationDocType': 'PASSPORT', 'customer.identificationDocId': 'X12345678' };
  const { id } = await shop.create({ 'customer.givenName': 'Ann', 'customer.surname': 'Example', ...document });
  assert.doesNotMatch(JSON.stringify(await gateway.services.checkouts.store.checkout(id)), /X12345678/);
  await shop.update(id, { 'customer.email': 'ann@example.org' });
  assert.equal((await shop.payAsApp(id, await shop.cardForm(id))).code, '000.100.110');
});

test('stored details of another merchant are unknown, those of the own one are taken', async () => {
  const stranger = createClient(gateway.url, DEMO);
  const made = await stranger.send('POST', '/v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': NUMBER,
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  });
  assert.equal((await shop.create({ 'registrations[0].id': made.id })).code, '200.300.404');
  assert.equal((await createShop(gateway.url, DEMO).create({ 'registrations[0].id': made.id })).code, '000.200.100');
});

test('removed details are left out with a warning, and the checkout goes on with the others', async () => {
  const own = createClient(gateway.url, OTHER);
  const store = async () => {
    const fields = { paymentBrand: 'VISA', 'card.number': NUMBER, 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
    return (await own.send('POST', '/v1/registrations', fields)).id;
  };
  const [gone, kept] = [await store(), await store()];
  assert.equal((await own.send('DELETE', `/v1/registrations/${gone}`, {})).status, 200);
  const offered = async (id: string) => {
    const fields = (await gateway.services.checkouts.store.checkout(id))?.fields ?? {};
    return Object.entries(fields).flatMap(([name, value]) => (name.startsWith('registrations[') ? [value] : []));
  };
  const warning = { name: 'registrations[0].id', value: gone, message: 'left out: these payment details were deleted' };
  const made = await shop.create({ 'registrations[0].id': gone, 'registrations[1].id': kept });
  assert.deepEqual([made.code, made.body.result.parameterWarnings], ['000.200.100', [warning]]);
  assert.deepEqual(await offered(made.id), [kept]);
  const changed = await shop.update(made.id, { 'registrations[0].id': gone });
  assert.deepEqual([changed.code, changed.body.result.parameterWarnings], ['000.200.101', [warning]]);
  assert.deepEqual(await offered(made.id), []);
  assert.equal('parameterWarnings' in (await shop.create({ 'registrations[0].id': kept })).body.result, false);
});

test('refusals', async () => {
  const form = new URLSearchParams({ entityId: OTHER.entityId, ...ORDER });
  const nobody = await fetch(`${gateway.url}/v1/checkouts`, { method: 'POST', body: form });
  assert.equal(nobody.status, 401);
  const other = await createClient(gateway.url, { entityId: OTHER.entityId, token: DEMO.token }).send(
    'POST',
    '/v1/checkouts',
    ORDER,
  );
  assert.equal(other.status, 403);
});

test('an update replaces what was sent, and keeps the rest', async () => {
  const { id } = await shop.create({
    merchantTransactionId: 'order-0001',
    'customParameters[a.b]': '1',
    'cart.items[0].name': 'Tea',
    'cart.items[1].name': 'Milk',
  });
  const { status, code, body } = await shop.update(id, {
    amount: '50.00',
    'customParameters[c.d]': '2',
    'cart.items[0].name': 'Coffee',
  });
  assert.deepEqual([status, code, body.id, body.ndc], [200, '000.200.101', id, id]);
  assert.deepEqual(Object.keys(body), ['result', 'buildNumber', 'timestamp', 'ndc', 'id']);
  const { body: paid } = await shop.paid(id, await shop.cardForm(id));
  assert.deepEqual([paid.amount, paid.currency, paid.merchantTransactionId], ['50.00', 'EUR', 'order-0001']);
  assert.deepEqual([paid.customParameters['a.b'], paid.customParameters['c.d']], ['1', '2']);
  assert.deepEqual(paid.cart.items, [{ name: 'Coffee' }]);
});

const updates: readonly (readonly [says: string, fields: Fields, name: string])[] = [
  ['a bad amount', { amount: '1.2' }, 'amount'],
  ['a type for a brand', { 'overridePaymentType[VISA]': 'PA' }, 'overridePaymentType[VISA]'],
  ['a capture', { paymentType: 'CP' }, 'paymentType'],
  ['a currency without coins for an amount with them', { amount: '92.50', currency: 'JPY' }, 'amount'],
];
for (const [says, fields, name] of updates) {
  test(`an update is refused: ${says}, and changes nothing`, async () => {
    const { id } = await shop.create();
    const { status, body } = await shop.update(id, fields);
    assert.equal(status, 400);
    assert.deepEqual(
      body.result.parameterErrors.map((fault: { name: string }) => fault.name),
      [name],
    );
    assert.equal((await shop.session(id)).amount, '92.00');
  });
}

test('what only stores is not made to charge', async () => {
  const { id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  assert.equal((await shop.update(id, ORDER)).code, '200.300.404');
});

test('a paid, unknown or expired checkout cannot be updated', async () => {
  const { id } = await shop.create();
  await shop.pay(id);
  assert.equal((await shop.update(id, { amount: '1.00' })).code, '200.300.404');
  assertNoSession(await shop.update('AB'.repeat(16), {}));
  assertNoSession(await createShop(gateway.url, DEMO).update(id, {}), DEMO.entityId);
});

test('status: nothing tried', async () => {
  const { id } = await shop.create();
  const { status, code, body } = await shop.status(id);
  assert.deepEqual([status, code, body.id, body.ndc], [200, '000.200.000', undefined, id]);
  assert.equal(body.result.description, 'transaction pending');
});

test('status: success, any number of times', async () => {
  const { id } = await shop.create();
  await shop.pay(id);
  for (let times = 0; times < 3; times += 1) {
    const { status, code, body } = await shop.status(id);
    assert.deepEqual([status, code, body.ndc, body.amount, body.card.last4Digits], [200, '000.100.110', id, '92.00', '0000']);
    assert.match(body.id, /^[0-9a-f]{32}$/);
  }
});

test('status: declined, with the amount of the order; another attempt may succeed, and is then the result', async () => {
  const { id } = await shop.create();
  await shop.pay(id, { 'card.holder': '800.100.151' });
  const declined = await shop.status(id);
  assert.deepEqual([declined.status, declined.code, declined.body.ndc, declined.body.amount], [400, '800.100.151', id, '92.00']);
  await shop.pay(id);
  assert.equal((await shop.status(id)).code, '000.100.110');
});

test('status: submitted, and waiting for the shopper', async () => {
  const { id } = await shop.create();
  const { status, location } = await shop.browse('POST', `/v1/checkouts/${id}/payment`, {
    paymentBrand: 'PAYPAL',
    shopperResultUrl: 'https://shop.example/',
  });
  assert.equal(status, 303);
  assert.match(location ?? '', /\/sandbox\/bank\//);
  const { status: http, code, body } = await shop.status(id);
  assert.deepEqual([http, code, body.ndc, body.paymentBrand], [200, '000.200.000', id, 'PAYPAL']);
  assert.match(body.id, /^[0-9a-f]{32}$/);
  assert.ok(body.redirect.url);
});

test('status: unknown, of another channel, of another merchant, and the paths without a version', async () => {
  const { id } = await shop.create();
  assertNoSession(await shop.status('AB'.repeat(16)));
  assertNoSession(await shop.status(`${'AB'.repeat(16)}-test-1`));
  assertNoSession(await createShop(gateway.url, DEMO).status(id), DEMO.entityId);
  assert.equal((await shop.merchant.send('GET', `/checkouts/${id}/payment`, {})).code, '000.200.000');
});

test('a merchant sees the checkouts of all its channels, a channel only its own', async () => {
  const channel = createShop(gateway.url, DEMO);
  const { id } = await channel.create();
  assert.equal((await createShop(gateway.url, { ...DEMO, entityId: DEMO.merchantId }).status(id)).code, '000.200.000');
  assertNoSession(await createShop(gateway.url, { ...DEMO, entityId: DEMO.lenientId }).status(id), DEMO.lenientId);
});

test('a merchant with several channels lets us choose one when it is paid', async () => {
  const merchant = createShop(gateway.url, { ...DEMO, entityId: DEMO.merchantId });
  const { id, code } = await merchant.create();
  assert.equal(code, '000.200.100');
  const form = { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/' };
  assert.equal((await merchant.payAsApp(id, form)).code, '000.200.000');
  assert.equal((await merchant.status(id)).code, '000.200.000');
});

test('after half an hour it is over: for the merchant, the widget and the shopper', async () => {
  const own = await startGateway();
  try {
    const late = createShop(own.url);
    const [paid, unpaid] = [await late.create(), await late.create()];
    await late.pay(paid.id);
    const form = await late.cardForm(unpaid.id);
    own.pass(30 * 60_000 - 2_000);
    assert.equal((await late.status(paid.id)).code, '000.100.110');
    own.pass(2_000);
    assertNoSession(await late.status(paid.id));
    assertNoSession(await late.update(unpaid.id, {}));
    assert.equal((await late.browse('GET', `/v1/checkouts/${unpaid.id}/widget`)).status, 400);
    const page = await late.browse('POST', `/v1/checkouts/${unpaid.id}/payment`, form);
    assert.deepEqual([page.status, /expired/.test(page.text)], [410, true]);
    assert.equal((await late.payAsApp(unpaid.id, form)).code, '200.300.404');
    const { body } = await late.merchant.read(
      (await own.services.checkouts.store.attempts('5eed00000000000000000000000000f2', paid.id))[0]?.id ?? '',
    );
    assert.equal(body.result.code, '000.100.110');
  } finally {
    await own.close();
  }
});
