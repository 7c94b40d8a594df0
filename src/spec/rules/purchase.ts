import { allowedWords } from '../formats/formats.ts';
import { type Finding, NOT_ALLOWED, type Rule, requiredWhen, type Sent } from './rule.ts';

const ADDRESSES = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'];

const addressRules: readonly Rule[] = ADDRESSES.flatMap((address): Rule[] => [
  {
    title: `${address}.houseNumber2 requires ${address}.houseNumber1.`,
    when: [`${address}.houseNumber2`],
    needs: [`${address}.houseNumber1`],
  },
  {
    title: `${address}.street2 is ignored with ${address}.houseNumber1.`,
    when: [`${address}.houseNumber1`],
    ignores: [`${address}.street2`],
  },
]);

/** Document 2, customer and addresses. Parameters that the documents call optional for a shipping customer are optional. */
export const customers: readonly Rule[] = [
  {
    title: 'Customer data requires the given name and surname.',
    when: ['customer.*'],
    notOn: ['listCustomerRegistrations'],
    isDescriptive: true,
    needs: ['customer.givenName', 'customer.surname'],
  },
  {
    title: 'Type and number of an identity document require each other.',
    when: ['customer.identificationDocType', 'customer.identificationDocId'],
    needs: ['customer.identificationDocType', 'customer.identificationDocId'],
  },
  ...addressRules,
  {
    title: 'The street of billing is not digits only.',
    when: ['billing.street1', 'billing.street2'],
    finds: (sent) => {
      const [first, second] = ['billing.street1', 'billing.street2'] as const;
      const street = (sent.text(first) ?? '') + (sent.text(second) ?? '');
      if (!/^[\p{Nd}\s]+$/u.test(street)) return [];
      return [{ name: sent.has(first) ? first : second, message: 'must not be digits only' }];
    },
  },
];

/** Sellers without goods, and goods of a seller that is not listed. */
function unmatchedSellers(sent: Sent): readonly Finding[] {
  const sellers = sent.all('marketPlace.sellers[n].id');
  const items = sent.all('cart.items[n].sellerId');
  const known = new Set(sellers.map(({ text }) => text));
  const owners = new Set(items.map(({ text }) => text));
  const nameless = sent
    .all('marketPlace.sellers[n].amount')
    .map(({ name }) => name.replace(/amount$/, 'id'))
    .filter((name) => !sent.has(name));
  return [
    ...nameless.map((name) => ({ name, message: requiredWhen(`${name.replace(/id$/, 'amount')} is sent`) })),
    ...sellers
      .filter(({ text }) => !owners.has(text))
      .map(({ name }) => ({ name, message: 'must be the sellerId of a cart item' })),
    ...items.filter(({ text }) => !known.has(text)).map(({ name }) => ({ name, message: 'must be the id of a seller' })),
  ];
}

/** Document 3, marketplace. */
export const goods: readonly Rule[] = [
  {
    title: 'Every marketplace seller has a cart item, and every sellerId is a listed seller.',
    when: ['marketPlace.*'],
    finds: unmatchedSellers,
  },
];

/** Document 3, 3D Secure. */
export const threeDSecure: readonly Rule[] = [
  {
    title: 'threeDSecure.amount and threeDSecure.currency require each other.',
    when: ['threeDSecure.amount', 'threeDSecure.currency'],
    needs: ['threeDSecure.amount', 'threeDSecure.currency'],
  },
  {
    title: 'threeDSecure.threeRIInd requires threeDSecure.channel.',
    when: ['threeDSecure.threeRIInd'],
    needs: ['threeDSecure.channel'],
  },
  {
    title: 'threeDSecure.verificationId requires threeDSecure.eci.',
    when: ['threeDSecure.verificationId'],
    needs: ['threeDSecure.eci'],
  },
  {
    title: 'Exemption and challenge indicator require 3D Secure version 2.2.',
    when: ['threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator'],
    finds: (sent) => {
      const version = sent.text('threeDSecure.version');
      if (version === undefined || !/^2\.[01]\./.test(version)) return [];
      return ['threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator']
        .filter((name) => sent.has(name))
        .map((name) => ({ name, message: 'must not be sent with threeDSecure.version below 2.2.0' }));
    },
  },
];

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
