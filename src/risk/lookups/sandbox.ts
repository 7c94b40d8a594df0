import { testCards } from '../../spec/testCards.ts';
import type { Lookups } from '../ports.ts';
import { isFaulty } from './csv.ts';
import { createLookups, parseBins, parseNetworks } from './lookups.ts';

/** Networks that are set apart for examples and belong to nobody. */
const NETWORKS = `
192.0.2.0/24,DE
198.51.100.0/24,US
203.0.113.0/24,GB
2001:db8::/32,FR
`;

const BIN_LENGTH = 6;

/** The BINs of the test cards, with what their issuer tells about them in an answer. */
const binsOfTestCards = (): string =>
  testCards
    .map(({ number, binCountry, type }) => `${number.slice(0, BIN_LENGTH)},${number.slice(0, BIN_LENGTH)},${binCountry},${type}`)
    .join('\n');

/** What is known in a test environment whose operator brings no tables: enough to try rules about countries. */
export function createSandboxLookups(): Lookups {
  const [bins, networks] = [parseBins(binsOfTestCards()), parseNetworks(NETWORKS)];
  if (isFaulty(bins) || isFaulty(networks)) throw new Error(`the tables of the sandbox: ${JSON.stringify([bins, networks])}`);
  return createLookups({ bins, networks });
}
