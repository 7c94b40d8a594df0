import { isIP, isIPv4 } from 'node:net';
import { isCountryAlpha2 } from '../spec/countries.ts';

/** Normal forms of the values that risk checks compare, so that equal things are equal strings. */

/** Lower case and trimmed; null when the string is no e-mail address. */
export function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase();
  const at = email.lastIndexOf('@');
  return at > 0 && at < email.length - 1 ? email : null;
}

/** The part after the last @. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Null when the string is no network address. */
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
function wordsOf(name: string): readonly string[] {
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

/** An IP address as a number. A v4-mapped v6 address is a v4 address. */
type Address = { readonly bits: 32 | 128; readonly value: bigint };

/** The leading `prefix` bits of an address, the others 0. */
export type Network = Address & { readonly prefix: number };

const MAPPED = 0xffffn;

/** Null when the string is no address. Zones (`fe80::1%eth0`) have meaning on one machine only and are not accepted. */
export function addressOf(text: string): Address | null {
  const kind = text.includes('%') ? 0 : isIP(text);
  if (kind === 4) return { bits: 32, value: fourOf(text) };
  if (kind !== 6) return null;
  const value = sixOf(text);
  return value >> 32n === MAPPED ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value };
}

function fourOf(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function sixOf(text: string): bigint {
  const dotted = text.lastIndexOf('.') === -1 ? -1 : text.lastIndexOf(':') + 1;
  const four = dotted === -1 ? 0n : fourOf(text.slice(dotted));
  const plain = dotted === -1 ? text : `${text.slice(0, dotted)}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const [front = '', back] = plain.split('::');
  const before = front === '' ? [] : front.split(':');
  const after = back === undefined || back === '' ? [] : back.split(':');
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

/** The normal form of an address, so that equal addresses are equal strings. */
export function addressText({ bits, value }: Address): string {
  const [step, count, radix, mark] = bits === 32 ? ([8n, 4, 10, '.'] as const) : ([16n, 8, 16, ':'] as const);
  const parts = Array.from({ length: count }, (_, at) => {
    return ((value >> (step * BigInt(count - 1 - at))) & ((1n << step) - 1n)).toString(radix);
  });
  return parts.join(mark);
}

/** The network of the first `prefix` bits that an address is in. */
export function networkAt({ bits, value }: Address, prefix: number): Network {
  const rest = BigInt(bits - prefix);
  return { bits, value: (value >> rest) << rest, prefix };
}

/** `10.0.0.0/8`, `2001:db8::/32`, or an address alone; null when it is neither. Bits behind the prefix are dropped. */
export function networkOf(text: string): Network | null {
  const slash = text.indexOf('/');
  const address = addressOf(slash === -1 ? text : text.slice(0, slash));
  if (!address) return null;
  if (slash === -1) return networkAt(address, address.bits);
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return null;
  // The prefix of a v4 network that is written as a v6 one counts the 96 bits in front of it.
  const written = text.slice(0, slash).includes(':') ? 128 : 32;
  const prefix = Number(digits) - (written - address.bits);
  return prefix >= 0 && prefix <= address.bits ? networkAt(address, prefix) : null;
}

export const networkText = (network: Network): string =>
  network.prefix === network.bits ? addressText(network) : `${addressText(network)}/${network.prefix}`;
