import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CARD, createClient, DEMO, type Fields, OTHER } from './client.ts';
import { startGateway } from './gateway.ts';

const gateway = await startGateway({});
after(() => gateway.close());
const shop = createClient(gateway.url);
const other = createClient(gateway.url, OTHER);
const ABSENT = '0'.repeat(32);

const authorise = async (fields: Fields = {}) => (await shop.pay({ paymentType: 'PA', amount: '100.00', ...fields })).id;
const debit = async (fields: Fields = {}) => (await shop.pay(fields)).id;

test('a debit is approved and comes back whole', async () => {
  const { status, body } = await shop.pay({
    merchantTransactionId: 'order-10017',
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
  });
  assert.equal(status, 200);
  assert.match(body.id, /^[0-9a-f]{32}$/);
  assert.equal(body.paymentType, 'DB');
  assert.equal(body.paymentBrand, 'VISA');
  assert.equal(body.amount, '92.00');
  assert.equal(body.currency, 'EUR');
  assert.match(body.descriptor, /^\d{4}\.\d{4}\.\d{4} Demo_Shop$/);
  assert.equal(body.merchantTransactionId, 'order-10017');
  assert.deepEqual(body.result.code, '000.100.110');
  assert.equal(body.result.description, "Request successfully processed in 'Merchant in Integrator Test Mode'");
  assert.equal(body.result.cvvResponse, 'M');
  assert.equal(body.resultDetails.ConnectorTxID1, body.id);
  assert.equal(body.resultDetails.ConnectorTxID2, body.id.slice(0, 8));
  assert.equal(body.resultDetails.ConnectorTxID3, body.id.slice(-22));
  const { bin, last4Digits, holder, expiryMonth, expiryYear } = body.card;
  assert.deepEqual(
    { bin, last4Digits, holder, expiryMonth, expiryYear },
    { bin: '420000', last4Digits: '0000', holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' },
  );
  assert.deepEqual(body.customer, { givenName: 'Ann', surname: 'Example' });
  assert.match(body.buildNumber, /^[0-9a-f]{40}@\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/);
  assert.match(body.timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/);
  assert.match(body.ndc, new RegExp(`^${DEMO.entityId}-[0-9a-f]{32}$`));
  assert.ok(!JSON.stringify(body).includes('4200000000000000') && !JSON.stringify(body).includes('"123"'));
});

test('a payment is readable by its channel and its merchant, and by no other', async () => {
  const { id, body } = await shop.pay();
  const read = await shop.read(id);
  assert.equal(read.status, 200);
  const { ndc: _a, timestamp: _b, ...was } = body;
  const { ndc: _c, timestamp, ...is } = read.body;
  const sums = { capturedAmount: '92.00', refundedAmount: '0.00', reversedAmount: '0.00', disputedAmount: '0.00' };
  assert.deepEqual(is, { ...was, ...sums, remainingAmount: '92.00' });
  assert.match(timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?\+0000$/);
  assert.equal((await shop.read(id, { entityId: DEMO.merchantId })).status, 200);
  const [absent, foreign, sibling] = [
    await other.read(ABSENT),
    await other.read(id),
    await shop.read(id, { entityId: DEMO.lenientId }),
  ];
  for (const answer of [absent, foreign, sibling]) {
    assert.equal(answer.status, 404);
    assert.equal(answer.code, '700.400.580');
    assert.equal(answer.body.result.description, 'cannot find transaction');
  }
  assert.deepEqual(Object.keys(absent.body), Object.keys(foreign.body));
});

test('captures add up to the authorised amount and not a cent more', async () => {
  const id = await authorise();
  const first = await shop.capture(id, '60.00');
  assert.equal(first.code, '000.100.110');
  assert.equal(first.body.referencedId, id);
  assert.equal(first.body.amount, '60.00');
  assert.equal((await shop.capture(id, '40.01')).code, '700.400.100');
  assert.equal((await shop.capture(id, '40.00')).code, '000.100.110');
  assert.equal((await shop.capture(id, '0.01')).code, '700.400.100');
});

test('a refused reference is a transaction of its own, with the amount that was asked for and no descriptor', async () => {
  const { status, body, id } = await shop.capture(await debit(), '1.00');
  assert.equal(status, 400);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.deepEqual([body.amount, body.currency, body.descriptor], ['1.00', 'EUR', undefined]);
  assert.equal((await shop.read(id)).code, '700.400.510');
});

test('numberOfCaptures and sequence=FINAL end the captures', async () => {
  const two = await authorise({ numberOfCaptures: '2' });
  for (const code of ['000.100.110', '000.100.110', '700.400.102']) assert.equal((await shop.capture(two, '1.00')).code, code);
  const last = await authorise();
  assert.equal((await shop.capture(last, '1.00', { sequence: 'FINAL' })).code, '000.100.110');
  assert.equal((await shop.capture(last, '1.00')).code, '700.300.300');
});

test('refunds of a debit, a capture and a credit', async () => {
  const paid = await debit();
  assert.equal((await shop.refund(paid, '90.00')).code, '000.100.110');
  assert.equal((await shop.refund(paid, '2.01')).code, '700.400.200');
  assert.equal((await shop.refund(paid, '2.00')).code, '000.100.110');
  const captured = await shop.capture(await authorise(), '30.00');
  assert.equal((await shop.refund(captured.id, '30.01')).code, '700.400.200');
  assert.equal((await shop.refund(captured.id, '30.00')).code, '000.100.110');
  const credited = await debit({ paymentType: 'CD' });
  assert.equal((await shop.refund(credited, '92.00')).code, '000.100.110');
});

test('a reversal takes back the uncaptured rest, once', async () => {
  const id = await authorise();
  await shop.capture(id, '30.00');
  const reversed = await shop.reverse(id);
  assert.equal(reversed.code, '000.100.110');
  assert.equal(reversed.body.amount, '70.00');
  assert.equal(reversed.body.currency, 'EUR');
  assert.equal((await shop.reverse(id)).code, '700.400.300');
  assert.equal((await shop.capture(id, '1.00')).code, '700.400.100');
  const part = await authorise();
  assert.equal((await shop.reverse(part, { amount: '99.00', currency: 'EUR' })).body.amount, '99.00');
  assert.equal((await shop.capture(part, '1.00')).code, '000.100.110');
});

test('a debit is reversed whole or not at all, and not after a refund', async () => {
  const id = await debit();
  assert.equal((await shop.reverse(id, { amount: '1.00', currency: 'EUR' })).code, '700.400.300');
  assert.equal((await shop.reverse(id)).code, '000.100.110');
  assert.equal((await shop.refund(id, '1.00')).code, '700.400.200');
  const refunded = await debit();
  await shop.refund(refunded, '1.00');
  assert.equal((await shop.reverse(refunded)).code, '700.400.300');
});

const declined = () => debit({ 'customParameters[forceResultCode]': '800.100.151' });
const wrong: [what: string, reference: () => Promise<string>, fields: Fields, code: string][] = [
  ['capture of nothing', async () => ABSENT, { paymentType: 'CP', amount: '1.00', currency: 'EUR' }, '700.400.510'],
  ['reversal of nothing', async () => ABSENT, { paymentType: 'RV' }, '700.400.530'],
  ['refund of nothing', async () => ABSENT, { paymentType: 'RF', amount: '1.00', currency: 'EUR' }, '600.200.500'],
  ['capture of a debit', debit, { paymentType: 'CP', amount: '1.00', currency: 'EUR' }, '700.400.510'],
  ['refund of an authorisation', authorise, { paymentType: 'RF', amount: '1.00', currency: 'EUR' }, '700.400.520'],
  ['refund of a declined payment', declined, { paymentType: 'RF', amount: '1.00', currency: 'EUR' }, '700.300.200'],
  ['reversal of a declined payment', declined, { paymentType: 'RV' }, '700.300.200'],
  ['capture in another currency', authorise, { paymentType: 'CP', amount: '1.00', currency: 'USD' }, '700.100.500'],
  ['refund in another currency', debit, { paymentType: 'RF', amount: '1.00', currency: 'USD' }, '700.100.500'],
  [
    'capture through another channel',
    authorise,
    { entityId: DEMO.lenientId, paymentType: 'CP', amount: '1.00', currency: 'EUR' },
    '700.400.700',
  ],
  [
    'capture in another mode',
    authorise,
    { testMode: 'EXTERNAL', paymentType: 'CP', amount: '1.00', currency: 'EUR' },
    '700.100.600',
  ],
  ['capture of 0.00', authorise, { paymentType: 'CP', amount: '0.00', currency: 'EUR' }, '100.550.300'],
  ['refund of 0.00', debit, { paymentType: 'RF', amount: '0.00', currency: 'EUR' }, '100.550.300'],
];

for (const [what, reference, fields, code] of wrong) {
  test(`${what} → ${code}`, async () => {
    const answer = await shop.refer(await reference(), fields);
    assert.equal(answer.code, code);
    assert.equal(answer.status, 400);
    assert.match(answer.id, /^[0-9a-f]{32}$/);
  });
}

test("another merchant's payment is referenced like an absent one", async () => {
  const id = await debit();
  const [foreign, absent] = [await other.refund(id, '1.00'), await other.refund(ABSENT, '1.00')];
  assert.equal(foreign.code, '600.200.500');
  assert.deepEqual(Object.keys(foreign.body), Object.keys(absent.body));
});

test('an open payment cannot be captured, and ends approved once the acquirer is heard again', async () => {
  const open = await shop.pay({ paymentType: 'PA', 'customParameters[SIMULATOR_answer]': 'lost' });
  assert.equal(open.code, '000.200.000');
  assert.equal(open.status, 200);
  assert.equal((await shop.capture(open.id, '1.00')).code, '700.400.570');
  await gateway.settle();
  assert.equal((await shop.read(open.id)).code, '000.100.110');
  assert.equal((await shop.capture(open.id, '1.00')).code, '000.100.110');
});

test('a request the acquirer never got is cancelled there before it is called failed', async () => {
  const open = await shop.pay({ 'customParameters[SIMULATOR_answer]': 'lost-request' });
  assert.equal(open.code, '000.200.000');
  await gateway.settle();
  const read = await shop.read(open.id);
  assert.equal(read.code, '900.100.301');
  assert.equal(read.status, 400);
});

const instruments: [what: string, fields: Fields, code: string][] = [
  ['a number that fails Luhn', { 'card.number': '4200000000000001' }, '100.100.101'],
  ['an expired card', { 'card.expiryYear': '2020' }, '100.100.303'],
  ['a number of another brand', { 'card.number': '5454545454545454' }, '100.100.700'],
  ['four digits of CVV on VISA', { 'card.cvv': '1234' }, '100.100.601'],
  ['three digits of CVV on AMEX', { paymentBrand: 'AMEX', 'card.number': '377777777777770' }, '100.100.601'],
  ['AMEX with four', { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' }, '000.100.110'],
  ['a forced decline', { 'customParameters[forceResultCode]': '800.100.155' }, '800.100.155'],
  ['a forced code that does not exist', { 'customParameters[forceResultCode]': '123.456.789' }, '600.200.810'],
  ['a decline named by the holder', { 'card.holder': '800.100.157' }, '800.100.157'],
  ['a debit of nothing', { amount: '0.00' }, '100.550.300'],
  ['a verification of a card', { amount: '0.00', paymentType: 'PA' }, '000.100.110'],
  ['the processor’s own test system', { testMode: 'EXTERNAL' }, '000.100.112'],
  ['our simulators, said aloud', { testMode: 'INTERNAL' }, '000.100.110'],
];

for (const [what, fields, code] of instruments) {
  test(`${what} → ${code}`, async () => {
    const answer = await shop.pay(fields);
    assert.equal(answer.code, code, JSON.stringify(answer.body.result));
    assert.match(answer.id, /^[0-9a-f]{32}$/);
    const { amount, currency, descriptor } = answer.body;
    assert.deepEqual([amount, currency], ['amount' in fields ? fields.amount : '92.00', 'EUR']);
    if (answer.status === 400) assert.equal(descriptor, undefined);
    assert.equal((await shop.read(answer.id)).code, code);
  });
}

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const SEPA = {
  ...NO_CARD,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
  'bankAccount.country': 'DE',
};
const BY_NUMBER = {
  ...SEPA,
  'bankAccount.iban': '',
  'bankAccount.bic': '',
  'bankAccount.number': '1234567890',
  'bankAccount.bankCode': '10000000',
};
const TOKEN = {
  ...NO_CARD,
  'tokenAccount.number': '4200000000000000',
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.cryptogram': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
};

const accounts: [what: string, fields: Fields, code: string, hidden: string][] = [
  ['direct debit', SEPA, '000.100.110', 'DE23100000001234567890'],
  [
    'an IBAN with a wrong check digit',
    { ...SEPA, 'bankAccount.iban': 'DE24100000001234567890' },
    '100.100.101',
    'DE24100000001234567890',
  ],
  ['a BIC of another country', { ...SEPA, 'bankAccount.bic': 'MARKATF1100' }, '100.200.103', 'DE23100000001234567890'],
  ['an IBAN of another country', { ...SEPA, 'bankAccount.country': 'AT' }, '100.200.100', 'DE23100000001234567890'],
  ['direct debit by account number and bank code', BY_NUMBER, '000.100.110', '1234567890'],
  [
    'direct debit by account number where it gives no IBAN',
    { ...BY_NUMBER, 'bankAccount.country': 'FR' },
    '200.300.404',
    '1234567890',
  ],
  [
    'a virtual account',
    { ...NO_CARD, paymentBrand: 'VIRTUAL_ACCOUNT', 'virtualAccount.accountId': 'ann@example.org' },
    '000.100.110',
    '',
  ],
  ['a network token', TOKEN, '000.100.110', '4200000000000000'],
];

for (const [what, fields, code, hidden] of accounts) {
  test(`${what} → ${code}`, async () => {
    const { body, code: got } = await shop.pay(fields);
    assert.equal(got, code, JSON.stringify(body.result));
    if (hidden) assert.ok(!JSON.stringify(body).includes(hidden));
  });
}

test('unknown parameters are named with the nearest known one, on a strict channel of the test environment', async () => {
  const hint = async (client: ReturnType<typeof createClient>, fields: Fields) =>
    (await client.pay(fields)).headers.get('unknown-parameters');
  const misspelt = { 'card.holdr': 'Ann', 'plugin.version': '7' };
  assert.equal(await hint(shop, misspelt), '"card.holdr";nearest="card.holder", "plugin.version"');
  assert.equal(await hint(shop, { 'card.number': '', 'crad.number': '4200000000000000' }), '"crad.number";nearest="card.number"');
  assert.equal(await hint(shop, { 'a"\\\u00fc\r\nx': '1' }), '"a\\"\\\\???x"');
  assert.equal(await hint(shop, {}), null);
  assert.equal(await hint(createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId }), misspelt), null);
});

test('a filter that queries do not have is named with what to use, beside the answer to the rest', async () => {
  const { id } = await shop.pay({ merchantTransactionId: 'order-with-filter' });
  const found = await shop.send('GET', '/v1/query', { merchantTransactionId: 'order-with-filter', RegistrationId: id });
  assert.deepEqual([found.status, found.body.payments?.length], [200, 1]);
  assert.match(
    found.headers.get('unknown-parameters') ?? '',
    /^"RegistrationId";instead="registrationId does not search: send date\.from and date\.to, /,
  );
});

test('a custom parameter without a value comes back', async () => {
  const order = { amount: '92.00', currency: 'EUR', paymentType: 'DB', ...CARD };
  const { body } = await shop.send('POST', '/v1/payments', { ...order, 'customParameters[CTPE_TEMPLATE]': '' });
  assert.deepEqual(body.customParameters, { CTPE_TEMPLATE: '' });
  const directed = { ...order, 'customParameters[SCENARIO]': '', 'customParameters[SIMULATOR_answer]': '' };
  assert.equal((await shop.send('POST', '/v1/payments', directed)).code, '000.100.110');
});

test('the number gives the brand when the merchant does not', async () => {
  const { body } = await shop.pay({ paymentBrand: '', 'card.number': '5454545454545454' });
  assert.equal(body.paymentBrand, 'MASTER');
  assert.equal(body.brandResult, 'MASTER');
});

test('an increment raises what may be captured, a new authorisation is separate', async () => {
  const id = await authorise();
  const practice = (industryPractice: string, referenceUuid: string) => ({
    paymentType: 'PA',
    amount: '20.00',
    referenceUuid,
    'standingInstruction.industryPractice': industryPractice,
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.source': 'MIT',
    'card.cvv': '',
  });
  const increment = await shop.pay(practice('INCREMENTAL_AUTH', id));
  assert.equal(increment.code, '000.100.110', JSON.stringify(increment.body.result));
  assert.equal(increment.body.referencedId, id);
  assert.equal((await shop.capture(id, '120.01')).code, '700.400.100');
  assert.equal((await shop.capture(increment.id, '120.00')).body.referencedId, id);
  const again = await shop.pay(practice('REAUTHORIZATION', id));
  assert.equal(again.code, '000.100.110');
  assert.equal((await shop.capture(again.id, '20.01')).code, '700.400.100');
  assert.equal((await shop.capture(again.id, '20.00')).code, '000.100.110');
  const lost = await shop.pay(practice('INCREMENTAL_AUTH', ABSENT));
  assert.equal(lost.status, 400);
  assert.equal(lost.code, '200.300.404');
  assert.equal(lost.body.result.parameterErrors[0].name, 'referenceUuid');
  assert.equal(lost.id, undefined);
});

test('the same key is the same payment, another body is refused, another entity is free', async () => {
  const key = { 'idempotency-key': 'order-77' };
  const first = await shop.pay({ merchantTransactionId: 'order-77' }, key);
  const second = await shop.pay({ merchantTransactionId: 'order-77' }, key);
  const { ndc: _a, timestamp: _b, ...was } = first.body;
  const { ndc: _c, timestamp: _d, ...is } = second.body;
  assert.deepEqual(is, was);
  const changed = await shop.pay({ merchantTransactionId: 'order-78' }, key);
  assert.equal(changed.status, 400);
  assert.equal(changed.body.result.parameterErrors[0].name, 'Idempotency-Key');
  assert.notEqual((await other.pay({ merchantTransactionId: 'order-77' }, key)).id, first.id);
});

test('64 captures at once never overrun', async () => {
  const id = await authorise();
  const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => shop.capture(id, i % 2 ? '7.00' : '3.00')));
  const captured = answers.filter(({ code }) => code === '000.100.110').reduce((sum, { body }) => sum + Number(body.amount), 0);
  assert.ok(captured <= 100 && captured > 90, `${captured}`);
  assert.ok(answers.every(({ code }) => code === '000.100.110' || code === '700.400.100'));
});

test('a request to the merchant goes to its channel', async () => {
  const { code, body, id } = await shop.pay({ entityId: DEMO.merchantId });
  assert.equal(code, '000.100.110');
  assert.match(body.descriptor, /Demo_Shop$/);
  assert.equal((await shop.refund(id, '1.00', { entityId: DEMO.merchantId })).code, '000.100.110');
});

test('custom parameters come back, whatever they are called', async () => {
  const { body } = await shop.pay({ 'customParameters[__proto__]': 'x', 'customParameters[SHOPPER_promo]': 'Ä1' });
  assert.equal(body.customParameters.SHOPPER_promo, 'Ä1');
  assert.equal(Object.getOwnPropertyDescriptor(body.customParameters, '__proto__')?.value, 'x');
});
