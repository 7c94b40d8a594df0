import { AN, charset, labelled, letters } from '../formats.ts';
import { countryAlpha2 } from '../isoCodes.ts';
import { row, type Section } from '../row.ts';

export const state = charset('AN 1-50, letters, digits, dot', 'A-Za-z0-9.', {
  min: 1,
  max: 50,
  sample: 'NY.4b',
  wrong: ['-', ' ', 'ü'],
});
export const postcode = letters('AN 1-16, letters and digits', 1, 16);

const forThreeDSecure = 'Required for 3D Secure version 2.';
const lenient = true;

/** Document 2, Billing address. */
export const billing = {
  'billing.street1': row('C', AN(1, 100), { lenient, note: forThreeDSecure }),
  'billing.street2': row('C', AN(1, 100), { lenient, note: 'Both street lines together must not be digits alone.' }),
  'billing.houseNumber1': row('O', AN(1, 100), {
    lenient,
    note: 'With it street1 is the bare street name and street2 is not read.',
  }),
  'billing.houseNumber2': row('O', AN(1, 100), { lenient, note: 'Only with houseNumber1.' }),
  'billing.city': row('C', AN(1, 80), { lenient, note: forThreeDSecure }),
  'billing.state': row('C', state, { lenient }),
  'billing.postcode': row('C', postcode, { lenient, note: forThreeDSecure }),
  'billing.country': row('C', labelled('A2, upper case', countryAlpha2), { note: `ISO 3166-1. ${forThreeDSecure}` }),
  'billing.normalized': row('O', AN(1, 255), { note: 'The address in its normalized form.' }),
  'billing.validationStatus': row('O', AN(1, 255), {
    note: 'Whether the address was validated and the shopper agreed to the normalized form.',
  }),
} satisfies Section['rows'];
