import { isIP } from 'node:net';

/** An IP address as a number. A v4-mapped v6 address is a v4 address. */
export type Address = { readonly bits: 32 | 128; readonly value: bigint };

/** The leading `prefix` bits of an address, the others 0. */
export type Network = Address & { readonly prefix: number };

const MAPPED = 0xffffn;

/** Null when the text is no address. Zones (`fe80::1%eth0`) have meaning on one machine only and are not accepted. */
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

/** The normal form of an address, so that equal addresses are equal texts. */
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
