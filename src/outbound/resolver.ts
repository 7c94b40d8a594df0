import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { readonly address: string; readonly family: number };

/** Every address of a host by the system's resolver. */
export const systemAddresses = (host: string): Promise<readonly ResolvedAddress[]> => lookup(host, { all: true });

const ASK_MS = 2_000;
const ASK_TRIES = 2;

/**
 * Resolves hosts without libuv's thread pool: a name whose servers do not answer would block one of its four threads for half a minute.
 * `usesSystem`: names that only this machine or its network knows resolve too. `servers`: used instead of the system's.
 */
export function createResolver(
  usesSystem: boolean,
  servers?: readonly string[],
): (host: string) => Promise<readonly ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: ASK_MS, tries: ASK_TRIES });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    if (usesSystem && !host.includes('.')) return systemAddresses(host);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    if (found.length > 0) return found;
    if (usesSystem) return systemAddresses(host);
    throw four.status === 'rejected' ? four.reason : new Error('ENOTFOUND');
  };
}

const addresses = (settled: PromiseSettledResult<readonly string[]>, family: number): readonly ResolvedAddress[] =>
  settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
