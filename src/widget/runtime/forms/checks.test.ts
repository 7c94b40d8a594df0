import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countries } from '../../../spec/countries.ts';
import { card } from '../../../spec/parameters/accounts.ts';
import {
  bicCheck,
  birthDateCheck,
  type Check,
  emailCheck,
  giftNumberCheck,
  holderCheck,
  ibanCheck,
  isShortIban,
  looksLikeCard,
  phoneCheck,
  portuguesePhoneCheck,
  postcodeCheck,
  readExpiry,
  showExpiry,
  showIban,
  textCheck,
} from './checks.ts';
import { countryCodes } from './personFields.ts';

const birthDate = birthDateCheck('2026-11-15');

const cases: readonly (readonly [name: string, check: Check, text: string, expected: string | null])[] = [
  ['iban', ibanCheck, 'DE23100000001234567890', 'DE23100000001234567890'],
  ['iban', ibanCheck, ' de23 1000 0000 1234 5678 90 ', 'DE23100000001234567890'],
  ['iban', ibanCheck, 'DE24100000001234567890', null],
  ['iban', ibanCheck, 'DE2310000000123456789', null],
  ['iban', ibanCheck, 'AT483200000012345864', 'AT483200000012345864'],
  ['iban', ibanCheck, 'MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
  ['iban', ibanCheck, 'NO9386011117947', 'NO9386011117947'],
  ['iban', ibanCheck, 'DE٢٣100000001234567890', 'DE23100000001234567890'],
  ['iban', ibanCheck, '4200000000000091', null],
  ['bic', bicCheck, 'markdeff', 'MARKDEFF'],
  ['bic', bicCheck, 'MARKDEF1100', 'MARKDEF1100'],
  ['bic', bicCheck, 'MARKDEFF1', null],
  ['bic', bicCheck, '1ARKDEFF', null],
  ['email', emailCheck, ' ann@shop.example ', 'ann@shop.example'],
  ['email', emailCheck, 'ann@shop', null],
  ['email', emailCheck, 'ann@@shop.example', null],
  ['email', emailCheck, 'a..n@shop.example', null],
  ['email', emailCheck, 'ann.@shop.example', null],
  ['phone', phoneCheck, '+351 911 222 333', '+351 911 222 333'],
  ['phone', phoneCheck, '0171/2345678', '0171/2345678'],
  ['phone', phoneCheck, '+٣٥١٩١١٢٢٢٣٣٣', '+351911222333'],
  ['phone', phoneCheck, '12345', null],
  ['phone', phoneCheck, '+49 abc', null],
  ['phone', phoneCheck, '4200000000000091', null],
  ['a phone of Portugal', portuguesePhoneCheck, '+351 911 222 333', '351#911222333'],
  ['a phone of Portugal', portuguesePhoneCheck, '00351911222333', '351#911222333'],
  ['a phone of Portugal', portuguesePhoneCheck, '٩١١٢٢٢٣٣٣', '351#911222333'],
  ['a phone of Portugal', portuguesePhoneCheck, '351#911222333', '351#911222333'],
  ['a phone of Portugal', portuguesePhoneCheck, '211222333', null],
  ['a phone of Portugal', portuguesePhoneCheck, '+34 911 222 333', null],
  ['gift card', giftNumberCheck, ' 6035 7100-0000 0050 ', '6035710000000050'],
  ['gift card', giftNumberCheck, 'GIFT-7', 'GIFT7'],
  ['gift card', giftNumberCheck, '4200 0000 0000 0000', null],
  ['gift card', giftNumberCheck, '377777777777770', null],
  ['gift card', giftNumberCheck, '4200000000000001', '4200000000000001'],
  ['gift card', giftNumberCheck, 'x', null],
  ['gift card', giftNumberCheck, 'a!b', null],
  ['postcode', postcodeCheck, 'SW1A 1AA', 'SW1A 1AA'],
  ['postcode', postcodeCheck, '', null],
  ['postcode', postcodeCheck, '<1', null],
  ['birth date', birthDate, '31.12.1990', '1990-12-31'],
  ['birth date', birthDate, '1/2/1990', '1990-02-01'],
  ['birth date', birthDate, '01-02-1990', '1990-02-01'],
  ['birth date', birthDate, '01 02 1990', '1990-02-01'],
  ['birth date', birthDate, '01021990', '1990-02-01'],
  ['birth date', birthDate, '1990-02-01', '1990-02-01'],
  ['birth date', birthDate, '31.04.1990', null],
  ['birth date', birthDate, '29.02.2023', null],
  ['birth date', birthDate, '29.02.2024', '2024-02-29'],
  ['birth date', birthDate, '15.11.2026', null],
  ['birth date', birthDate, '31.12.1899', null],
  ['birth date', birthDate, '1990', null],
  ['holder', holderCheck(false), ' Ann  Example ', 'Ann Example'],
  ['holder', holderCheck(false), "Zoë O'Nuñez-李", "Zoë O'Nuñez-李"],
  ['holder', holderCheck(false), 'An', null],
  ['holder', holderCheck(false), '...', null],
  ['holder', holderCheck(false), '4200000000000091', null],
  ['holder', holderCheck(false), 'Ann 4200 0000 0000 0091', null],
  ['holder', holderCheck(true), '800.100.151', '800.100.151'],
  ['holder', holderCheck(false), '800.100.151', null],
  ['text', textCheck(1, 50), '4200-0000-0000-0091', null],
  ['text', textCheck(4, 128), 'Ann', null],
];

for (const [name, check, text, expected] of cases)
  test(`${name}: ${text || 'nothing'} → ${expected ?? 'not right'}`, () => assert.equal(check(text), expected));

test('a holder is right here exactly when the gateway takes it', () => {
  const { format } = card['card.holder'];
  for (const text of format.good.filter((one) => /\p{L}/u.test(one) || /\d/.test(one)))
    assert.ok(holderCheck(true)(text) !== null, text);
  for (const text of format.bad.filter((one) => one === one.trim())) assert.equal(holderCheck(true)(text), null, text);
});

test('the number of a card is recognised however it is written', () => {
  for (const text of [
    '4200000000000091',
    '4200 0000 0000 0091',
    '4200-0000-0000-0091',
    '٤٢٠٠٠٠٠٠٠٠٠٠٠٠٩١',
    'x 420000000000009 y',
  ])
    assert.ok(looksLikeCard(text), text);
  for (const text of ['Ann Example 3rd', '800.100.151', '12345678901']) assert.ok(!looksLikeCard(text), text);
});

test('the countries are those of the table', () => {
  assert.deepEqual(
    countryCodes,
    countries.map(([alpha2]) => alpha2),
  );
});

test('an account is shown in groups of four', () => {
  assert.equal(showIban('de23100000001234567890'), 'DE23 1000 0000 1234 5678 90');
});

for (const [text, isShort] of [
  ['', true],
  ['DE23 1000', true],
  ['DE2310000000123456789', true],
  ['DE24100000001234567890', false],
  ['NO938601111794', true],
  ['XX12345', true],
  ['XX123456789012345', false],
] as const)
  test(`${text || 'nothing'}: characters of an IBAN are ${isShort ? 'missing' : 'all there'}`, () => {
    assert.equal(isShortIban(text), isShort);
  });

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
