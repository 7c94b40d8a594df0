import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseSecrets } from '../../src/registrations/registration.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createShop, SHOP } from './checkoutShopper.ts';
import { createClient, DEMO, type Fields } from './client.ts';
import { startGateway } from './gateway.ts';

const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const NUMBER = '6035710000000150';
const PIN = '8127';
const GIFT: Fields = { paymentBrand: 'GIFTCARD', 'giftCard.number': NUMBER, 'giftCard.pin': PIN };
const pay = (fields: Fields = {}) => shop.pay({ ...NO_CARD, ...GIFT, ...fields });

const outcomes: readonly (readonly [what: string, fields: Fields, code: string])[] = [
  ['what it holds', { amount: '150.00' }, '000.100.110'],
  ['a cent more than it holds', { amount: '150.01' }, '800.100.203'],
  ['a number that says nothing of what it holds', { amount: '9999.00', 'giftCard.number': 'GIFT-CARD-A' }, '000.100.110'],
  ['a number too short to be shown', { 'giftCard.number': '77' }, '000.100.110'],
  ['a wrong PIN', { 'giftCard.pin': '0000' }, '800.100.166'],
  ['no PIN', { 'giftCard.pin': '' }, '000.100.110'],
  ['a code that is asked for', { 'customParameters[forceResultCode]': '800.100.152' }, '800.100.152'],
  ['nothing', { amount: '0.00' }, '100.550.300'],
  ['the wish to store it, which is not heard', { createRegistration: 'true' }, '000.100.110'],
];
for (const [what, fields, code] of outcomes) {
  test(`a gift card and ${what}: ${code}`, async () => {
    const reply = await pay(fields);
    assert.equal(reply.code, code, JSON.stringify(reply.body));
    assert.equal(reply.body.registrationId, undefined);
  });
}

test('of the number the last four are shown, of the PIN nothing; what else was said comes back', async () => {
  const { id, body } = await pay({
    'giftCard.holder': 'Ann Example',
    'giftCard.type': 'BIRTHDAY',
    merchantMemo: `card ${NUMBER}`,
  });
  const shown = { last4Digits: '0150', holder: 'Ann Example', type: 'BIRTHDAY' };
  assert.deepEqual([body.paymentBrand, body.giftCard], ['GIFTCARD', shown]);
  assert.deepEqual((await shop.read(id)).body.giftCard, shown);
  const short = await pay({ 'giftCard.number': '77' });
  assert.deepEqual(short.body.giftCard, {});
  const all = [JSON.stringify([body, short.body]), gateway.lines.join('\n')].join('\n');
  assert.ok(!all.includes(NUMBER) && !all.includes(`"${PIN}"`));
});

test('the number is kept sealed for a refund, the PIN is not kept', async () => {
  const { id } = await pay();
  const row = (await store.sealedAfter(null, 1_000)).find(({ recordId }) => recordId === id);
  assert.ok(row);
  assert.deepEqual(parseSecrets(await gateway.world.vault.open(row, row.sealed)), { number: NUMBER });
});

test('a gift card is authorised, captured, refunded and reversed like anything else', async () => {
  const { id } = await pay({ paymentType: 'PA' });
  const captured = await shop.capture(id, '92.00');
  assert.equal(captured.code, '000.100.110');
  assert.equal((await shop.refund(captured.id, '12.00')).code, '000.100.110');
  const other = await pay({ paymentType: 'PA' });
  assert.equal((await shop.reverse(other.id)).code, '000.100.110');
});

test('an answer that is lost is found out about, also where only the record is left', async () => {
  for (const [amount, code] of [
    ['150.00', '000.100.110'],
    ['151.00', '800.100.203'],
  ] as const) {
    const { id } = await pay({ amount, 'customParameters[SIMULATOR_answer]': 'lost' });
    await gateway.settle();
    assert.equal((await shop.read(id)).code, code);
  }
});

test('beside a card it is what is bought, and the card pays', async () => {
  const { body, code } = await shop.pay({ 'giftCard.number': NUMBER, 'giftCard.pin': PIN, 'giftCard.message': 'Well done' });
  assert.equal(code, '000.100.110');
  assert.deepEqual([body.card.last4Digits, body.giftCard], ['0000', { message: 'Well done' }]);
});

test('faults name the parameter and repeat no secret', async () => {
  const { body } = await pay({ 'giftCard.number': 'x', 'giftCard.pin': 'y', 'virtualAccount.accountId': 'ann' });
  const faults = body.result.parameterErrors as { name: string; value: string | null }[];
  assert.deepEqual(faults.map(({ name }) => name).toSorted(), ['giftCard.number', 'giftCard.pin', 'virtualAccount.accountId']);
  assert.ok(faults.every(({ name, value }) => !name.startsWith('giftCard.') || value === '***'));
});

test('a checkout asks for number and PIN, and pays; what may not be kept cannot be prepared', async () => {
  const checkouts = createShop(gateway.url, DEMO);
  const { id } = await checkouts.create();
  const { brands } = (await checkouts.session(id)) as { brands: { name: string }[] };
  assert.deepEqual(
    brands.find(({ name }) => name === 'GIFTCARD'),
    { name: 'GIFTCARD', form: 'giftCard', cvvLength: null, asks: ['giftCard.number', 'giftCard.pin'] },
  );
  const form = { ...GIFT, shopperResultUrl: `${SHOP}/` };
  assert.equal((await checkouts.payAsApp(id, { ...form, 'giftCard.pin': '000' })).code, '800.100.166');
  assert.equal((await checkouts.paid(id, form)).code, '000.100.110');
  assert.equal((await checkouts.create({ 'giftCard.pin': PIN })).code, '200.300.404');
  const prepared = await checkouts.create({ 'giftCard.number': NUMBER, paymentBrand: 'GIFTCARD' });
  assert.deepEqual((await checkouts.session(prepared.id)).brands[0].asks, ['giftCard.pin']);
  assert.equal((await checkouts.paid(prepared.id, { 'giftCard.pin': PIN, shopperResultUrl: `${SHOP}/` })).code, '000.100.110');
  const storing = await checkouts.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  const offered = (await checkouts.session(storing.id)).brands as { name: string }[];
  assert.ok(!offered.some(({ name }) => name === 'GIFTCARD'));
});
