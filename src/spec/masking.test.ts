import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskPayload, maskShown } from './masking.ts';
import { parameters } from './parameters.ts';
import { type Row, secrecyOf } from './row.ts';

const cases: readonly (readonly [name: string, text: string, shown: string])[] = [
  ['amount', '92.00', '92.00'],
  ['card.number', '4200000000000000', '420000***0000'],
  ['card.number', '42000000000000', '420000***0000'],
  ['card.number', '4200000000000', '***'],
  ['card.number', '4200 0000 0000 0000', '***'],
  ['tokenAccount.number', '420000000000000018', '420000***0018'],
  ['card.cvv', '123', '***'],
  ['bankAccount.iban', 'DE23100000001234567890', '***7890'],
  ['bankAccount.number', '1234567', '***'],
  ['giftCard.number', 'GIFT-12345678', '***5678'],
  ['giftCard.pin', '12345678', '***'],
  ['sender.accountNumber', '4200000000000000', '***0000'],
  ['customer.identificationDocId', 'L01X00T471', '***'],
  ['shipping.customer.identificationDocId', 'L01X00T471', '***'],
  ['applePay.paymentToken', '{"data":"x"}', '***'],
  ['threeDSecure.verificationId', 'AAACAgSRBklmQCFgMpEGAAAAAAA=', '***'],
  ['threeDSecure.deviceInfo', 'eyJhbGciOi', '***'],
  ['authentication.password', 'secret99', '***'],
  ['customParameters[order]', '10017', '10017'],
  ['card.nmuber', '4200000000000000', '***'],
  ['', 'x', '***'],
  ['__proto__', 'x', '***'],
];

for (const [name, text, shown] of cases) {
  test(`a log shows ${shown} for ${name}`, () => assert.equal(maskShown(name, text), shown));
}

test('the marks are where they must be, on moved copies too', () => {
  const marked = new Set(
    Object.entries<Row<unknown>>(parameters).flatMap(([name, { secret }]) => (secret ? [`${name}: ${secrecyOf(secret)}`] : [])),
  );
  const wanted = [
    'authentication.password: never',
    'bankAccount.iban: account',
    'bankAccount.number: account',
    'card.cvv: never',
    'card.number: pan',
    'customer.identificationDocId: hidden',
    'giftCard.number: account',
    'giftCard.pin: never',
    'recipient.accountNumber: account',
    'recipient.identificationValue: hidden',
    'sender.accountNumber: account',
    'shipping.customer.identificationDocId: hidden',
    'threeDSecure.deviceInfo: hidden',
    'threeDSecure.verificationId: never',
    'tokenAccount.cryptogram: never',
    'tokenAccount.dtvc: never',
    'tokenAccount.number: pan',
    'walletA.paymentToken: never',
    'walletB.paymentToken: never',
    'walletC.paymentToken: never',
  ];
  assert.deepEqual(
    wanted.filter((mark) => !marked.has(mark)),
    [],
  );
});

test('personal data and instruments of a payload are masked wherever they stand; every name stays', () => {
  const masked = maskPayload({
    type: 'PAYMENT',
    payload: {
      id: '1',
      amount: '92.00',
      card: { bin: '420000', last4Digits: '0000', holder: 'Ann Example', expiryMonth: '05' },
      bankAccount: { iban: 'DE89***3000', holder: 'Ann Example' },
      customer: { givenName: 'Ann', browser: { userAgent: 'Mozilla' } },
      billing: { street1: 'Market Street' },
      cart: { items: [{ name: 'Pen', giftMessage: 'for you' }, { name: 'Ink' }] },
      customParameters: { SHOPPER_order: '17' },
      redirect: { parameters: [] },
      registrationId: undefined,
      risk: { score: '0' },
    },
  });
  assert.deepEqual(masked, {
    type: 'PAYMENT',
    payload: {
      id: '1',
      amount: '92.00',
      card: { bin: '420000', last4Digits: '0000', holder: '***', expiryMonth: '***' },
      bankAccount: { iban: '***', holder: '***' },
      customer: { givenName: '***', browser: { userAgent: '***' } },
      billing: { street1: '***' },
      cart: { items: [{ name: 'Pen', giftMessage: '***' }, { name: 'Ink' }] },
      customParameters: { SHOPPER_order: '17' },
      redirect: { parameters: [] },
      registrationId: undefined,
      risk: { score: '0' },
    },
  });
});
