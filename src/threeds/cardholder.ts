import { isIP } from 'node:net';
import { countries } from '../spec/countries.ts';
import type { ParameterReader } from './authenticationNeed.ts';
import type { AReq, Phone } from './messages/message.ts';

const LINE_MAX = 50;
const NAME_MAX = 45;

/** At most `max` characters; a surrogate pair is never split. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const short = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short;
}

/** The element with its value, or nothing. */
export const optionalElement = <Name extends string>(name: Name, value: string | null | undefined): { [Key in Name]?: string } =>
  value === undefined || value === null || value === '' ? {} : ({ [name]: value } as { [Key in Name]?: string });

const numericByCode: ReadonlyMap<string, string> = new Map(
  countries.flatMap(([alpha2, alpha3, numeric]) => [alpha2, alpha3, numeric].map((code): [string, string] => [code, numeric])),
);

/** `DE`, `DEU` or `276` → `276`. */
export const countryNumber = (code: string | undefined): string | undefined => numericByCode.get(code ?? '');

/** An address of the request. With a house number, street1 is only the street and street2 is ignored (document 2). */
export function addressOf<Prefix extends 'billAddr' | 'shipAddr'>(read: ParameterReader, from: string, prefix: Prefix) {
  const of = (name: string): string | undefined => read(`${from}.${name}`);
  const houseNumber = [of('houseNumber1'), of('houseNumber2')].filter(Boolean).join(' ');
  const line1 = [of('street1'), houseNumber].filter(Boolean).join(' ');
  const line2 = houseNumber === '' ? of('street2') : undefined;
  const state = of('state')?.replace(/^[A-Z]{2}-/, '');
  return {
    ...optionalElement(`${prefix}Line1`, cut(line1, LINE_MAX)),
    ...optionalElement(`${prefix}Line2`, line2 && cut(line2, LINE_MAX)),
    ...optionalElement(`${prefix}City`, cut(of('city') ?? '', LINE_MAX)),
    ...optionalElement(`${prefix}PostCode`, cut(of('postcode') ?? '', 16)),
    // The protocol accepts only ISO 3166-2 subdivisions; a full name is left out.
    ...optionalElement(`${prefix}State`, state !== undefined && state.length <= 3 ? state : undefined),
    ...optionalElement(`${prefix}Country`, countryNumber(of('country'))),
  };
}

const shipped = ['street1', 'street2', 'houseNumber1', 'houseNumber2', 'city', 'postcode', 'country'] as const;

/** Whether shipping and billing address are equal; undefined without a shipping address. */
export function addressesMatch(read: ParameterReader): 'Y' | 'N' | undefined {
  if (read('shipping.street1') === undefined) return undefined;
  return shipped.every((name) => read(`shipping.${name}`) === read(`billing.${name}`)) ? 'Y' : 'N';
}

/** Country calling codes of one and two digits; all others have three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})/;

/** `+49 (0) 89 1234` → 49 and 891234; undefined for a number without a country code. */
export function phoneOf(text: string | undefined): Phone | undefined {
  if (text === undefined || !/^(?:\+|00)/.test(text)) return undefined;
  const all = text
    .replace('(0)', '')
    .replaceAll(/[^0-9]/g, '')
    .replace(/^00/, '');
  const cc = CALLING_CODE.exec(all)?.[0];
  const subscriber = all.slice(cc?.length ?? 0);
  return cc !== undefined && /^[0-9]{1,15}$/.test(subscriber) ? { cc, subscriber } : undefined;
}

function phonesOf(read: ParameterReader): Pick<AReq, 'homePhone' | 'mobilePhone' | 'workPhone'> {
  const [homePhone, mobilePhone, workPhone] = ['phone', 'mobile', 'workPhone'].map((name) => phoneOf(read(`customer.${name}`)));
  return { ...(homePhone && { homePhone }), ...(mobilePhone && { mobilePhone }), ...(workPhone && { workPhone }) };
}

/** The cardholder's data in the request. */
export function cardholderOf(read: ParameterReader, holder: string | null) {
  const names = [read('customer.givenName'), read('customer.surname')].filter(Boolean).join(' ');
  const name = cut(holder ?? names, NAME_MAX);
  return {
    ...optionalElement('cardholderName', name.length >= 2 ? name : undefined),
    ...optionalElement('email', read('customer.email')),
    ...phonesOf(read),
    ...optionalElement('acctID', cut(read('customer.merchantCustomerId') ?? '', 64)),
  };
}

const DEPTHS = ['1', '4', '8', '15', '16', '24', '32', '48'];

/** The next lower depth that the protocol knows; 24 when none was sent, which nearly every screen has. */
function colorDepthOf(text: string | undefined): string {
  const depth = Number.parseInt(text ?? '24', 10);
  return DEPTHS.findLast((known) => Number(known) <= depth) ?? '24';
}

/** The shopper's browser. */
export function browserOf(read: ParameterReader, version: string) {
  const of = (name: string): string => read(`customer.browser.${name}`) ?? '';
  const ip = read('customer.ip') ?? '';
  const always = {
    browserAcceptHeader: of('acceptHeader'),
    ...optionalElement('browserIP', isIP(ip) === 0 ? undefined : ip),
    browserLanguage: of('language'),
    browserUserAgent: of('userAgent'),
  };
  // The screen size is known only when a script ran. Version 2.1.0 has no word for a browser without scripts.
  const isScripted = of('screenHeight') !== '';
  if (!isScripted && version !== '2.1.0') return { ...always, browserJavascriptEnabled: false };
  return {
    ...always,
    browserColorDepth: colorDepthOf(read('customer.browser.screenColorDepth')),
    browserJavaEnabled: of('javaEnabled') === 'true',
    ...(version === '2.1.0' ? {} : { browserJavascriptEnabled: true }),
    browserScreenHeight: of('screenHeight') || '0',
    browserScreenWidth: of('screenWidth') || '0',
    browserTZ: of('timezone') || '0',
  };
}
