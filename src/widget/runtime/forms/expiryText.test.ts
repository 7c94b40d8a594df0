import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExpiry, showExpiry } from './expiryText.ts';

const today = { year: 2026, month: 11 };

const readings: readonly (readonly [text: string, expected: string])[] = [
  ['1227', '12/2027'],
  ['0230', '02/2030'],
  ['12 / 2026', '12/2026'],
  ['12/27', '12/2027'],
  ['1/27', '01/2027'],
  ['12-2027', '12/2027'],
  ['12.27', '12/2027'],
  ['122027', '12/2027'],
  ['2027-12', '12/2027'],
  ['١٢/٢٧', '12/2027'],
  ['11/26', '11/2026'],
  ['10/26', 'expiryPastError'],
  ['1225', 'expiryPastError'],
  ['0223', 'expiryPastError'],
  ['13/27', 'expiryMonthError'],
  ['00/27', 'expiryMonthError'],
  ['13', 'expiryMonthError'],
  ['12', 'expiryShortError'],
  ['1', 'expiryShortError'],
  ['12 / 2', 'expiryShortError'],
  ['12/1999', 'expiryYearError'],
  ['', 'expiryEmptyError'],
  [' ', 'expiryEmptyError'],
  ['4200000000000091', 'expiryMonthError'],
];
for (const [text, expected] of readings)
  test(`${text || 'nothing'} is read as ${expected}`, () => {
    const read = readExpiry(text, today);
    assert.equal(typeof read === 'string' ? read : `${read.month}/${read.year}`, expected);
  });

test('a date that is not checked may be past, and must still be a date', () => {
  assert.deepEqual(readExpiry('0223', null), { month: '02', year: '2023' });
  assert.equal(readExpiry('1323', null), 'expiryMonthError');
});

/** The text after each key. */
const typings: readonly (readonly [keys: string, shown: string])[] = [
  ['1', '1'],
  ['12', '12 / '],
  ['1227', '12 / 27'],
  ['122', '12 / 2'],
  ['5', '05 / '],
  ['527', '05 / 27'],
  ['1/27', '01 / 27'],
  ['12/27', '12 / 27'],
  ['12 / 2027', '12 / 2027'],
  ['12279', '12 / 27'],
  ['0223', '02 / 23'],
];
for (const [keys, shown] of typings)
  test(`${keys} is shown as ${shown}`, () => {
    assert.equal(
      [...keys].reduce((before, key) => showExpiry(before + key, false), ''),
      shown,
    );
  });

test('the backspace passes the slash', () => {
  let text = '12 / 27';
  const steps: string[] = [];
  while (text !== '') {
    text = showExpiry(text.slice(0, -1), true);
    steps.push(text);
  }
  assert.deepEqual(steps, ['12 / 2', '12', '1', '']);
});

for (const [pasted, shown] of [
  ['12/27', '12 / 27'],
  ['12/2027', '12 / 2027'],
  ['2027-12', '12 / 27'],
] as const)
  test(`${pasted} pasted is shown as ${shown}`, () => assert.equal(showExpiry(pasted, false), shown));
