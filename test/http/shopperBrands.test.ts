import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { simulator } from '../../src/connectors/simulator/simulator.ts';
import { brands } from '../../src/spec/cards/brands.ts';
import { boleto, brandExtras as complete, item, klarna, priced } from './brandExtras.ts';
import { createClient, type Fields, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

const gateway = await startGateway({ patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const BACK = 'https://shop.example/result';
const pay = (brand: string, fields: Fields) =>
  shop.pay({ ...NO_CARD, paymentBrand: brand, shopperResultUrl: brands[brand]?.workflow === 'async' ? BACK : '', ...fields });

const away = Object.entries(brands).flatMap(([name, { workflow }]) => (workflow === 'async' ? [name] : []));

/** What existing clients read of a redirect, and nothing else. */
function assertRedirected({ status, code, body }: Reply): void {
  assert.deepEqual([status, code], [200, '000.200.000'], JSON.stringify(body.result));
  const { url, parameters, method, ...others } = body.redirect;
  assert.deepEqual([parameters, method, others], [[], 'GET', {}]);
  assert.ok(url.startsWith(`${gateway.url}/sandbox/bank/`) && url.length <= 2048);
  assert.deepEqual([body.amount, body.currency], ['92.00', 'EUR']);
}

const faultsOf = ({ status, code, body }: Reply): readonly string[] => {
  assert.deepEqual([status, code], [400, '200.300.404'], JSON.stringify(body.result));
  return body.result.parameterErrors.map(({ name }: { name: string }) => name);
};

describe('a request that is complete', () => {
  for (const brand of away) {
    test(`${brand}: pending, and the shopper is sent away`, async () => {
      assertRedirected(await pay(brand, complete[brand] ?? {}));
    });
  }
  test('DIRECTDEBIT_SEPA: paid', async () => {
    assert.equal((await pay('DIRECTDEBIT_SEPA', complete.DIRECTDEBIT_SEPA ?? {})).code, '000.100.110');
  });
});

describe('a request that lacks one thing', () => {
  for (const [brand, fields] of Object.entries(complete)) {
    test(`${brand}: it is named`, async () => {
      for (const lacking of Object.keys(fields)) {
        assert.deepEqual(faultsOf(await pay(brand, { ...fields, [lacking]: '' })), [lacking]);
      }
    });
  }
  for (const brand of away) {
    test(`${brand}: the way back is named`, async () => {
      assert.deepEqual(faultsOf(await pay(brand, { ...complete[brand], shopperResultUrl: '' })), ['shopperResultUrl']);
    });
  }
});

const TAX_NUMBER = boleto['customParameters[BRADESCO_cpfsacado]'];

for (const brand of ['BRADESCO', 'BOLETO']) {
  describe(`${brand}: a payer is stored by the tax number`, () => {
    const charge = (id: string, fields: Fields) =>
      shop.send('POST', `/v1/registrations/${id}/payments`, {
        amount: '92.00',
        currency: 'EUR',
        paymentType: 'DB',
        ...fields,
      });

    test('alone, and charged by slip', async () => {
      const registered = await shop.send('POST', '/v1/registrations', { paymentBrand: brand, shopperResultUrl: BACK, ...boleto });
      assert.equal(registered.code, '000.100.110', JSON.stringify(registered.body));
      const { body } = await shop.send('GET', `/v1/registrations/${registered.id}`, {});
      assert.deepEqual([body.paymentBrand, body.virtualAccount], [brand, { accountId: TAX_NUMBER }]);
      for (const fields of [{ shopperResultUrl: BACK }, {}] as readonly Fields[]) {
        const charged = await charge(registered.id, fields);
        assertRedirected(charged);
        assert.deepEqual([charged.body.paymentBrand, charged.body.registrationId], [brand, registered.id]);
        assert.equal((await fetch(charged.body.redirect.url)).status, 200);
      }
    });

    test('with a payment; a payment that stores nothing names no account', async () => {
      const paid = await pay(brand, { ...boleto, createRegistration: 'true' });
      const { body } = await shop.send('GET', `/v1/registrations/${paid.body.registrationId}`, {});
      assert.deepEqual([body.id, body.virtualAccount], [paid.body.registrationId, { accountId: TAX_NUMBER }]);
      assert.equal((await pay(brand, boleto)).body.virtualAccount, undefined);
    });
  });
}

test('where there is nothing to store, no registration is named', async () => {
  const { code, body } = await pay('OXXO', { createRegistration: 'true' });
  assert.deepEqual([code, body.registrationId], ['000.200.000', undefined]);
});

const noItem = Object.fromEntries(Object.keys(item(0)).map((name) => [name, '']));
const noPrice = Object.fromEntries(Object.keys(priced(1)).map((name) => [name, '']));

const refused: readonly (readonly [what: string, brand: string, change: Fields, ...faults: readonly string[]])[] = [
  ['a wallet without its token', 'APPLEPAY', {}, 'walletA.paymentToken'],
  ['another wallet without its token', 'GOOGLEPAY', {}, 'walletB.paymentToken'],
  ['GIROPAY from Austria', 'GIROPAY', { 'bankAccount.country': 'AT' }, 'bankAccount.country'],
  ['IDEAL from Germany', 'IDEAL', { 'bankAccount.country': 'DE' }, 'bankAccount.country'],
  ['MBWAY from Spain', 'MBWAY', { 'virtualAccount.accountId': '34#911222111' }, 'virtualAccount.accountId'],
  ['MBWAY from a landline', 'MBWAY', { 'virtualAccount.accountId': '351#211222111' }, 'virtualAccount.accountId'],
  ['MBWAY without its mark', 'MBWAY', { 'virtualAccount.accountId': '351911222111' }, 'virtualAccount.accountId'],
  ['MBWAY with a digit too few', 'MBWAY', { 'virtualAccount.accountId': '351#91122211' }, 'virtualAccount.accountId'],
  ['no cart at all', 'KLARNA_INVOICE', noItem, ...Object.keys(item(0))],
  [
    'a second item that is a name only',
    'KLARNA_INVOICE',
    { 'cart.items[1].name': 'Ink' },
    ...Object.keys(item(1)).filter((name) => !name.endsWith('.name')),
  ],
  [
    'an item that nobody can price',
    'KLARNA_PAYMENTS_PAYLATER',
    { ...item(1), ...item(7), 'cart.items[7].price': '', 'cart.items[7].tax': '' },
    'cart.items[7].price',
    'cart.items[7].tax',
  ],
  ['an item that has a colour only', 'KLARNA_INVOICE', { 'cart.items[3].sku': 'blue' }, ...Object.keys(item(3))],
  ['nothing to pay by instalments', 'PAYOLUTION_INS', noPrice, ...Object.keys(priced(1))],
  [
    'a second price without a name',
    'PAYOLUTION_INVOICE',
    { 'customParameters[PAYOLUTION_ITEM_PRICE_2]': '1.00' },
    'customParameters[PAYOLUTION_ITEM_DESCR_2]',
  ],
  [
    'a second name without a price',
    'PAYOLUTION_ELV',
    { 'customParameters[PAYOLUTION_ITEM_DESCR_12]': 'Ink' },
    'customParameters[PAYOLUTION_ITEM_PRICE_12]',
  ],
];
for (const [what, brand, change, ...faults] of refused) {
  test(`${what} is refused`, async () => {
    assert.deepEqual(faultsOf(await pay(brand, { ...complete[brand], ...change })).toSorted(), faults.toSorted());
  });
}

const accepted: readonly (readonly [what: string, brand: string, change: Fields])[] = [
  ['a cart that does not begin with its first item', 'KLARNA_INVOICE', { ...noItem, ...item(4) }],
  ['a cart of several items', 'KLARNA_PAYMENTS_SLICEIT', { ...item(1), ...item(2) }],
  ['several priced items', 'PAYOLUTION_INVOICE', { ...priced(2), ...priced(3) }],
  ['other parameters of its own', 'PAYOLUTION_INVOICE', { 'customParameters[PAYOLUTION_COMPANY_UID]': 'x' }],
  ['SOFORTUEBERWEISUNG from Germany', 'SOFORTUEBERWEISUNG', { 'bankAccount.country': 'DE' }],
];
for (const [what, brand, change] of accepted) {
  test(`${what} is taken`, async () => assertRedirected(await pay(brand, { ...complete[brand], ...change })));
}

test('the simulator takes every brand by its method, and redirects where the brand does', () => {
  for (const [name, { method, workflow }] of Object.entries(brands)) {
    const capability = (simulator.supports as Readonly<Record<string, { readonly redirects: boolean }>>)[method];
    assert.ok(capability && (workflow === 'sync' || capability.redirects), `${name} is ${method}`);
  }
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const patience: readonly (readonly [brand: string, ms: number])[] = [
  ['PAYPAL', 30 * MINUTE_MS],
  ['KLARNA_INVOICE', 30 * MINUTE_MS],
  ['PREPAYMENT', 14 * DAY_MS],
  ['BOLETO', 14 * DAY_MS],
  ['SIBS_MULTIBANCO', 14 * DAY_MS],
];
for (const [brand, ms] of patience) {
  test(`${brand} waits for the shopper ${ms / MINUTE_MS} minutes, and not longer`, async () => {
    const { body } = await pay(brand, complete[brand] ?? {});
    gateway.pass(ms - MINUTE_MS);
    assert.equal((await fetch(body.redirect.url)).status, 200);
    gateway.pass(MINUTE_MS);
    assert.equal((await fetch(body.redirect.url)).status, 410);
  });
}

const choices: readonly (readonly [brand: string, choice: string, code: string])[] = [
  ['PREPAYMENT', 'pay', '000.100.110'],
  ['PREPAYMENT', 'later', '000.200.000'],
  ['PREPAYMENT', 'cancel', '100.396.101'],
  ['KLARNA_INVOICE', 'pay', '000.100.110'],
  ['KLARNA_INVOICE', 'cancel', '100.396.101'],
  ['KLARNA_INVOICE', 'decline', '800.100.152'],
];
for (const [brand, choice, code] of choices) {
  test(`${brand}: the shopper chooses ${choice}: ${code}`, async () => {
    const pending = await pay(brand, complete[brand] ?? {});
    const form = new URLSearchParams({ choice });
    const { status } = await fetch(pending.body.redirect.url, { method: 'POST', redirect: 'manual', body: form });
    assert.equal(status, 303);
    assert.equal((await shop.read(pending.id)).code, code);
  });
}

test('what a page does not offer cannot be chosen', async () => {
  const pending = await pay('PREPAYMENT', {});
  for (const choice of ['decline', 'PAY', '', 'constructor']) {
    const form = new URLSearchParams({ choice });
    const { status } = await fetch(pending.body.redirect.url, { method: 'POST', redirect: 'manual', body: form });
    assert.equal(status, 200, 'the page again');
  }
  assert.equal((await shop.read(pending.id)).code, '000.200.000');
});

test('an invoice is authorised, captured when the goods leave, and refunded', async () => {
  const pending = await pay('KLARNA_INVOICE', { ...klarna, paymentType: 'PA' });
  const form = new URLSearchParams({ choice: 'pay' });
  await fetch(pending.body.redirect.url, { method: 'POST', redirect: 'manual', body: form });
  const captured = await shop.capture(pending.id, '92.00');
  assert.equal(captured.code, '000.100.110');
  assert.equal((await shop.refund(captured.id, '10.00')).code, '000.100.110');
});
