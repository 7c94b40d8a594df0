import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountOf, amountText, minorUnits, NO_CURRENCY } from './amount.ts';

const illegal = [
  '',
  '.',
  '1.',
  '.50',
  '1.5',
  '1.005',
  '-1.00',
  '+1.00',
  '1e2',
  '0x10',
  '1,00',
  ' 1.00',
  '1.00 ',
  '１.００',
  '1_0',
  '12345678901234.00',
  'NaN',
];

for (const text of illegal) test(`"${text}" is no amount`, () => assert.equal(amountOf(text), undefined));

test('decimals may be left out', () => assert.equal(amountOf('92'), 9200n));

test('a million amounts come back as they went in', () => {
  let seed = 1n;
  for (let i = 0; i < 1_000_000; i += 1) {
    seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    const amount = seed % 1_000_000_000_000n;
    if (amountOf(amountText(amount)) !== amount) assert.fail(`${amount} changed`);
  }
});

test('every amount of thirteen digits survives its text', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (amount) => amountOf(amountText(amount)) === amount));
});

const texts: [amount: bigint, text: string][] = [
  [0n, '0.00'],
  [1n, '0.01'],
  [99n, '0.99'],
  [100n, '1.00'],
  [-1n, '-0.01'],
  [-9250n, '-92.50'],
];
for (const [amount, text] of texts) test(`${amount} hundredths are ${text}`, () => assert.equal(amountText(amount), text));

test('no currency is XXX, as in ISO 4217', () => assert.equal(NO_CURRENCY, 'XXX'));

const units: [amount: bigint, digits: number, units: bigint | undefined][] = [
  [9200n, 2, 9200n],
  [9200n, 0, 92n],
  [9250n, 0, undefined],
  [9250n, 3, 92500n],
  [9250n, 1, 925n],
  [9251n, 1, undefined],
];
for (const [amount, digits, expected] of units) {
  test(`${amountText(amount)} with ${digits} decimals is ${expected} units`, () =>
    assert.equal(minorUnits(amount, digits), expected));
}
