import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MethodCode, methods } from '../paymentTypes.ts';
import { brands } from './brands.ts';

test('every brand has a name that paymentBrand may carry and a method of the API', () => {
  for (const [name, brand] of Object.entries(brands)) {
    assert.match(name, /^[A-Z0-9_]{1,32}$/);
    assert.ok(brand.method in methods, name);
    assert.equal(brand.cvvLength !== undefined, brand.account === 'card', name);
    assert.equal(new Set(brand.extras).size, brand.extras.length, name);
  }
});

/** Facts 14.3: what a client that looks for virtual accounts expects to find, apart from what is bought on invoice. */
const ofMethod: Readonly<Partial<Record<MethodCode, string>>> = {
  DD: 'DIRECTDEBIT_SEPA',
  CT: 'SEPA',
  OT: 'SOFORTUEBERWEISUNG GIROPAY EPS IDEAL INTERAC_ONLINE POLI ENTERCASH TRUSTPAY_VA',
  PP: 'PREPAYMENT BOLETO BRADESCO OXXO SADAD BITCOIN',
  IV: 'KLARNA_PAYMENTS_PAYLATER KLARNA_PAYMENTS_BILLPAY KLARNA_INVOICE AFTERPAY PAYOLUTION_INVOICE IKANOOI_SE',
  UA: '',
  WA: '',
  OD: '',
  RM: '',
  ET: '',
  NT: '',
};
for (const [method, expected] of Object.entries(ofMethod)) {
  test(`the brands of ${method} are ${expected || 'none'}`, () => {
    const found = Object.entries(brands).flatMap(([name, brand]) => (brand.method === method ? [name] : []));
    assert.equal(found.join(' '), expected);
  });
}

test('everything else is a card, a gift card or a virtual account', () => {
  for (const [name, { method, account }] of Object.entries(brands)) {
    if (ofMethod[method] !== undefined) continue;
    assert.ok(
      ['CC', 'DC'].includes(method) ? ['card', 'wallet'].includes(account) : ['virtualAccount', 'giftCard'].includes(account),
      name,
    );
  }
});

test('what is paid later sends the shopper away; prepayments by a slip, invoices by an invoice', () => {
  for (const [name, { method, paidBy, workflow }] of Object.entries(brands)) {
    if (paidBy !== undefined) assert.equal(workflow, 'async', name);
    if (method === 'PP') assert.equal(paidBy, 'slip', name);
    assert.equal(method === 'IV', paidBy === 'invoice', name);
  }
});

test('items are named with their number', () => {
  const asking = Object.entries(brands).filter(([, { itemExtras }]) => itemExtras);
  assert.ok(asking.every(([name]) => /^(?:KLARNA|PAYOLUTION)_/.test(name)));
  assert.equal(asking.length, 9);
  for (const [name, { itemExtras }] of asking) {
    for (const extra of itemExtras?.names ?? []) {
      assert.match(extra, /^[^{}]*\{n\}[^{}]*$/, name);
      assert.equal(itemExtras?.seenBy.exec(extra.replace('{n}', '17'))?.[1], '17', name);
    }
  }
});

test('what can be paid without sending the shopper away', () => {
  const sync = Object.entries(brands).filter(
    ([, { workflow, account }]) => workflow === 'sync' && account !== 'card' && account !== 'wallet',
  );
  assert.deepEqual(
    sync.map(([name, { method }]) => [name, method]),
    [
      ['VIRTUAL_ACCOUNT', 'VA'],
      ['GIFTCARD', 'VA'],
      ['DIRECTDEBIT_SEPA', 'DD'],
    ],
  );
});

const extras: readonly (readonly [brand: string, required: readonly string[]])[] = [
  ['PAYPAL', []],
  ['MBWAY', ['virtualAccount.accountId']],
  ['GIFTCARD', ['giftCard.number']],
  ['DIRECTDEBIT_SEPA', ['bankAccount.holder', 'bankAccount.country']],
  ['IDEAL', ['bankAccount.bankName', 'bankAccount.country']],
  ['TRUSTPAY_VA', ['customer.givenName', 'customer.surname']],
];
for (const [brand, required] of extras) {
  test(`${brand} requires ${required.join(', ') || 'nothing more'}`, () => assert.deepEqual(brands[brand]?.extras, required));
}

test('only AMEX has a verification value of four digits; names every object has are no brands', () => {
  assert.deepEqual(
    Object.keys(brands).filter((name) => brands[name]?.cvvLength === 4),
    ['AMEX'],
  );
  for (const name of ['constructor', 'toString', '__proto__', 'visa', '']) assert.equal(brands[name], undefined, name);
});

test('one network has defaults for a series', () => {
  assert.deepEqual(
    Object.entries(brands).flatMap(([name, { seriesDefaults }]) => (seriesDefaults ? [[name, seriesDefaults]] : [])),
    [['MASTER', { expiry: '9999-12-31', frequency: '0001' }]],
  );
});
