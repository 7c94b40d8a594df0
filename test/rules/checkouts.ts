import { channel, order } from '../requests.ts';
import { type Case, createCheckout, updateCheckout } from './case.ts';

const none = { amount: null, currency: null, paymentType: null };
const stores = { ...none, createRegistration: 'true' };

/** What is prepared for the payment widget. */
export const checkoutCases: readonly Case[] = [
  {
    title: 'A checkout without createRegistration requires amount, currency and paymentType.',
    base: order,
    in: createCheckout,
    passes: [{}, stores, { ...none, createRegistration: '1' }],
    refused: [
      [none, 'amount', 'currency', 'paymentType'],
      [{ ...none, createRegistration: 'false' }, 'amount', 'currency', 'paymentType'],
    ],
  },
  {
    title: 'A checkout has amount, currency and paymentType, or none of them.',
    base: { ...order, createRegistration: 'true' },
    in: createCheckout,
    passes: [{}, stores],
    refused: [
      [{ amount: null }, 'amount'],
      [{ currency: null, paymentType: null }, 'currency', 'paymentType'],
    ],
  },
  {
    title: 'The payment type of a checkout is PA, DB or CD.',
    base: order,
    in: createCheckout,
    passes: [{ paymentType: 'PA' }, { paymentType: 'CD' }],
    refused: [
      [{ paymentType: 'RF' }, 'paymentType'],
      [{ paymentType: 'CP' }, 'paymentType'],
    ],
  },
  {
    title: 'overridePaymentType of a checkout is PA, DB or CD.',
    base: order,
    in: createCheckout,
    passes: [{ 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[PAYPAL]': 'DB' }],
    refused: [[{ 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[MASTER]': 'RV' }, 'overridePaymentType[MASTER]']],
  },
  {
    title: 'overridePaymentType is allowed only when the checkout is created.',
    base: { entityId: channel },
    in: updateCheckout,
    passes: [{}, { amount: '10.00' }],
    refused: [[{ 'overridePaymentType[VISA]': 'PA' }, 'overridePaymentType[VISA]']],
  },
  {
    title: 'referenceUuid is not allowed in checkouts.',
    base: order,
    in: createCheckout,
    passes: [{}],
    refused: [[{ referenceUuid: channel }, 'referenceUuid']],
  },
];
