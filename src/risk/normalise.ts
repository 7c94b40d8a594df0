import { isIPv4 } from 'node:net';
import { isCountryAlpha2 } from '../spec/countries.ts';
import { addressOf, addressText, networkAt, networkText } from './address.ts';

/** Normal forms of the values that risk checks compare, so that equal things have equal texts. */

/** Lower case and trimmed; null when the text is no e-mail address. */
export function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase();
  const at = email.lastIndexOf('@');
  return at > 0 && at < email.length - 1 ? email : null;
}

/** The part after the last @. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Null when the text is no network address. */
export function ipOf(text: string): string | null {
  const trimmed = text.trim();
  // isIPv4 accepts only the normal form.
  if (isIPv4(trimmed)) return trimmed;
  const address = addressOf(trimmed);
  return address && addressText(address);
}

/** The unit in which attempts by address are counted: one v4 address, or the v6 network of /64 that a single subscriber gets. */
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
