import { allowedWords } from '../formats.ts';
import { NOT_ALLOWED, type Rule } from './rule.ts';

const CHARGE = ['amount', 'currency', 'paymentType'];
const BEGINNINGS = ['PA', 'DB', 'CD'];

/**
 * Checkouts for the payment widget. An update is checked together with the stored parameters, as if the checkout were created with them.
 */
export const checkouts: readonly Rule[] = [
  {
    title: 'A checkout without createRegistration requires amount, currency and paymentType.',
    when: [],
    on: ['createCheckout'],
    isNot: { createRegistration: ['true', '1', 'on'] },
    needs: CHARGE,
  },
  {
    title: 'A checkout has amount, currency and paymentType, or none of them.',
    when: CHARGE,
    on: ['createCheckout'],
    needs: CHARGE,
  },
  {
    title: 'The payment type of a checkout is PA, DB or CD.',
    when: ['paymentType'],
    on: ['createCheckout', 'updateCheckout'],
    allows: { paymentType: BEGINNINGS },
  },
  {
    title: 'overridePaymentType of a checkout is PA, DB or CD.',
    when: ['overridePaymentType[brand]'],
    on: ['createCheckout'],
    finds: (sent) =>
      sent
        .all('overridePaymentType[brand]')
        .filter(({ text }) => !BEGINNINGS.includes(text))
        .map(({ name }) => ({ name, message: allowedWords(BEGINNINGS) })),
  },
  {
    title: 'overridePaymentType is allowed only when the checkout is created.',
    when: ['overridePaymentType[brand]'],
    on: ['updateCheckout'],
    refuses: 'must be sent when the checkout is created',
  },
  {
    title: 'referenceUuid is not allowed in checkouts.',
    when: ['referenceUuid'],
    on: ['createCheckout', 'updateCheckout'],
    refuses: NOT_ALLOWED,
  },
];
