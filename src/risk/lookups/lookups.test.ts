import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { growsWithSize } from '../../../test/work.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { addressOf, networkAt, networkText } from '../normalise.ts';
import {
  type BinTable,
  createLookups,
  createSandboxLookups,
  emptyLookups,
  type NetworkTable,
  parseBins,
  parseNetworks,
} from './lookups.ts';
import { isFaulty } from './ranges.ts';

const binsIn = (text: string) => createLookups({ bins: parseBins(text) as BinTable, networks: null });
const networksIn = (text: string) => createLookups({ bins: null, networks: parseNetworks(text) as NetworkTable });
const of = (country: string | null, type: string | null = null, bank: string | null = null) => ({ country, type, bank });

const BINS = `from,to,country,type,bank
# a scheme's range, a bank's, and one product of it
400000,499999,us
420000,420999,DE,credit,"Bank, the ""first"" one"
42000050,42000059,AT,DEBIT,First\r
510000,510000,,CREDIT
52000000,52000049,FR,DEBIT,One
52000050,52000099,FR,CREDIT,Two
53000000,53000049,FR
`;

const binCases: [bin: string, expected: ReturnType<typeof of> | null][] = [
  ['400000', of('US')],
  ['499999', of('US')],
  ['500000', null],
  ['399999', null],
  ['420001', of('DE', 'CREDIT', 'Bank, the "first" one')],
  ['42000049', of('DE', 'CREDIT', 'Bank, the "first" one')],
  ['42000050', of('AT', 'DEBIT', 'First')],
  ['42000060', of('DE', 'CREDIT', 'Bank, the "first" one')],
  ['421000', of('US')],
  ['420000', of(null)],
  ['510000', of(null, 'CREDIT')],
  ['520000', of('FR')],
  ['530000', null],
  ['53000049', of('FR')],
  ['5200', null],
  ['4200000000000000', null],
  ['', null],
];
for (const [bin, expected] of binCases) {
  test(`BIN ${bin}: ${JSON.stringify(expected)}`, () => assert.deepEqual(binsIn(BINS).issuer(bin), expected));
}

const NETWORKS = `cidr,country
0.0.0.0/0,ZZ
10.0.0.0/8,US
10.1.0.0/16,DE
10.1.2.3,AT
255.255.255.255/32,FR
::ffff:172.16.0.0/108,NL
2001:db8::/32,FR
2001:db8:0:1::/64,GB
2001:db8::1,IT
ffff::/16,ES
`;

const networkCases: [ip: string, country: string | null][] = [
  ['9.255.255.255', null],
  ['10.0.0.0', 'US'],
  ['10.0.255.255', 'US'],
  ['10.1.0.0', 'DE'],
  ['10.1.2.3', 'AT'],
  [' ::ffff:10.1.2.3 ', 'AT'],
  ['::ffff:a01:204', 'DE'],
  ['10.1.2.4', 'DE'],
  ['10.2.0.0', 'US'],
  ['11.0.0.0', null],
  ['255.255.255.255', 'FR'],
  ['172.31.255.255', 'NL'],
  ['172.32.0.0', null],
  ['2001:db8::', 'FR'],
  ['2001:db8::1', 'IT'],
  ['2001:DB8::2', 'FR'],
  ['2001:db8:0:1:ffff::', 'GB'],
  ['2001:db8:0:2::', 'FR'],
  ['2001:db9::', null],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ES'],
  ['fe80::1%eth0', null],
  ['10.1.2', null],
  ['10.01.2.3', null],
  ['nowhere', null],
];
for (const [ip, country] of networkCases) {
  test(`${ip} is in ${country}`, () => assert.equal(networksIn(NETWORKS).country(ip), country));
}

const broken: [parse: typeof parseBins | typeof parseNetworks, text: string, faults: readonly string[]][] = [
  [parseBins, '42000,420000,DE', ['line 1: "42000" is not a BIN of 6 or 8 digits']],
  [parseBins, '\n4200000,420000,DE', ['line 2: "4200000" is not a BIN of 6 or 8 digits']],
  [parseBins, '4200000000000000,,DE', ['line 1: "42000000…" is not a BIN of 6 or 8 digits']],
  [parseBins, `${'ab'.repeat(32)},,DE`, ['line 1: "abababababababababababab…" is not a BIN of 6 or 8 digits']],
  [parseBins, '420000,410000,DE', ['line 1: the range begins with 420000 and ends with 410000']],
  [parseBins, '420000,420000,Germany', ['line 1: "Germany" is no country of ISO 3166-1 with two letters']],
  [parseBins, '420000,420000,DE,<b>', ['line 1: "<b>" is no type of card such as CREDIT or DEBIT']],
  [parseBins, '420000,420000', ['line 1: is not from,to,country,type,bank,level,regulated,phone,website']],
  [parseBins, '420000,420000,DE,CREDIT,"a', ['line 1: is not from,to,country,type,bank,level,regulated,phone,website']],
  [parseBins, `420000,420000,DE,,${'x'.repeat(129)}`, ['line 1: the name of the bank is longer than 128 characters']],
  [parseBins, '420000,420099,DE\n420050,420199,DE', ['line 2: overlaps line 1 without lying in it']],
  [parseBins, '420050,420199,DE\n\n420000,420099,DE', ['line 3: overlaps line 1 without lying in it']],
  [parseBins, '420000,420099,DE\n420000,420099,AT', ['line 2: is the range of line 1 with something else']],
  [parseNetworks, '10.0.0.0/33,DE', ['line 1: "10.0.0.0/33" is no network such as 192.0.2.0/24 or 2001:db8::/32']],
  [parseNetworks, '10.0.0.0/,DE', ['line 1: "10.0.0.0/" is no network such as 192.0.2.0/24 or 2001:db8::/32']],
  [parseNetworks, '10.0.0.1-10.0.0.9,DE', ['line 1: "10.0.0.1-10.0.0.9" is no network such as 192.0.2.0/24 or 2001:db8::/32']],
  [parseNetworks, '::/129,DE', ['line 1: "::/129" is no network such as 192.0.2.0/24 or 2001:db8::/32']],
  [parseNetworks, '10.0.0.0/8,EU', ['line 1: "EU" is no country of ISO 3166-1 with two letters']],
  [parseNetworks, '10.1.0.0/8,DE\n10.0.0.0/8,AT', ['line 2: is the range of line 1 with something else']],
];
for (const [parse, text, faults] of broken) {
  test(`${JSON.stringify(text.slice(0, 60))}: ${faults[0]}`, () => {
    const parsed = parse(text);
    assert.deepEqual(isFaulty(parsed) && parsed.faults, faults);
  });
}

test('of a file with errors everywhere ten lines are reported', () => {
  const parsed = parseNetworks('x,y\n'.repeat(1_000));
  assert.ok(isFaulty(parsed));
  assert.equal(parsed.faults.length, 11);
  assert.match(parsed.faults[9] as string, /^line 10: /);
  assert.equal(parsed.faults[10], 'and perhaps more');
});

test('a file is read up to a bound', () => {
  const parsed = parseBins('\n'.repeat(2_000_001));
  assert.deepEqual(isFaulty(parsed) && parsed.faults, ['has 2000002 lines, and 2000000 are the most that are read']);
});

test('an empty file knows nothing', () => {
  assert.equal(binsIn('').issuer('420000'), null);
  assert.equal(networksIn('').country('10.0.0.1'), null);
  assert.equal(emptyLookups.issuer('420000'), null);
});

/** Networks close together, so that they nest, and addresses at their edges. */
const byte = fc.constantFrom(0, 1, 127, 128, 255);
const fourText = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const sixText = fc
  .array(fc.constantFrom('0', '1', '8000', 'ffff'), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.join(':'));
const networks = fc.array(fc.tuple(fc.oneof(fourText, sixText), fc.nat(128), fc.constantFrom('DE', 'US', 'FR', 'GB')), {
  maxLength: 30,
});

test('the longest prefix wins, as if every network were looked at', () => {
  fc.assert(
    fc.property(networks, fc.array(fc.oneof(fourText, sixText), { minLength: 1, maxLength: 20 }), (given, asked) => {
      const known = new Map<string, { readonly prefix: number; readonly country: string }>();
      for (const [text, length, country] of given) {
        const address = addressOf(text);
        if (!address) continue;
        const network = networkAt(address, length % (address.bits + 1));
        const cidr = `${networkText(network).split('/')[0]}/${network.prefix}`;
        known.set(`${address.bits} ${cidr}`, { prefix: network.prefix, country });
      }
      const lookups = networksIn([...known].map(([cidr, { country }]) => `${cidr.split(' ')[1]},${country}`).join('\n'));
      for (const ip of [...asked, ...given.map(([text]) => text)]) {
        const address = addressOf(ip) as NonNullable<ReturnType<typeof addressOf>>;
        let expected: string | null = null;
        for (let prefix = 0; prefix <= address.bits; prefix += 1) {
          const cidr = `${networkText(networkAt(address, prefix)).split('/')[0]}/${prefix}`;
          expected = known.get(`${address.bits} ${cidr}`)?.country ?? expected;
        }
        assert.equal(lookups.country(ip), expected, ip);
      }
    }),
    { numRuns: 200 },
  );
});

test('of nested ranges of BINs the narrowest wins, and those that lie across each other are refused', () => {
  type Range = readonly [from: number, to: number];
  const range = fc.tuple(fc.nat(40), fc.nat(40)).map(([from, length]): Range => [from, Math.min(40, from + length)]);
  const lies = ([from, to]: Range, [outerFrom, outerTo]: Range) => outerFrom <= from && to <= outerTo;
  const fits = (one: Range, other: Range) => one[1] < other[0] || other[1] < one[0] || lies(one, other) || lies(other, one);
  const textOf = (ranges: readonly Range[]) =>
    ranges.map(([from, to], at) => `${42_000_000 + from},${42_000_000 + to},DE,,bank ${at}`).join('\n');
  fc.assert(
    fc.property(fc.uniqueArray(range, { maxLength: 12, selector: String }), (given) => {
      assert.equal(isFaulty(parseBins(textOf(given))), !given.every((one) => given.every((other) => fits(one, other))));
      const nested = given.filter((one, at) => given.slice(0, at).every((other) => fits(one, other)));
      const { issuer } = binsIn(textOf(nested));
      for (let number = 0; number <= 41; number += 1) {
        const around = nested
          .map(([from, to], at) => ({ from, to, at }))
          .filter(({ from, to }) => from <= number && number <= to);
        const inner = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0];
        assert.equal(issuer(`${42_000_000 + number}`)?.bank ?? null, inner ? `bank ${inner.at}` : null);
      }
    }),
    { numRuns: 300 },
  );
});

test('reading a hundred thousand lines costs as much as there are lines, and looking one up hardly more than among few', () => {
  const linesOf = (count: number) => {
    const four = Array.from(
      { length: count / 2 },
      (_, at) => `${1 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}.0/24,${at % 2 ? 'DE' : 'US'}`,
    );
    const six = Array.from({ length: count / 2 }, (_, at) => `2001:${(at >> 8).toString(16)}:${(at & 255).toString(16)}::/48,FR`);
    return [...four, ...six].join('\n');
  };
  const [some, many] = [linesOf(12_500), linesOf(100_000)];
  const [few, lookups] = [networksIn(some), networksIn(many)];
  const askOf = (table: typeof few) => () => {
    for (let at = 0; at < 20_000; at += 1) table.country(`${1 + (at % 3)}.${at & 255}.7.9`);
  };
  assert.equal(growsWithSize({ less: () => networksIn(some), more: () => networksIn(many), times: 8 }), null);
  assert.equal(growsWithSize({ less: askOf(few), more: askOf(lookups), times: 1 }), null);
  assert.equal(lookups.country('1.0.1.77'), 'DE');
  assert.equal(lookups.country('2001:c3:4f::1'), 'FR');
});

const TEST_BANK = { level: 'CLASSIC', isRegulated: false, phone: '+12025550100', website: 'https://bank.example' };

test('the sandbox says of the test cards what their simulated issuer says', () => {
  const { issuer } = createSandboxLookups();
  for (const { number, binCountry, type } of testCards)
    assert.deepEqual(issuer(number.slice(0, 6)), { ...of(binCountry, type, 'Turnpike Test Bank'), ...TEST_BANK }, number);
});

const examples: [ip: string, country: string | null][] = [
  ['192.0.2.1', 'DE'],
  ['198.51.100.255', 'US'],
  ['203.0.113.7', 'GB'],
  ['2001:db8::7', 'FR'],
  ['8.8.8.8', null],
];
for (const [ip, country] of examples) {
  test(`in the sandbox ${ip} is in ${country}`, () => assert.equal(createSandboxLookups().country(ip), country));
}
