import assert from 'node:assert/strict';
import { BlockList, isIP, SocketAddress } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressBlock, createAddressList } from './addressBlocks.ts';

const written: readonly (readonly [text: string, as: string | null])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['128.0.0.0/1', '128.0.0.0/1'],
  ['::1', '::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
  ['64:ff9b::192.0.2.7', '64:ff9b::c000:207'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ['', null],
  ['shop.example', null],
  ['192.0.2', null],
  ['192.0.2.256', null],
  ['192.0.02.1', null],
  ['192.0.2.1 ', null],
  ['192.0.2.7/24', null],
  ['192.0.2.0/0', null],
  ['192.0.2.0/33', null],
  ['192.0.2.0/024', null],
  ['192.0.2.0/', null],
  ['192.0.2.0/24/24', null],
  ['192.0.2.0/-1', null],
  ['2001:db8::1/64', null],
  ['2001:db8::/129', null],
  ['::/0', null],
  ['::ffff:192.0.2.0/96', null],
  ['::ffff:0:0/95', null],
  ['1::2::3', null],
  [':::', null],
  ['1:2:3:4:5:6:7', null],
  ['1:2:3:4:5:6:7:8:9', null],
  ['1:2:3:4:5:6:7::8', null],
  ['12345::', null],
  ['fe80::1%eth0', null],
  ['1.2.3.4::', null],
  ['::1.2.3.4.5', null],
  ['0x7f.0.0.1', null],
  ['[::1]', null],
];
for (const [text, as] of written)
  test(`${JSON.stringify(text)} is ${as ?? 'no block'}`, () => assert.equal(addressBlock(text), as));

const four = fc.ipV4();
/** As a socket gives it, without those that hold an IPv4 address. */
const six = fc
  .ipV6()
  .map((address) => new SocketAddress({ address, family: 'ipv6' }).address)
  .filter((address) => !address.includes('.'));
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

test('an address is written as the sockets write it, in whatever way it came', () => {
  fc.assert(fc.property(four, (address) => assert.equal(addressBlock(address), address)));
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const { address } = new SocketAddress({ address: text, family: 'ipv6' });
      // Node writes some addresses of the first block with dots, as none comes from a socket.
      fc.pre(!address.includes('.'));
      assert.equal(addressBlock(text), address);
    }),
  );
});

test('whatever the text, it is read as an address exactly if Node reads one', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.% '), maxLength: 24 });
  const isAddress = (text: string) => isIP(text) !== 0 && !text.includes('%');
  fc.assert(
    fc.property(fc.oneof(letters, four, fc.ipV6()), (text) => assert.equal(addressBlock(text) !== null, isAddress(text))),
    { numRuns: 2_000 },
  );
});

test('an address is in a list exactly if it is in the list of Node', () => {
  const block = fc
    .tuple(fc.oneof(four, six), fc.integer({ min: 1, max: 128 }))
    .filter(([address, prefix]) => isIP(address) === 6 || prefix <= 32);
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), fc.oneof(four, six), fc.nat(3), (blocks, other, near) => {
      // One for each version: Node finds IPv4 addresses in short blocks of IPv6.
      const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
      const texts = blocks.flatMap(([address, prefix]) => {
        lists[familyOf(address)].addSubnet(address, prefix, familyOf(address));
        return withoutRest(address, prefix);
      });
      const holds = createAddressList(texts);
      // An address of one of the blocks, or nearly: its last bit turned.
      const asked = [other, blocks[near]?.[0], ...texts.map((text) => text.split('/')[0])].filter((one) => one !== undefined);
      for (const address of asked)
        assert.equal(holds(address), lists[familyOf(address)].check(address, familyOf(address)), `${address} in ${texts}`);
    }),
    { numRuns: 1_000 },
  );
});

test('an address of IPv4 in the form of IPv6 is one of IPv4, and what is no address is in no list', () => {
  const holds = createAddressList(['192.0.2.0/24', '2001:db8::/32']);
  assert.deepEqual(
    ['192.0.2.255', '::ffff:192.0.2.1', '2001:db8:ffff::1', '192.0.3.0', '2001:db9::', '', 'x', '192.0.2.0/24'].map(holds),
    [true, true, true, false, false, false, false, false],
  );
  assert.deepEqual(createAddressList([])('192.0.2.1'), false);
});

/** The block of this length around an address, found by turning bits behind the prefix off until the text is a block. */
function withoutRest(address: string, prefix: number): string {
  const width = isIP(address) === 6 ? 128 : 32;
  const bytes = isIP(address) === 6 ? bytes6(address) : address.split('.').map(Number);
  const kept = bytes.map((byte, at) => {
    const bits = Math.max(0, Math.min(8, prefix - at * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
  const pairs = kept.flatMap((byte, at) => (at % 2 === 0 ? [((byte << 8) | (kept[at + 1] ?? 0)).toString(16)] : []));
  return `${width === 32 ? kept.join('.') : pairs.join(':')}/${prefix}`;
}

function bytes6(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => 0);
  return [...groups(head), ...zeros, ...groups(tail)].flatMap((group) => [group >> 8, group & 0xff]);
}
