import { channel, order } from '../requests.ts';
import { type Case, createCheckout, updateCheckout } from './case.ts';

const none = { amount: null, currency: null, paymentType: null };
const stores = { ...none, createRegistration: 'true' };

/** What is prepared for the payment widget. */
export const checkoutCases: readonly Case[] = [
  {
    title: 'A checkout that stores nothing charges something.',
    base: order,
    in: createCheckout,
    passes: [{}, stores, { ...none, createRegistration: '1' }],
    refused: [
      [none, 'amount', 'currency', 'paymentType'],
      [{ ...none, createRegistration: 'false' }, 'amount', 'currency', 'paymentType'],
    ],
  },
  {
    title: 'A checkout names amount, currency and payment type, or none of them.',
    base: { ...order, createRegistration: 'true' },
    in: createCheckout,
    passes: [{}, stores],
    refused: [
      [{ amount: null }, 'amount'],
      [{ currency: null, paymentType: null }, 'currency', 'paymentType'],
    ],
  },
  {
    title: 'A checkout is paid by PA, DB or CD.',
    base: order,
    in: createCheckout,
    passes: [{ paymentType: 'PA' }, { paymentType: 'CD' }],
    refused: [
      [{ paymentType: 'RF' }, 'paymentType'],
      [{ paymentType: 'CP' }, 'paymentType'],
    ],
  },
  {
    title: 'A brand of a checkout is paid by PA, DB or CD.',
    base: order,
    in: createCheckout,
    passes: [{ 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[PAYPAL]': 'DB' }],
    refused: [[{ 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[MASTER]': 'RV' }, 'overridePaymentType[MASTER]']],
  },
  {
    title: 'A brand keeps the payment type of its own that it got when the checkout was created.',
    base: { entityId: channel },
    in: updateCheckout,
    passes: [{}, { amount: '10.00' }],
    refused: [[{ 'overridePaymentType[VISA]': 'PA' }, 'overridePaymentType[VISA]']],
  },
  {
    title: 'A checkout follows no other payment.',
    base: order,
    in: createCheckout,
    passes: [{}],
    refused: [[{ referenceUuid: channel }, 'referenceUuid']],
  },
];
