import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { type JsonObject, memberOf, tokenObject } from '../wallets/text.ts';
import type { BrowserData } from './authentication.ts';
import { cut } from './cardholder.ts';

/** The shopper's device: a browser, from its request and a form, or an app, from its SDK. */

const HEADER_MAX = 2_048;
const LANGUAGE_MAX = 8;
const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;
const PIXELS = /^[0-9]{1,6}$/;
const MINUTES = /^[+-]?[0-9]{1,4}$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header without control characters and card numbers; it is stored with the payment. */
function headerOf(headers: Headers, name: string, otherwise: string): string {
  const text = String(headers[name] ?? '').replace(/[^\x20-\x7e]/g, '');
  return cut(maskCardNumbers(text, { isStrict: true }).trim(), HEADER_MAX) || otherwise;
}

/** A tag that is too long for the protocol is shortened to its language. */
function languageOf(sent: string | undefined, headers: Headers): string {
  const accepted =
    String(headers['accept-language'] ?? '')
      .split(/[,;]/, 1)[0]
      ?.trim() ?? '';
  const tag = [sent ?? '', accepted].find((text) => LANGUAGE.test(text)) ?? 'en';
  return tag.length <= LANGUAGE_MAX ? tag : (tag.split('-', 1)[0] ?? 'en');
}

/** The screen and the time zone; nothing when one of them is missing or wrong: then no script ran. */
function screenOf(fields: ReadonlyMap<string, string>): BrowserData {
  const of = (name: string): string => fields.get(name) ?? '';
  if (!PIXELS.test(of('screenHeight')) || !PIXELS.test(of('screenWidth')) || !MINUTES.test(of('timezone'))) return {};
  return {
    'customer.browser.screenHeight': of('screenHeight'),
    'customer.browser.screenWidth': of('screenWidth'),
    'customer.browser.timezone': of('timezone'),
    'customer.browser.javaEnabled': String(of('javaEnabled') === 'true'),
    ...(/^[0-9]{1,2}$/.test(of('screenColorDepth')) && { 'customer.browser.screenColorDepth': of('screenColorDepth') }),
  };
}

/** The browser data from the form of `browserHostPage` and the headers of its request. A browser may send anything. */
export function browserDataOf(fields: ReadonlyMap<string, string>, headers: Headers): BrowserData {
  return {
    'customer.browser.acceptHeader': headerOf(headers, 'accept', '*/*'),
    'customer.browser.userAgent': headerOf(headers, 'user-agent', 'unknown'),
    'customer.browser.language': languageOf(fields.get('language'), headers),
    ...screenOf(fields),
  };
}

/** The device data of an app's SDK, in the element names of the protocol. */
type Device = {
  readonly sdkAppID: string;
  readonly sdkEncData: string;
  readonly sdkEphemPubKey: JsonObject;
  readonly sdkReferenceNumber: string;
  readonly sdkTransID: string;
  readonly sdkMaxTimeout: string;
};

const TIMEOUT_MINUTES = '05';

/** Element names differ between SDKs. */
const names = {
  sdkAppID: ['sdkAppID', 'sdkAppId'],
  sdkEncData: ['sdkEncData', 'deviceData', 'sdkEncryptedData'],
  sdkEphemPubKey: ['sdkEphemPubKey', 'sdkEphemeralPublicKey'],
  sdkReferenceNumber: ['sdkReferenceNumber'],
  sdkTransID: ['sdkTransID', 'sdkTransId', 'sdkTransactionID', 'sdkTransactionId'],
  sdkMaxTimeout: ['sdkMaxTimeout'],
} as const;

/** Reads `threeDSecure.deviceInfo`, JSON or base64 of JSON; null when it is not what an SDK returns. */
export function deviceOf(deviceInfo: string): Device | null {
  const object = tokenObject(deviceInfo);
  if (object === null) return null;
  const member = (key: keyof typeof names): unknown =>
    names[key].map((name) => memberOf(object, name)).find((value) => value !== undefined);
  const text = (key: keyof typeof names): string => {
    const value = member(key);
    return typeof value === 'string' ? value : '';
  };
  const key = keyOf(member('sdkEphemPubKey'));
  const device = {
    sdkAppID: text('sdkAppID'),
    sdkEncData: text('sdkEncData'),
    sdkReferenceNumber: text('sdkReferenceNumber'),
    sdkTransID: text('sdkTransID'),
    sdkMaxTimeout: text('sdkMaxTimeout') || TIMEOUT_MINUTES,
  };
  return key === null || Object.values(device).includes('') ? null : { ...device, sdkEphemPubKey: key };
}

/** A public key as an object, or as its JSON. */
function keyOf(value: unknown): JsonObject | null {
  if (typeof value === 'string') return tokenObject(value);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
