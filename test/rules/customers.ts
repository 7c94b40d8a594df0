import { cardPayment } from '../requests.ts';
import { type Case, names, pay } from './case.ts';

const addressCases = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'].flatMap((address): Case[] => [
  {
    title: `${address}.houseNumber2 requires ${address}.houseNumber1.`,
    passes: [{ [`${address}.houseNumber1`]: '3', [`${address}.houseNumber2`]: 'b' }],
    refused: [[{ [`${address}.houseNumber2`]: 'b' }, `${address}.houseNumber1`]],
  },
  {
    title: `${address}.street2 is ignored with ${address}.houseNumber1.`,
    passes: [
      { [`${address}.houseNumber1`]: '3', [`${address}.street1`]: 'High Street', [`${address}.street2`]: 'x'.repeat(200) },
    ],
    refused: [[{ [`${address}.street1`]: 'High Street', [`${address}.street2`]: 'x'.repeat(200) }, `${address}.street2`]],
  },
]);

/** The rules of spec/rules/purchase.ts about customers. */
export const customerCases: readonly Case[] = [
  {
    title: 'The street of billing is not digits only.',
    passes: [
      { 'billing.street1': 'High Street 3' },
      { 'billing.street1': '3', 'billing.street2': 'High Street' },
      { 'billing.street2': 'High Street' },
      { 'shipping.street1': '12', 'merchant.billing.street1': '12', 'merchant.shipping.street1': '12' },
    ],
    refused: [
      [{ 'billing.street1': '12' }, 'billing.street1'],
      [{ 'billing.street1': '12', 'billing.street2': '3 4' }, 'billing.street1'],
      [{ 'billing.street2': '34' }, 'billing.street2'],
      [{ 'billing.street1': '12', 'billing.street2': 'x', 'billing.houseNumber1': '3' }, 'billing.street1'],
    ],
  },
  {
    title: 'Customer data requires the given name and surname.',
    passes: [names, { ...names, 'customer.ip': '192.0.2.1' }, { 'shipping.customer.email': 'ann@shop.example' }],
    refused: [
      [{ 'customer.email': 'ann@shop.example' }, 'customer.givenName', 'customer.surname'],
      [{ 'customer.givenName': 'Ann' }, 'customer.surname'],
      [{ 'customer.merchantCustomerId': '7', 'customer.surname': 'Example' }, 'customer.givenName'],
      [{ ...names, 'customer.surname': 'x'.repeat(51) }, 'customer.surname'],
    ],
  },
  {
    title: 'Customer data requires the given name and surname.',
    in: { ...pay, isLenient: true },
    passes: [{ 'customer.email': 'ann@shop.example' }, { 'customer.givenName': 'Ann' }],
    refused: [[{ 'customer.sex': 'X' }, 'customer.sex']],
  },
  {
    title: 'Type and number of an identity document require each other.',
    base: { ...cardPayment, ...names },
    passes: [{ 'customer.identificationDocType': 'PASSPORT', 'customer.identificationDocId': 'C01X00T478' }],
    refused: [
      [{ 'customer.identificationDocType': 'PASSPORT' }, 'customer.identificationDocId'],
      [{ 'customer.identificationDocId': 'C01X00T478' }, 'customer.identificationDocType'],
    ],
  },
  ...addressCases,
];
