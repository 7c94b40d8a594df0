import { isIP } from 'node:net';
import { countries } from '../spec/countries.ts';
import type { Read } from './asked.ts';
import type { AReq, Phone } from './messages/message.ts';

const LINE_MAX = 50;
const NAME_MAX = 45;

/** At most so many characters; a character outside the first plane is never halved. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const short = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short;
}

/** The element with its value, or nothing. */
export const some = <Name extends string>(name: Name, value: string | null | undefined): { [Key in Name]?: string } =>
  value === undefined || value === null || value === '' ? {} : ({ [name]: value } as { [Key in Name]?: string });

const numericByCode: ReadonlyMap<string, string> = new Map(
  countries.flatMap(([alpha2, alpha3, numeric]) => [alpha2, alpha3, numeric].map((code): [string, string] => [code, numeric])),
);

/** `DE`, `DEU` or `276` → `276`. */
export const countryNumber = (code: string | undefined): string | undefined => numericByCode.get(code ?? '');

/** An address of the request. With a house number, street1 is only the street and street2 is ignored (document 2). */
export function addressOf<Prefix extends 'billAddr' | 'shipAddr'>(read: Read, from: string, prefix: Prefix) {
  const of = (name: string): string | undefined => read(`${from}.${name}`);
  const house = [of('houseNumber1'), of('houseNumber2')].filter(Boolean).join(' ');
  const line1 = [of('street1'), house].filter(Boolean).join(' ');
  const line2 = house === '' ? of('street2') : undefined;
  const state = of('state')?.replace(/^[A-Z]{2}-/, '');
  return {
    ...some(`${prefix}Line1`, cut(line1, LINE_MAX)),
    ...some(`${prefix}Line2`, line2 && cut(line2, LINE_MAX)),
    ...some(`${prefix}City`, cut(of('city') ?? '', LINE_MAX)),
    ...some(`${prefix}PostCode`, cut(of('postcode') ?? '', 16)),
    // The protocol knows subdivisions of ISO 3166-2 only; a state written out is left away.
    ...some(`${prefix}State`, state !== undefined && state.length <= 3 ? state : undefined),
    ...some(`${prefix}Country`, countryNumber(of('country'))),
  };
}

const shipped = ['street1', 'street2', 'houseNumber1', 'houseNumber2', 'city', 'postcode', 'country'] as const;

/** Whether it is shipped to where it is billed; undefined when it is not said where it is shipped. */
export function addressesMatch(read: Read): 'Y' | 'N' | undefined {
  if (read('shipping.street1') === undefined) return undefined;
  return shipped.every((name) => read(`shipping.${name}`) === read(`billing.${name}`)) ? 'Y' : 'N';
}

/** Country calling codes of one and two digits; all others have three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})/;

/** `+49 (0) 89 1234` → 49 and 891234; undefined for a number that does not tell its country. */
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

function phonesOf(read: Read): Pick<AReq, 'homePhone' | 'mobilePhone' | 'workPhone'> {
  const [homePhone, mobilePhone, workPhone] = ['phone', 'mobile', 'workPhone'].map((name) => phoneOf(read(`customer.${name}`)));
  return { ...(homePhone && { homePhone }), ...(mobilePhone && { mobilePhone }), ...(workPhone && { workPhone }) };
}

/** Who the cardholder is, as far as the request tells. */
export function cardholderOf(read: Read, holder: string | null) {
  const names = [read('customer.givenName'), read('customer.surname')].filter(Boolean).join(' ');
  const name = cut(holder ?? names, NAME_MAX);
  return {
    ...some('cardholderName', name.length >= 2 ? name : undefined),
    ...some('email', read('customer.email')),
    ...phonesOf(read),
    ...some('acctID', cut(read('customer.merchantCustomerId') ?? '', 64)),
  };
}

const DEPTHS = ['1', '4', '8', '15', '16', '24', '32', '48'];

/** A depth between two that the protocol knows is sent as the lower one; none at all as 24, which nearly every screen has. */
function colorDepthOf(text: string | undefined): string {
  const depth = Number.parseInt(text ?? '24', 10);
  return DEPTHS.findLast((known) => Number(known) <= depth) ?? '24';
}

/** What the shopper's browser is like. */
export function browserOf(read: Read, version: string) {
  const of = (name: string): string => read(`customer.browser.${name}`) ?? '';
  const ip = read('customer.ip') ?? '';
  return {
    browserAcceptHeader: of('acceptHeader'),
    browserColorDepth: colorDepthOf(read('customer.browser.screenColorDepth')),
    ...some('browserIP', isIP(ip) === 0 ? undefined : ip),
    browserJavaEnabled: of('javaEnabled') === 'true',
    // Nobody knows its screen's size without a script.
    ...(version === '2.1.0' ? {} : { browserJavascriptEnabled: true }),
    browserLanguage: of('language'),
    browserScreenHeight: of('screenHeight'),
    browserScreenWidth: of('screenWidth'),
    browserTZ: of('timezone'),
    browserUserAgent: of('userAgent'),
  };
}
