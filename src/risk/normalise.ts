import { isIPv4 } from 'node:net';
import { isCountryAlpha2 } from '../spec/countries.ts';
import { addressOf, addressText, networkAt, networkText } from './address.ts';

/** How the values that risk checks compare are written, so that one thing has one text. */

/** Lower case, no blanks around it; null when it is no e-mail address. */
export function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase();
  const at = email.lastIndexOf('@');
  return at > 0 && at < email.length - 1 ? email : null;
}

/** What stands behind the last @. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Null when the text is no network address. */
export function ipOf(text: string): string | null {
  const trimmed = text.trim();
  // What is a v4 address at all is written in its one form already.
  if (isIPv4(trimmed)) return trimmed;
  const address = addressOf(trimmed);
  return address && addressText(address);
}

/** Whom an address stands for when attempts are counted: one v4 address, or one v6 network of /64, which a single line is given. */
export function ipHolder(ip: string): string {
  if (!ip.includes(':')) return ip;
  const address = addressOf(ip);
  return address ? networkText(networkAt(address, 64)) : ip;
}

/** ISO 3166-1 alpha-2 in upper case; null for anything else. */
export function countryOf(text: string): string | null {
  const country = text.trim().toUpperCase();
  return isCountryAlpha2(country) ? country : null;
}

/** Digits and a leading +; null when there are none. */
export function phoneOf(text: string): string | null {
  const digits = text.replace(/[^0-9]/g, '');
  if (digits === '') return null;
  return text.trim().startsWith('+') ? `+${digits}` : digits;
}

/** The words of a name without accents, case and marks, in order. */
export function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/**
 * Whether the name on a card can be the customer's: every word of the surname is in it, and the first given name or its first letter.
 * Order does not count. Null when one of them has no letters.
 */
export function isSamePerson(holder: string, givenName: string, surname: string): boolean | null {
  const [own, family, given] = [wordsOf(holder), wordsOf(surname), wordsOf(givenName)[0]];
  if (own.length === 0 || family.length === 0 || given === undefined) return null;
  const isGiven = own.some((word) => word === given || (word.length === 1 && given.startsWith(word)));
  return isGiven && family.every((word) => own.includes(word));
}
