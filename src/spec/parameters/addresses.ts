import { date } from '../formats/dates.ts';
import { AN, charset, labelled, letters, lines, money13, nameLetters, oneOf, telephone, text } from '../formats/formats.ts';
import { countryAlpha2 } from '../formats/isoCodes.ts';
import { moved, NETWORK_OR_PARCEL, PHONE_OR_ARTICLE, row, type Section } from '../row.ts';

const state = charset('AN 1-50, letters, digits, dot', 'A-Za-z0-9.', {
  min: 1,
  max: 50,
  sample: 'NY.4b',
  wrong: ['-', ' ', 'ü'],
});
const postcode = letters('AN 1-16, letters and digits', 1, 16);

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

/** The telephone number of an address may be longer than the customer's. */
const addressPhone = telephone(
  'AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen',
  ' .()/-',
  [5, 25],
);

/** Document 2, Merchant billing address: billing from another of the merchant's places. */
export const merchantBilling = {
  ...moved(billing, 'billing', 'merchant.billing'),
  'merchant.billing.givenName': row('O', text, { lenient }),
  'merchant.billing.surname': row('O', text, { lenient }),
  'merchant.billing.middleName': row('O', text, { lenient }),
  'merchant.billing.companyName': row('O', AN(1, 60), { lenient }),
  'merchant.billing.phone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.workPhone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.mobile': row('O', addressPhone, { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.email': row('O', AN(6, 128), { lenient }),
} satisfies Section['rows'];

// PUDO is on the document's list although it is shorter than the format beside the list allows.
const method = oneOf('AN 5-30, upper-case letters and underscore', [
  'CARRIER_DESIGNATED_BY_CUSTOMER',
  'ELECTRONIC_DELIVERY',
  'EXPEDITED',
  'GROUND',
  'INTERNATIONAL',
  'LOWEST_COST',
  'MILITARY',
  'NEXT_DAY_OVERNIGHT',
  'OTHER',
  'POINT_PICKUP',
  'PUDO',
  'SAME_DAY_SERVICE',
  'STORE_PICKUP',
  'THREE_DAY_SERVICE',
  'TWO_DAY_SERVICE',
]);

const preferences = ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'] as const;

/** Document 2, Shipping address. */
export const shipping = {
  'shipping.street1': row('C', AN(1, 100), { lenient }),
  'shipping.street2': row('C', AN(1, 100), { lenient }),
  'shipping.houseNumber1': row('O', AN(1, 100), {
    lenient,
    note: 'With it street1 is the bare street name and street2 is not read.',
  }),
  'shipping.houseNumber2': row('O', AN(1, 100), { lenient, note: 'Only with houseNumber1.' }),
  'shipping.city': row('C', nameLetters('A 1-80', 1, 80), { lenient, note: "Letters of any script, spaces and . , ' -." }),
  'shipping.state': row('C', state, { lenient }),
  'shipping.postcode': row('C', postcode, { lenient }),
  'shipping.country': row('C', countryAlpha2, { note: 'ISO 3166-1.' }),
  'shipping.method': row('C', method, { note: 'How the goods travel.' }),
  'shipping.cost': row('C', money13, { note: 'What shipping costs in all; already part of the amount.' }),
  'shipping.comment': row('C', lines(1, 160), { lenient }),
  'shipping.expectedDate': row('O', date),
  'shipping.logisticsProvider': row('O', AN(1, 255)),
  'shipping.trackingNumber': row('O', AN(1, 255), { scan: NETWORK_OR_PARCEL }),
  'shipping.returnTrackingNumber': row('O', AN(1, 255), { scan: NETWORK_OR_PARCEL }),
  'shipping.normalized': row('O', AN(1, 255)),
  'shipping.validationStatus': row('O', AN(1, 255)),
  'shipping.warehouse': row('O', AN(1, 100), { note: 'The warehouse the order left from.' }),
  'shipping.preference': row('O', labelled(preferences.join(', '), oneOf('', preferences)), {
    note:
      "GET_FROM_FILE, the default, takes the address of the acquirer's page; NO_SHIPPING is for digital goods; " +
      "SET_PROVIDED_ADDRESS fixes the merchant's.",
  }),
  'shipping.middleName': row('O', text, { lenient }),
  'shipping.companyName': row('O', AN(1, 60), { lenient }),
  'shipping.phone': row('O', addressPhone, { scan: PHONE_OR_ARTICLE, lenient }),
  'shipping.mobile': row('O', addressPhone, { scan: PHONE_OR_ARTICLE, lenient }),
  'shipping.workPhone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'shipping.email': row('O', AN(6, 128), { lenient }),
  'shipping.type': row('O', oneOf('RETURN or SHIPMENT', ['RETURN', 'SHIPMENT'])),
} satisfies Section['rows'];

/** Excluded by document 2 from the merchant's shipping address. */
export const notOfMerchantShipping = ['merchant.shipping.customer.*'] as const;

/** Document 2, Merchant shipping address: shipping from another of the merchant's places. */
export const merchantShipping = moved(shipping, 'shipping', 'merchant.shipping') satisfies Section['rows'];
