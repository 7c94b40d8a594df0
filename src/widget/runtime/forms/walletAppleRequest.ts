import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Surroundings } from '../contract.ts';
import { countryOf, type Fields, type Loose, loose, networksOf, now, partyFields, said, word, words } from './walletDevice.ts';

/** Answers to the sheet are objects since this version, which every device has had since 2017. */
const VERSION_MIN = 3;

/** Which version of Apple's sheet is spoken. */
export const versionOf = ({ version }: Loose): number => Math.max(VERSION_MIN, typeof version === 'number' ? version : 0);

/** Handed on as the page has written them. */
const plain = [
  'supportedCountries',
  'requiredBillingContactFields',
  'requiredShippingContactFields',
  'billingContact',
  'shippingContact',
  'shippingContactEditingMode',
  'shippingMethods',
  'shippingType',
  'supportsCouponCode',
  'couponCode',
  'applicationData',
];

/** What stands at the bottom of the sheet. The gateway charges what was prepared, and takes no token for another amount. */
export function totalOf({ session }: Surroundings, { wallet }: WidgetBrand, options: Loose): Loose {
  const { label, amount, ...more } = loose(now(options.total));
  return {
    type: 'final',
    ...more,
    label: word(label, word(options.displayName, wallet?.displayName ?? session.merchantName)),
    amount: String(amount ?? session.amount ?? '0.00'),
  };
}

/** The sheet as it is opened. */
export function appleRequest(around: Surroundings, brand: WidgetBrand, options: Loose): Loose {
  const lineItems = now(options.lineItems);
  return {
    ...said(options, plain),
    countryCode: countryOf(options, brand),
    currencyCode: around.session.currency ?? word(options.currencyCode, 'EUR'),
    supportedNetworks: words(options.supportedNetworks, networksOf(around, 1)),
    merchantCapabilities: words(options.merchantCapabilities, ['supports3DS']),
    total: totalOf(around, brand, options),
    ...(Array.isArray(lineItems) && { lineItems }),
  };
}

function partyOf(contact: Loose): Loose {
  const { familyName, emailAddress, phoneNumber, addressLines, locality, administrativeArea, postalCode } = contact;
  const [street1, ...others] = words(addressLines, []);
  return {
    givenName: contact.givenName,
    surname: familyName,
    email: emailAddress,
    phone: phoneNumber,
    street1,
    street2: others.join(', '),
    city: locality,
    state: administrativeArea,
    postcode: postalCode,
    country: word(contact.countryCode, '').toUpperCase(),
  };
}

/** What is sent of a payment to which the shopper has agreed. */
export function appleFields(payment: Loose, wanted: unknown): Fields {
  const token = loose(payment.token);
  const { network, type } = loose(token.paymentMethod);
  const [billing, shipping] = [partyOf(loose(payment.billingContact)), partyOf(loose(payment.shippingContact))];
  // Name, address and telephone are asked for with the delivery; a shop without one has the name on the bill.
  const customer = { ...shipping, ...(!shipping.surname && { givenName: billing.givenName, surname: billing.surname }) };
  return {
    'applePay.paymentToken': JSON.stringify(token.paymentData),
    ...(typeof network === 'string' && { 'applePay.cardNetwork': network }),
    ...(typeof type === 'string' && { 'applePay.cardType': type }),
    ...partyFields(wanted, { customer, billing, shipping }),
  };
}
