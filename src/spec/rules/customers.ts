import type { Rule } from './rule.ts';

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

/** Document 2, customer and addresses. What the documents call optional for a shipping customer is optional. */
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
