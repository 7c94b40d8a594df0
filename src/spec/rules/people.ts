import type { Rule } from './rule.ts';

const ADDRESSES = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'];

const addressRules: readonly Rule[] = ADDRESSES.flatMap((address): Rule[] => [
  {
    title: `The second house number of ${address} follows a first.`,
    when: [`${address}.houseNumber2`],
    needs: [`${address}.houseNumber1`],
  },
  {
    title: `With a house number the second street line of ${address} is not read.`,
    when: [`${address}.houseNumber1`],
    ignores: [`${address}.street2`],
  },
  {
    title: `The street of ${address} is more than digits.`,
    when: [`${address}.street1`, `${address}.street2`],
    finds: (sent) => {
      const [first, second] = [`${address}.street1`, `${address}.street2`] as const;
      const street = (sent.text(first) ?? '') + (sent.text(second) ?? '');
      if (!/^[\p{Nd}\s]+$/u.test(street)) return [];
      return [{ name: sent.has(first) ? first : second, message: 'must not be digits only' }];
    },
  },
]);

/** Document 2, customer and addresses. What the documents call optional for a shipping customer is optional. */
export const people: readonly Rule[] = [
  {
    title: 'A customer has a name.',
    when: ['customer.*'],
    isDescriptive: true,
    needs: ['customer.givenName', 'customer.surname'],
  },
  {
    title: 'A document of identity has a type and a number.',
    when: ['customer.identificationDocType', 'customer.identificationDocId'],
    needs: ['customer.identificationDocType', 'customer.identificationDocId'],
  },
  ...addressRules,
];
