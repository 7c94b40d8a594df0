import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValidBIC, isValidIBAN } from 'ibantools';
import { brands } from './brands.ts';
import { detectBrand, fitsBrand, passesLuhn } from './cardRanges.ts';
import { testBankAccounts, testCards } from './testCards.ts';

test('every test card passes Luhn, fits its brand, and is there once', () => {
  for (const { brand, number } of testCards) {
    assert.ok(passesLuhn(number), number);
    assert.ok(fitsBrand(brand, number), `${brand} ${number}`);
  }
  assert.equal(new Set(testCards.map(({ number }) => number)).size, testCards.length);
});

test('every test card is detected as its brand, but for one that is Bancontact and Maestro at once', () => {
  const others = testCards.filter(({ brand, number }) => detectBrand(number) !== brand);
  assert.deepEqual(
    others.map(({ number }) => number),
    ['67034200554565015'],
  );
});

test('the big brands have a card for every way 3D Secure can go', () => {
  for (const brand of ['VISA', 'MASTER', 'AMEX']) {
    const plays = new Set(testCards.filter((card) => card.brand === brand).map(({ threeDSecure }) => threeDSecure));
    assert.equal(plays.size, 7, brand);
  }
});

test('test accounts are of brands that pay from an account, with a right IBAN and a BIC of the same country', () => {
  for (const { brand, country, iban, bic } of testBankAccounts) {
    assert.equal(brands[brand]?.account, 'bankAccount', brand);
    if (iban !== undefined) assert.ok(isValidIBAN(iban) && iban.startsWith(country), iban);
    if (bic !== undefined) assert.ok(isValidBIC(bic) && bic.slice(4, 6) === country, bic);
  }
});
