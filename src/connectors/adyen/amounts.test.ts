import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencies } from '../../spec/currencies.ts';
import { adyenValue, amountOfValue, parseReference, referenceText } from './requests.ts';

test("amounts count in Adyen's units", () => {
  const cases: readonly (readonly [bigint, string, bigint | undefined])[] = [
    [9250n, 'EUR', 9250n],
    [9200n, 'JPY', 92n],
    [9250n, 'JPY', undefined],
    [9250n, 'KWD', 92_500n],
    [9200n, 'CLP', 9200n],
    [9200n, 'ISK', 9200n],
    [9200n, 'IDR', 92n],
    [9250n, 'IDR', undefined],
    [9200n, 'CVE', 92n],
    [9250n, 'CVE', undefined],
    [9200n, 'XXX', undefined],
    [123_456_789_012_345n, 'EUR', undefined],
  ];
  for (const [amount, currency, value] of cases) assert.equal(adyenValue(amount, currency), value, `${amount} ${currency}`);
});

test('a value of Adyen is the amount again, in every currency', () => {
  for (const currency of currencies.keys()) {
    const value = adyenValue(120_000n, currency);
    assert.equal(amountOfValue(String(value), currency), 120_000n, currency);
  }
  assert.equal(amountOfValue('92501', 'KWD'), null);
  for (const value of ['', '-1', '1.5', 'x']) assert.equal(amountOfValue(value, 'EUR'), null);
  assert.equal(amountOfValue('100', 'constructor'), null);
});

test('a reference carries payment and value, and fits', () => {
  const payment = { merchantId: 'a'.repeat(32), id: 'b'.repeat(32) };
  const text = referenceText(payment, 99_999_999_999_999n);
  assert.ok(text.length <= 80, String(text.length));
  assert.deepEqual(parseReference(text), { merchantId: payment.merchantId, paymentId: payment.id, value: '99999999999999' });
  for (const other of ['', 'order 1', `${payment.merchantId}.${payment.id}`, `${text}0`, text.toUpperCase()])
    assert.equal(parseReference(other), null, other);
});
