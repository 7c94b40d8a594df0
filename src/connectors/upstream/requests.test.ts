import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { requestFor } from './requests.ts';

const NUMBER = '4200000000000000';
const CRYPTOGRAM = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
const context = {
  testMode: null,
  returnUrl: 'https://pay.example/v1/return/x',
  referencedId: null,
  registrationId: null,
  isStoring: false,
};
const card = {
  kind: 'card',
  bin: '420000',
  last4Digits: '0000',
  holder: 'Ann Example',
  expiryMonth: '05',
  expiryYear: '2034',
} as const;

function fieldsOf(payment: Partial<Payment>, secrets: Attempt['secrets']) {
  const made = examplePayment({ instrument: card, paymentType: 'DB', ...payment });
  return requestFor({ payment: made, secrets, referenced: null, registration: null, series: null }, context).fields;
}

test('a wallet goes under its brand with the device number and the cryptogram as proof', () => {
  const fields = fieldsOf(
    { paymentBrand: 'APPLEPAY', fields: { 'threeDSecure.eci': '05' } },
    { number: NUMBER, cryptogram: CRYPTOGRAM },
  );
  assert.equal(fields.paymentBrand, 'APPLEPAY');
  assert.equal(fields['applePay.source'], 'web');
  assert.equal(fields['card.number'], NUMBER);
  assert.equal(fields['threeDSecure.verificationId'], CRYPTOGRAM);
  assert.equal(fields['threeDSecure.eci'], '05');
  assert.equal(fields['threeDSecure.disable'], 'true');
});

test('a wallet without a cryptogram is a card of its own brand', () => {
  const fields = fieldsOf({ paymentBrand: 'GOOGLEPAY', fields: {} }, { number: NUMBER });
  assert.equal(fields.paymentBrand, 'VISA');
  assert.ok(!Object.keys(fields).some((name) => name.endsWith('.source') || name.startsWith('threeDSecure.')));
});

test('addresses and ids of the merchant stay here; the shopper comes back to this gateway', () => {
  const fields = fieldsOf(
    {
      paymentBrand: 'VISA',
      fields: {
        shopperResultUrl: 'https://shop.example/done',
        notificationUrl: 'https://shop.example/told',
        merchantMemo: 'a note for reports',
        'customParameters[SHOPPER_turnpike]': 'of the merchant',
        'card.issuer.bank': 'known by this gateway',
        'customer.email': 'ann@example.org',
      },
    },
    { number: NUMBER, cvv: '123' },
  );
  assert.equal(fields.shopperResultUrl, context.returnUrl);
  assert.equal(fields['customParameters[SHOPPER_turnpike]'], examplePayment().merchantId);
  assert.equal(fields['customer.email'], 'ann@example.org');
  for (const name of ['notificationUrl', 'merchantMemo', 'card.issuer.bank']) assert.ok(!(name in fields), name);
});
