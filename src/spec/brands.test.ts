import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brands } from './brands.ts';
import { methods } from './methods.ts';

test('every brand has a name that paymentBrand may carry and a method of the API', () => {
  for (const [name, brand] of Object.entries(brands)) {
    assert.match(name, /^[A-Z0-9_]{1,32}$/);
    assert.ok(brand.method in methods, name);
    assert.equal(brand.cvvLength !== undefined, brand.account === 'card', name);
    assert.equal(new Set(brand.extras).size, brand.extras.length, name);
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
      ['DIRECTDEBIT_SEPA', 'DD'],
    ],
  );
});

const extras: readonly (readonly [brand: string, required: readonly string[]])[] = [
  ['PAYPAL', []],
  ['MBWAY', ['virtualAccount.accountId']],
  ['DIRECTDEBIT_SEPA', ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic', 'bankAccount.country']],
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
