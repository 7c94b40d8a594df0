/** IP addresses and blocks of them (CIDR), of either version. Pages read this too, so nothing of Node is used. */

type Block = { readonly version: 4 | 6; readonly bits: bigint; readonly prefix: number };

const WIDTH = { 4: 32, 6: 128 } as const;
const FOUR = /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/;
const PREFIX = /^(?:[1-9][0-9]{0,2})$/;
/** `::ffff:0:0/96`, in which IPv4 addresses are written as IPv6. */
const MAPPED = 0xffffn;

const joined = (parts: readonly number[], width: bigint): bigint =>
  parts.reduce((sum, part) => (sum << width) | BigInt(part), 0n);

function bits4(text: string): bigint | null {
  const parts = text.split('.').map(Number);
  return FOUR.test(text) && parts.every((part) => part <= 255) ? joined(parts, 8n) : null;
}

/** The groups of one side of `::`; an IPv4 address at the very end counts as two. */
function groupsOf(text: string): readonly number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const four = parts.at(-1)?.includes('.') ? bits4(parts.pop() ?? '') : undefined;
  if (four === null || parts.some((part) => !/^[0-9a-f]{1,4}$/i.test(part))) return null;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  return four === undefined ? groups : [...groups, Number(four >> 16n), Number(four & 0xffffn)];
}

function bits6(text: string): bigint | null {
  const sides = text.split('::');
  if (sides.length > 2 || (sides.length === 2 && sides[0]?.includes('.'))) return null;
  const [head, tail] = [groupsOf(sides[0] ?? ''), sides.length === 2 ? groupsOf(sides[1] ?? '') : []];
  if (head === null || tail === null) return null;
  const left = 8 - head.length - tail.length;
  if (sides.length === 2 ? left < 1 : left !== 0) return null;
  return joined([...head, ...Array.from({ length: left }, () => 0), ...tail], 16n);
}

/** An address as a number; one of IPv4 in the form of IPv6 is one of IPv4. */
function addressBits(text: string): Pick<Block, 'version' | 'bits'> | null {
  const four = bits4(text);
  if (four !== null) return { version: 4, bits: four };
  const six = bits6(text);
  if (six === null) return null;
  return six >> 32n === MAPPED ? { version: 4, bits: six & 0xffffffffn } : { version: 6, bits: six };
}

/** A block has no bits behind its prefix: `192.0.2.7/24` may mean the network or the address. */
function blockOf(text: string): Block | null {
  const [address = '', sent, ...others] = text.split('/');
  const found = addressBits(address);
  if (found === null || others.length > 0 || (sent !== undefined && !PREFIX.test(sent))) return null;
  const width = WIDTH[found.version];
  const isMapped = found.version === 4 && address.includes(':');
  const prefix = sent === undefined ? width : Number(sent) - (isMapped ? WIDTH[6] - WIDTH[4] : 0);
  if (prefix < 1 || prefix > width) return null;
  const rest = BigInt(width - prefix);
  return (found.bits >> rest) << rest === found.bits ? { ...found, prefix } : null;
}

const written4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');

/** RFC 5952: small letters, no zeros in front, the first of the longest runs of zeros left out. */
function written6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  const runs = groups.map((_, at) => {
    const end = groups.findIndex((group, other) => other >= at && group !== '0');
    return (end === -1 ? 8 : end) - at;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const at = runs.indexOf(longest);
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + longest).join(':')}`;
}

/** An address or block in its one way of writing, such as `192.0.2.7` or `2001:db8::/32`; null when the text is neither. */
export function addressBlock(text: string): string | null {
  const block = blockOf(text);
  if (block === null) return null;
  const { version, bits, prefix } = block;
  const address = version === 4 ? written4(bits) : written6(bits);
  return prefix === WIDTH[version] ? address : `${address}/${prefix}`;
}

/** Whether an address is in one of the blocks. A text that is no address is in none. */
export function createAddressList(texts: readonly string[]): (address: string) => boolean {
  const blocks = texts.flatMap((text) => blockOf(text) ?? []);
  return (address) => {
    const found = addressBits(address);
    return (
      found !== null &&
      blocks.some(({ version, bits, prefix }) => {
        const rest = BigInt(WIDTH[version] - prefix);
        return version === found.version && bits >> rest === found.bits >> rest;
      })
    );
  };
}
