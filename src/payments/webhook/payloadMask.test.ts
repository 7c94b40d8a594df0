import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskPayload } from './payloadMask.ts';

test('what a message says of people and instruments is masked wherever it stands; the rest and every name stay', () => {
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
