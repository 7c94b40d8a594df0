import { amountOf } from '../../money/amount.ts';
import { adyenValue } from './amounts.ts';

type Fields = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** A whole number of a field; undefined when it is none. */
const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?[0-9]{1,6}$/.test(text) ? Number(text) : undefined;

/** An address counts only complete: Adyen refuses a part of one. */
function addressOf(fields: Fields, from: 'billing' | 'shipping'): Json | null {
  const read = (name: string): string | undefined => fields[`${from}.${name}`];
  const [street, city, postalCode, country] = [read('street1'), read('city'), read('postcode'), read('country')];
  if (!street || !city || !postalCode || !country || postalCode.length > 10) return null;
  const state = read('state');
  return {
    street,
    houseNumberOrName: read('houseNumber1') ?? read('street2') ?? 'N/A',
    city,
    postalCode,
    country,
    ...(state !== undefined && state.length <= 3 && { stateOrProvince: state }),
  };
}

/** What the browser told; counts only complete. The header Accept says nothing of a browser that its name does not. */
function browserInfo(fields: Fields): Json | null {
  const read = (name: string): string | undefined => fields[`customer.browser.${name}`];
  const numbers = {
    colorDepth: integer(read('screenColorDepth')) ?? 24,
    screenHeight: integer(read('screenHeight')),
    screenWidth: integer(read('screenWidth')),
    timeZoneOffset: integer(read('timezone')),
  };
  const [acceptHeader, language, userAgent] = [read('acceptHeader') || '*/*', read('language'), read('userAgent')];
  if (!language || !userAgent || Object.values(numbers).includes(undefined)) return null;
  return { ...numbers, acceptHeader, language, userAgent, javaEnabled: read('javaEnabled') === 'true' };
}

const IP = /^[0-9a-fA-F.:]{2,50}$/;
const ITEM = /^cart\.items\[([0-9]{1,4})\]\.name$/;

/** What is known about the shopper, in Adyen's words. What does not fit their limits stays away. */
export function shopperData(fields: Fields): Json {
  const read = (name: string): string | undefined => fields[`customer.${name}`];
  const [firstName, lastName, email, ip] = [read('givenName'), read('surname'), read('email'), read('ip')];
  const [billingAddress, deliveryAddress, browser] = [
    addressOf(fields, 'billing'),
    addressOf(fields, 'shipping'),
    browserInfo(fields),
  ];
  const telephoneNumber = read('mobile') ?? read('phone');
  const countryCode = fields['billing.country'] ?? fields['bankAccount.country'];
  const birthDate = read('birthDate');
  // Slips of Brazil carry the payer's tax number.
  const socialSecurityNumber = fields['customParameters[BRADESCO_cpfsacado]'];
  return {
    ...(firstName && lastName && { shopperName: { firstName, lastName } }),
    ...(email && { shopperEmail: email }),
    ...(ip && IP.test(ip) && { shopperIP: ip }),
    ...(telephoneNumber && telephoneNumber.length <= 64 && { telephoneNumber }),
    ...(countryCode && { countryCode }),
    ...(socialSecurityNumber && { socialSecurityNumber }),
    ...(birthDate && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(birthDate) && { dateOfBirth: `${birthDate}T00:00:00Z` }),
    ...(billingAddress && { billingAddress }),
    ...(deliveryAddress && { deliveryAddress }),
    ...(browser && { browserInfo: browser }),
  };
}

/** The cart; an item whose price cannot be expressed is left out with all others, because sums must agree. */
export function lineItems(fields: Fields, currency: string): readonly Json[] {
  const numbers = Object.keys(fields).flatMap((name) => ITEM.exec(name)?.[1] ?? []);
  const items = numbers.map((number) => {
    const read = (name: string): string | undefined => fields[`cart.items[${number}].${name}`];
    const price = amountOf(read('price') ?? '');
    const value = price === undefined ? undefined : adyenValue(price, currency);
    const quantity = integer(read('quantity')) ?? 1;
    const [id, description] = [read('merchantItemId') ?? number, read('name') ?? ''];
    const tax = Math.round(Number(read('tax') ?? '0') * 100);
    const taxPercentage = Number.isSafeInteger(tax) && tax > 0 ? tax : 0;
    return value === undefined ? null : { id, description, quantity, amountIncludingTax: Number(value), taxPercentage };
  });
  return items.every((item) => item !== null) ? items : [];
}
