import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencies, digitsOf, isCurrency } from './currencies.ts';

const digits: readonly (readonly [currency: string, digits: number])[] = [
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['ISK', 0],
  ['CLP', 0],
  ['XOF', 0],
  ['BHD', 3],
  ['KWD', 3],
  ['TND', 3],
  ['MGA', 2],
  ['MRU', 2],
  ['HUF', 2],
  ['XCG', 2],
  ['SLE', 2],
  ['ZWG', 2],
];

for (const [currency, expected] of digits) {
  test(`${currency} has ${expected} decimals`, () => assert.equal(digitsOf(currency), expected));
}

test('about 150 currencies can be paid in, each written as three capitals', () => {
  assert.ok(currencies.size >= 145 && currencies.size <= 165, String(currencies.size));
  for (const code of currencies.keys()) assert.match(code, /^[A-Z]{3}$/);
});

test('what is withdrawn, a fund, a metal or a test is not money', () => {
  const none = [
    'HRK',
    'BGN',
    'ANG',
    'CUC',
    'SLL',
    'ZWL',
    'DEM',
    'XXX',
    'XTS',
    'XAU',
    'XDR',
    'CLF',
    'CHW',
    'UYI',
    'USN',
    'eur',
    '978',
    '',
  ];
  assert.deepEqual(none.filter(isCurrency), []);
  assert.equal(digitsOf('XXX'), undefined);
});

test('the Unicode tables know every one of them', () => {
  const known = new Set(Intl.supportedValuesOf('currency'));
  // Codes younger than the tables of some runtimes.
  const young = new Set(['XCG', 'ZWG', 'SLE', 'VED']);
  assert.deepEqual(
    [...currencies.keys()].filter((code) => !known.has(code) && !young.has(code)),
    [],
  );
});
