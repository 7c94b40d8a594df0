import { allowedWords } from '../formats.ts';
import type { Rule } from './rule.ts';

const CHARGE = ['amount', 'currency', 'paymentType'];
const BEGINNINGS = ['PA', 'DB', 'CD'];

/** What is prepared for the payment widget. An update is held against what the whole has become, as if it were created so. */
export const checkouts: readonly Rule[] = [
  {
    title: 'A checkout that stores nothing charges something.',
    when: [],
    on: ['createCheckout'],
    isNot: { createRegistration: ['true', '1', 'on'] },
    needs: CHARGE,
  },
  {
    title: 'A checkout names amount, currency and payment type, or none of them.',
    when: CHARGE,
    on: ['createCheckout'],
    needs: CHARGE,
  },
  {
    title: 'A checkout is paid by PA, DB or CD.',
    when: ['paymentType'],
    on: ['createCheckout', 'updateCheckout'],
    allows: { paymentType: BEGINNINGS },
  },
  {
    title: 'A brand of a checkout is paid by PA, DB or CD.',
    when: ['overridePaymentType[brand]'],
    on: ['createCheckout'],
    finds: (sent) =>
      sent
        .all('overridePaymentType[brand]')
        .filter(({ text }) => !BEGINNINGS.includes(text))
        .map(({ name }) => ({ name, message: allowedWords(BEGINNINGS) })),
  },
  {
    title: 'A brand keeps the payment type of its own that it got when the checkout was created.',
    when: ['overridePaymentType[brand]'],
    on: ['updateCheckout'],
    refuses: 'must be sent when the checkout is created',
  },
  {
    title: 'A checkout follows no other payment.',
    when: ['referenceUuid'],
    on: ['createCheckout', 'updateCheckout'],
    refuses: 'is not an allowed parameter',
  },
];
