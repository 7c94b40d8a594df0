import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookedMoney, chargesIn, sumsOf } from './camtValues.ts';
import { decimal } from './reader.ts';

const values = (...pairs: readonly (readonly [path: string, text: string, code: string])[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([path, text, code]) => [[path, text] as const, [`${path}@Ccy`, code] as const]));

test('a number has the spellings of XML Schema, and is never rounded in silence', () => {
  const rows: readonly (readonly [text: string, hundredths: bigint | null, isExact?: boolean])[] = [
    ['92', 9_200n],
    ['92.', 9_200n],
    ['.5', 50n],
    ['+092.00000', 9_200n],
    ['0', 0n],
    ['1234.567', 123_456n, false],
    ['0.00001', 0n, false],
    ['9999999999999.99', 999_999_999_999_999n],
    ['99999999999999', null],
    ...['', '.', '-1.00', '1,00', '1e3', '0x10', '1.0.0', '９２', ' 1', 'NaN'].map((text) => [text, null] as const),
  ];
  for (const [text, amount, isExact = true] of rows)
    assert.deepEqual(decimal(text), amount === null ? null : { amount, isExact }, JSON.stringify(text));
});

test('an amount that cannot be read has its reason, and no other value', () => {
  const rows = [
    [['92.00', 'EUR'], 9_200n, 'EUR', null],
    [['1234.567', 'KWD'], 123_456n, 'KWD', /"1234.567 KWD" has more than two decimals/],
    [['10.00', 'QQQ'], 1_000n, 'QQQ', /none of ISO 4217/],
    [['10.00', 'euro'], 1_000n, 'XXX', /none of ISO 4217/],
    [['-10.00', 'EUR'], 0n, 'EUR', /none that a payment can have/],
  ] as const;
  for (const [[text, code], amount, currency, says] of rows) {
    const { money, why } = bookedMoney(values(['Amt', text, code]));
    assert.deepEqual(money, { amount, currency });
    if (says === null) assert.equal(why, null);
    else assert.match(why ?? '', says);
  }
  assert.match(bookedMoney(new Map()).why ?? '', /no Amt/);
});

test('charges count in the currency of the booking alone', () => {
  const rows = [
    [values(['Chrgs/Rcrd/Amt', '1.25 2.00 3.00', 'USD EUR EUR']), 500n],
    [values(['Chrgs/Rcrd/Amt', '1.25', 'USD']), null],
    [values(['Chrgs/Rcrd/Amt', '1.255', 'EUR']), null],
    [values(['Chrgs/TtlChrgsAndTaxAmt', '7.00', 'USD'], ['Chrgs/Rcrd/Amt', '6.1', 'EUR']), 610n],
  ] as const;
  for (const [found, expected] of rows) assert.equal(chargesIn(found, 'EUR'), expected);
});

test('charges that are booked apart are not within the amount', () => {
  const records = values(['Chrgs/TtlChrgsAndTaxAmt', '3.00', 'EUR'], ['Chrgs/Rcrd/Amt', '1.00 2.00', 'EUR EUR']);
  const flagged = (flags: string) => chargesIn(new Map([...records, ['Chrgs/Rcrd/ChrgInclInd', flags]]), 'EUR');
  assert.equal(flagged('true true'), 300n);
  assert.equal(flagged('true false'), 100n);
  assert.equal(flagged('0 false'), null);
  assert.equal(flagged('1 false 1'), null, 'it is not known which');
});

test('an instructed amount is the payment’s where charges explain the difference, or in another currency', () => {
  const booked = { amount: 1_500n, currency: 'EUR' };
  const grossOf = (text: string, code: string, isIn: boolean, isReturn = false) => {
    const { amount, currency, settledAmount } = sumsOf(booked, {
      detail: values(['AmtDtls/InstdAmt/Amt', text, code]),
      charges: null,
      isIn,
      isReturn,
    });
    assert.equal(settledAmount, 1_500n);
    return `${amount} ${currency}`;
  };
  assert.equal(grossOf('12.00', 'EUR', false), '1200 EUR', 'with charges');
  assert.equal(grossOf('1.00', 'EUR', false), '1500 EUR');
  assert.equal(grossOf('1.00', 'EUR', false, true), '100 EUR', 'a return');
  assert.equal(grossOf('18.00', 'EUR', false), '1500 EUR');
  assert.equal(grossOf('15.50', 'EUR', true), '1550 EUR', 'charges were kept');
  assert.equal(grossOf('0.04', 'EUR', true), '1500 EUR');
  assert.equal(grossOf('16.50', 'USD', true), '1650 USD');
  assert.equal(grossOf('16.505', 'KWD', true), '1500 EUR');
});
