import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import type { BrowserData } from './authentication.ts';
import { cut } from './cardholder.ts';

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
