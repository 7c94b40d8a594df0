import { isIPv6 } from 'node:net';

/**
 * IP addresses as words of 32 bits. Files contain hundreds of thousands of them: risk/normalise.ts, which uses bigint, takes four times as
 * long.
 */

const DOT = 46;
const COLON = 58;
const ZERO = 48;
const MAPPED = 0xffff;

/** The word of a dotted v4 address between two positions of a text; -1 when it is none. */
function fourIn(text: string, from: number, to: number): number {
  let [value, part, digits, dots] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0) return -1;
      value = value * 256 + part;
      [part, digits] = [0, 0];
      dots += 1;
      continue;
    }
    // Some parsers read a leading zero as octal.
    if (code < ZERO || code > ZERO + 9 || (digits > 0 && part === 0)) return -1;
    part = part * 10 + code - ZERO;
    digits += 1;
    if (part > 255) return -1;
  }
  return dots === 3 && digits > 0 ? value * 256 + part : -1;
}

const digitOf = (code: number): number => (code <= ZERO + 9 ? code - ZERO : (code & 0x5f) - 55);

/** Writes the eight groups of a valid v6 address. */
function sixInto(text: string, groups: Uint16Array): void {
  groups.fill(0);
  let [count, gap, group, digits] = [0, -1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      const four = fourIn(text, at - digits, text.length);
      groups[count] = four >>> 16;
      groups[count + 1] = four & 0xffff;
      [count, digits] = [count + 2, 0];
      break;
    }
    if (code !== COLON) {
      group = group * 16 + digitOf(code);
      digits += 1;
      continue;
    }
    if (digits > 0) groups[count++] = group;
    [group, digits] = [0, 0];
    if (text.charCodeAt(at + 1) === COLON) gap = count;
  }
  if (digits > 0) groups[count++] = group;
  if (gap === -1 || count === 8) return;
  groups.copyWithin(8 - (count - gap), gap, count);
  groups.fill(0, gap, 8 - (count - gap));
}

/** Parses addresses into one shared buffer: copy the words before the next call. */
export type AddressReader = {
  readonly words: Uint32Array;
  /** The number of bits of the address in `words`; 0 when the text is no address. A v4-mapped v6 address has 32. */
  read(text: string): 0 | 32 | 128;
};

export function createAddressReader(): AddressReader {
  const words = new Uint32Array(4);
  const groups = new Uint16Array(8);
  return {
    words,
    read(text) {
      const four = fourIn(text, 0, text.length);
      if (four !== -1) {
        words[0] = four;
        return 32;
      }
      if (!isIPv6(text) || text.includes('%')) return 0;
      sixInto(text, groups);
      for (let at = 0; at < 4; at += 1) words[at] = (groups[2 * at] as number) * 65_536 + (groups[2 * at + 1] as number);
      if (words[0] !== 0 || words[1] !== 0 || words[2] !== MAPPED) return 128;
      words[0] = words[3] as number;
      return 32;
    },
  };
}

/** The prefix length after the slash; -1 when it is invalid for the address; `bits` without a slash. */
export function prefixOf(text: string, slash: number, bits: 32 | 128): number {
  if (slash === -1) return bits;
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return -1;
  // The prefix of a v4 network that is written as a v6 one counts the 96 bits in front of it.
  const written = text.lastIndexOf(':', slash) === -1 ? 32 : 128;
  const prefix = Number(digits) - (written - bits);
  return prefix >= 0 && prefix <= bits ? prefix : -1;
}

/** The first and the last address of a network. */
export function spanOf(words: Uint32Array, bits: 32 | 128, prefix: number): readonly [from: Uint32Array, to: Uint32Array] {
  const [from, to] = [words.slice(0, bits / 32), words.slice(0, bits / 32)];
  for (let at = 0; at < from.length; at += 1) {
    const own = Math.max(0, Math.min(32, prefix - 32 * at));
    const rest = own === 0 ? 0xffffffff : 2 ** (32 - own) - 1;
    from[at] = (from[at] as number) & ~rest;
    to[at] = (to[at] as number) | rest;
  }
  return [from, to];
}
