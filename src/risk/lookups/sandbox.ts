import { testCards } from '../../spec/cards/testCards.ts';
import type { Lookups } from '../ports.ts';
import { isFaulty } from './csv.ts';
import { createLookups, parseBins, parseNetworks } from './lookups.ts';

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
