import { lookup, Resolver } from 'node:dns/promises';

export type Resolved = { readonly address: string; readonly family: number };

/** Every address of a host, as the system knows it. */
export const systemAddresses = (host: string): Promise<readonly Resolved[]> => lookup(host, { all: true });

const ASK_MS = 2_000;
const ASK_TRIES = 2;

/**
 * Every address of a host, asked for without the system's few threads: a name whose servers are silent would hold one of them for half a
 * minute, and four such names everybody else. `isInHouse`: names that only this machine or its network knows are good too. `servers`: asked
 * instead of the system's.
 */
export function createNames(isInHouse: boolean, servers?: readonly string[]): (host: string) => Promise<readonly Resolved[]> {
  const resolver = new Resolver({ timeout: ASK_MS, tries: ASK_TRIES });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    if (isInHouse && !host.includes('.')) return systemAddresses(host);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    if (found.length > 0) return found;
    if (isInHouse) return systemAddresses(host);
    throw four.status === 'rejected' ? four.reason : new Error('ENOTFOUND');
  };
}

const addresses = (settled: PromiseSettledResult<readonly string[]>, family: number): readonly Resolved[] =>
  settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
