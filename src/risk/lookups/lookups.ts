import { testCards } from '../../spec/cards/testCards.ts';
import { isCountryAlpha2 } from '../../spec/countries.ts';
import type { Issuer } from '../facts.ts';
import type { Lookups } from '../ports.ts';
import {
  createAddressReader,
  createRangesBuilder,
  type FileFaults,
  isFaulty,
  linesOf,
  NOTHING,
  prefixOf,
  type Ranges,
  type RangesBuilder,
  readRows,
  shown,
  spanOf,
} from './ranges.ts';

/** The issuer of a BIN and the country of an IP address, from tables of ranges that the operator provides. */

export type BinTable = { readonly ranges: Ranges; readonly issuers: readonly Issuer[] };
export type NetworkTable = { readonly four: Ranges; readonly six: Ranges; readonly countries: readonly (string | null)[] };

export const emptyLookups: Lookups = { issuer: () => null, country: () => null };

/** User-assigned codes of ISO 3166-1: such a range has no known country. */
const NO_COUNTRY = /^(?:|AA|Q[M-Z]|X[A-Z]|ZZ)$/;
const BANK_MAX = 128;

/** Gives equal values one number. */
function createNumbering<Value>() {
  const values: Value[] = [];
  const numbers = new Map<string, number>();
  return {
    values,
    of(key: string, value: () => Value): number {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, values.length);
      return values.push(value()) - 1;
    },
  };
}

const countryIn = (text: string): string | null | undefined => {
  const country = text.toUpperCase();
  return isCountryAlpha2(country) ? country : NO_COUNTRY.test(country) ? null : undefined;
};

const noCountry = (text: string): string => `${shown(text)} is no country of ISO 3166-1 with two letters`;

/** Builds the ranges, or returns the line numbers of two ranges that conflict. */
function buildRanges(builder: RangesBuilder, lines: readonly number[]): Ranges | FileFaults {
  const built = builder.build();
  if (built.is === 'ranges') return built;
  const { at, with: other, is } = built;
  const [first, second] = [lines[at] ?? 0, lines[other] ?? 0].sort((one, next) => one - next) as [number, number];
  const says = is === 'same' ? `is the range of line ${first} with something else` : `overlaps line ${first} without lying in it`;
  return { faults: [`line ${second}: ${says}`] };
}

/** A copy of its own: JSON.stringify takes three times as long for a slice of the file. */
const copied = (text: string): string => Buffer.from(text).toString();

const BIN = /^[0-9]{6}(?:[0-9]{2})?$/;
const TYPE = /^[A-Z][A-Z _-]{0,31}$/;

/**
 * Lines of `from,to,country,type,bank,level,regulated,phone,website`: the first and last BIN of a range, of 6 or 8 digits; what follows the
 * country may be left out.
 */
export function parseBins(text: string): BinTable | FileFaults {
  const issuers = createNumbering<Issuer>();
  const builder = createRangesBuilder(1, linesOf(text));
  const lines: number[] = [];
  const faults = readRows(text, {
    columns: ['from', 'to', 'country', 'type', 'bank', 'level', 'regulated', 'phone', 'website'],
    needed: 3,
    take([from = '', to = '', code = '', kind = '', ...rest], line) {
      const wrong = [from, to].find((bin) => !BIN.test(bin));
      if (wrong !== undefined) return `${shown(wrong)} is not a BIN of 6 or 8 digits`;
      const [first, last] = [Number(from.padEnd(8, '0')), Number(to.padEnd(8, '9'))];
      if (first > last) return `the range begins with ${from} and ends with ${to}`;
      const [country, type] = [countryIn(code), kind.toUpperCase()];
      if (country === undefined) return noCountry(code);
      if (type !== '' && !TYPE.test(type)) return `${shown(kind)} is no type of card such as CREDIT or DEBIT`;
      const [bank = '', level = '', regulated = '', phone = '', website = ''] = rest;
      if (bank.length > BANK_MAX) return `the name of the bank is longer than ${BANK_MAX} characters`;
      const long = [level, phone, website].find((text) => text.length > BANK_MAX);
      if (long !== undefined) return `${shown(long)} is longer than ${BANK_MAX} characters`;
      if (!['', 'true', 'false'].includes(regulated)) return `${shown(regulated)} is neither true nor false`;
      const value = issuers.of(`${country} ${type},${rest.join()}`, () => ({
        country: country && copied(country),
        type: copied(type) || null,
        bank: copied(bank) || null,
        ...(level && { level: copied(level) }),
        ...(regulated && { isRegulated: regulated === 'true' }),
        ...(phone && { phone: copied(phone) }),
        ...(website && { website: copied(website) }),
      }));
      builder.add([first], [last], value);
      lines.push(line);
      return null;
    },
  });
  const ranges = faults.length > 0 ? { faults } : buildRanges(builder, lines);
  return isFaulty(ranges) ? ranges : { ranges, issuers: issuers.values };
}

/** Lines of `cidr,country`. */
export function parseNetworks(text: string): NetworkTable | FileFaults {
  const countries = createNumbering<string | null>();
  const rangesMax = linesOf(text);
  const built = {
    32: { builder: createRangesBuilder(1, rangesMax), lines: [] as number[] },
    128: { builder: createRangesBuilder(4, rangesMax), lines: [] as number[] },
  };
  const reader = createAddressReader();
  const faults = readRows(text, {
    columns: ['cidr', 'country'],
    needed: 2,
    take([cidr = '', code = ''], line) {
      const slash = cidr.indexOf('/');
      const bits = reader.read(slash === -1 ? cidr : cidr.slice(0, slash));
      const prefix = bits === 0 ? -1 : prefixOf(cidr, slash, bits);
      if (bits === 0 || prefix === -1) return `${shown(cidr)} is no network such as 192.0.2.0/24 or 2001:db8::/32`;
      const country = countryIn(code);
      if (country === undefined) return noCountry(code);
      const [from, to] = spanOf(reader.words, bits, prefix);
      built[bits].builder.add(
        from,
        to,
        countries.of(`${country}`, () => country),
      );
      built[bits].lines.push(line);
      return null;
    },
  });
  if (faults.length > 0) return { faults };
  const [four, six] = [buildRanges(built[32].builder, built[32].lines), buildRanges(built[128].builder, built[128].lines)];
  if (isFaulty(four)) return four;
  return isFaulty(six) ? six : { four, six, countries: countries.values };
}

const ASKED = /^[0-9]{6,8}$/;

/** The data that all issuers under this BIN have in common: a BIN of six digits may be split among several. */
function issuerIn({ ranges, issuers }: BinTable, bin: string): Issuer | null {
  if (!ASKED.test(bin)) return null;
  const last = Number(bin.padEnd(8, '9'));
  let piece = ranges.pieceOf([Number(bin.padEnd(8, '0'))]);
  let common = issuers[ranges.valueOf(piece)] ?? null;
  for (piece += 1; common !== null && ranges.startOf(piece) <= last; piece += 1) {
    const value = ranges.valueOf(piece);
    common = value === NOTHING ? null : shared(common, issuers[value] as Issuer);
  }
  return common;
}

const shared = (one: Issuer, other: Issuer): Issuer => ({
  country: one.country === other.country ? one.country : null,
  type: one.type === other.type ? one.type : null,
  bank: one.bank === other.bank ? one.bank : null,
  ...(one.level !== undefined && one.level === other.level && { level: one.level }),
  ...(one.isRegulated !== undefined && one.isRegulated === other.isRegulated && { isRegulated: one.isRegulated }),
  ...(one.phone !== undefined && one.phone === other.phone && { phone: one.phone }),
  ...(one.website !== undefined && one.website === other.website && { website: one.website }),
});

/** One payment asks for its issuer several times, one right after the other. */
function createIssuerLookup(bins: BinTable): Lookups['issuer'] {
  let last: { readonly bin: string; readonly issuer: Issuer | null } = { bin: '', issuer: null };
  return (bin) => {
    if (bin !== last.bin) last = { bin, issuer: issuerIn(bins, bin) };
    return last.issuer;
  };
}

/** Lookups in these tables; null when the operator provides none. */
export function createLookups({
  bins,
  networks,
}: {
  readonly bins: BinTable | null;
  readonly networks: NetworkTable | null;
}): Lookups {
  const reader = createAddressReader();
  return {
    issuer: bins === null ? emptyLookups.issuer : createIssuerLookup(bins),
    country:
      networks === null
        ? emptyLookups.country
        : (ip) => {
            const bits = reader.read(ip.trim());
            if (bits === 0) return null;
            const ranges = bits === 32 ? networks.four : networks.six;
            return networks.countries[ranges.valueOf(ranges.pieceOf(reader.words))] ?? null;
          },
  };
}

/** Networks reserved for documentation. */
const NETWORKS = `
192.0.2.0/24,DE
198.51.100.0/24,US
203.0.113.0/24,GB
2001:db8::/32,FR
`;

const BIN_LENGTH = 6;

/** The BINs of the test cards with country and type of their issuer. */
const binsOfTestCards = (): string =>
  testCards
    .map(({ number, binCountry, type }) => [
      number.slice(0, BIN_LENGTH),
      number.slice(0, BIN_LENGTH),
      binCountry,
      type,
      ...ISSUER,
    ])
    .join('\n');

/** The bank that issues the test cards: name, level, whether fees are regulated, telephone and website. */
const ISSUER = ['Turnpike Test Bank', 'CLASSIC', 'false', '+12025550100', 'https://bank.example'];

/** Lookups of a test environment without the operator's tables: enough to test rules about countries. */
export function createSandboxLookups(): Lookups {
  const [bins, networks] = [parseBins(binsOfTestCards()), parseNetworks(NETWORKS)];
  if (isFaulty(bins) || isFaulty(networks)) throw new Error(`the tables of the sandbox: ${JSON.stringify([bins, networks])}`);
  return createLookups({ bins, networks });
}
