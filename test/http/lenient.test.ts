import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { CARD, createClient, DEMO, type Fields, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

/** What a lenient channel takes from older clients, and a strict one refuses. */

const gateway = await startGateway({ store: createMemoryStore(), patienceMs: 200 });
after(() => gateway.close());
const strict = createClient(gateway.url);
const lenient = createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId });
type Shop = typeof strict;

const PAID = '000.100.110';
const INVALID = '200.300.404';
const CHARGE = { paymentType: 'DB', amount: '12.50', currency: 'EUR' } as const;
const { 'card.cvv': _cvv, ...PLAIN_CARD } = CARD;
const LATER = { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' } as const;
const FIRST = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' } as const;
const TYPE = { 'standingInstruction.type': 'UNSCHEDULED' } as const;

const store = (shop: Shop) => shop.send('POST', '/v1/registrations', PLAIN_CARD);
const charge = async (shop: Shop, fields: Fields): Promise<Reply> =>
  shop.send('POST', `/v1/registrations/${(await store(shop)).id}/payments`, { ...CHARGE, ...fields });

const BACK = { shopperResultUrl: 'https://shop.example/' } as const;
const PENDING = '000.200.000';
const invoice = (shop: Shop) =>
  shop.send('POST', '/v1/payments', {
    ...CHARGE,
    ...BACK,
    paymentBrand: 'KLARNA_INVOICE',
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
    'billing.country': 'DE',
  });

type Case = readonly [what: string, ask: (shop: Shop) => Promise<Reply>, strictly: string, leniently: string];
const cases: readonly Case[] = [
  ['the first payment of a series without its type', (shop) => shop.pay(FIRST), INVALID, PAID],
  ['recurringType=REPEATED without an INITIAL', (shop) => charge(shop, { recurringType: 'REPEATED' }), '100.150.300', PAID],
  ['REPEATED and MIT without an INITIAL', (shop) => charge(shop, { ...LATER, ...TYPE }), '100.150.300', '100.150.300'],
  ['a security code with REPEATED and MIT', (shop) => continued(shop, { 'card.cvv': '123' }), INVALID, PAID],
  ['3D Secure data with REPEATED and MIT', (shop) => continued(shop, { 'threeDSecure.eci': '05' }), INVALID, PAID],
  ['REPEATED and MIT', (shop) => continued(shop, {}), PAID, PAID],
  ['a tax amount without decimals', (shop) => shop.pay({ taxAmount: '7' }), INVALID, PAID],
  ['an account beside a card', (shop) => shop.pay({ 'virtualAccount.accountId': 'ann' }), INVALID, PAID],
  ['a card beside a virtual account', (shop) => shop.pay({ paymentBrand: 'PAYPAL', ...BACK }), INVALID, PENDING],
  ['an invoice with names and country', (shop) => invoice(shop), INVALID, PENDING],
];
for (const [what, ask, strictly, leniently] of cases) {
  test(`${what}: ${strictly} on a strict channel, ${leniently} on a lenient one`, async () => {
    const [one, two] = [await ask(strict), await ask(lenient)];
    assert.deepEqual([one.code, two.code], [strictly, leniently], JSON.stringify([one.body, two.body]));
  });
}

/** A later payment with card data that names the first. */
async function continued(shop: Shop, fields: Fields): Promise<Reply> {
  const first = await shop.pay({ ...FIRST, ...TYPE });
  const { initialTransactionId } = first.body.standingInstruction;
  const named = { 'standingInstruction.initialTransactionId': initialTransactionId };
  return shop.pay({ 'card.cvv': '', ...LATER, ...TYPE, ...named, ...fields });
}

test('the dropped security code leaves no trace', async () => {
  const paid = await continued(lenient, { 'card.cvv': '123' });
  assert.equal(paid.body.result.cvvResponse, undefined);
});

for (const [name, shop] of Object.entries({ strict, lenient })) {
  test(`a payment declined for lack of funds is resubmitted with REPEATED and MIT on a ${name} channel`, async () => {
    const declined = await shop.pay({ 'customParameters[forceResultCode]': '800.100.155' });
    assert.equal(declined.code, '800.100.155');
    const again = await shop.pay({
      'card.cvv': '',
      ...LATER,
      ...TYPE,
      'standingInstruction.industryPractice': 'RESUBMISSION',
      referenceUuid: declined.id,
    });
    assert.equal(again.code, PAID, JSON.stringify(again.body));
  });

  test(`a stored card declined for lack of funds is resubmitted with REPEATED and MIT on a ${name} channel`, async () => {
    const first = await shop.pay({ ...FIRST, ...TYPE, createRegistration: 'true' });
    const path = `/v1/registrations/${first.body.registrationId}/payments`;
    const later = { ...CHARGE, ...LATER, ...TYPE };
    const declined = await shop.send('POST', path, { ...later, 'customParameters[forceResultCode]': '800.100.155' });
    assert.equal(declined.code, '800.100.155');
    const practice = { 'standingInstruction.industryPractice': 'RESUBMISSION', referenceUuid: declined.id };
    assert.equal((await shop.send('POST', path, { ...later, ...practice })).code, PAID);
    assert.equal((await shop.pay({ 'card.cvv': '', ...LATER, ...TYPE, ...practice })).code, PAID);
  });
}

test('a strict channel says what a lenient one accepts, and nothing where it would refuse too', async () => {
  const refused = await strict.pay({ taxAmount: '7', 'customer.ip': '192.0.2.1' });
  const says = 'this channel is strict; a lenient one accepts the request as to taxAmount, customer.givenName, customer.surname';
  assert.equal(refused.body.result.description, `invalid or missing parameter - ${says}`);
  assert.equal((await strict.pay({ amount: 'x' })).body.result.description, 'invalid or missing parameter');
  assert.equal((await lenient.pay({ amount: 'x' })).body.result.description, 'invalid or missing parameter');
});

for (const brand of ['ASYACARD', 'AXESS', 'BONUS', 'WORLD']) {
  test(`${brand} is paid by card`, async () => assert.equal((await strict.pay({ paymentBrand: brand })).code, PAID));
}

test('UKASH sends the shopper away', async () => {
  const pending = await strict.send('POST', '/v1/payments', { ...CHARGE, ...BACK, paymentBrand: 'UKASH' });
  assert.equal(pending.code, PENDING);
  assert.match(pending.body.redirect.url, /^http/);
});
