import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversionFault, ibanOf } from './accountNumbers.ts';
import { testBankAccounts } from './cards/testCards.ts';

const accounts: readonly (readonly [country: string, bankCode: string, number: string, iban: string])[] = [
  ['DE', '10000000', '1234567890', 'DE23100000001234567890'],
  ['DE', '37040044', '532013000', 'DE89370400440532013000'],
  ['AT', '19043', '234573201', 'AT611904300234573201'],
  ['CH', '00762', '11623852957', 'CH9300762011623852957'],
  ['ES', '21000418', '0200051332', 'ES9121000418450200051332'],
  ['LI', '08810', '2324013', 'LI8608810000002324013'],
  ['NL', 'abna', '417164300', 'NL91ABNA0417164300'],
];

for (const [country, bankCode, number, iban] of accounts) {
  test(`${country} ${bankCode} ${number} is ${iban}`, () => {
    assert.equal(ibanOf({ country, bankCode, number }), iban);
  });
}

test('the accounts of the test environment can be sent by number', () => {
  const parts: Readonly<Record<string, readonly [bank: number, number: number]>> = { DE: [8, 10], AT: [5, 11], ES: [8, 10] };
  for (const { country, iban } of testBankAccounts) {
    const [bank, length] = parts[country] ?? [0, 0];
    if (bank === 0 || iban === undefined) continue;
    const [bankCode, number] = [iban.slice(4, 4 + bank), iban.slice(-length)];
    assert.equal(ibanOf({ country, bankCode, number }), iban);
  }
});

const wrong: readonly (readonly [country: string, bankCode: string, number: string, of: string | undefined])[] = [
  ['DE', '1000000', '1', 'bankCode'],
  ['DE', '1000000x', '1', 'bankCode'],
  ['DE', '10000000', '12345678901', 'number'],
  ['DE', '10000000', 'DE1', 'number'],
  ['NL', '1234', '417164300', 'bankCode'],
  ['FR', '10000', '1', undefined],
];

for (const [country, bankCode, number, of] of wrong) {
  test(`${country} ${bankCode} ${number} gives no IBAN`, () => {
    const account = { country, bankCode, number };
    assert.equal(ibanOf(account), null);
    assert.equal(conversionFault(account)?.of, of);
  });
}
