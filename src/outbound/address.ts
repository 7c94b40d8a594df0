import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** IPv4 addresses that are not public: special-purpose ones, and internal services of clouds. */
const notPublic4 = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // An internal service of a cloud under a public address.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Public IPv6 addresses are global unicast; addresses that embed an IPv4 address or are reserved are not. */
const global6 = listOf(['2000::/3']);
const notPublic6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const loopback = listOf(['127.0.0.0/8', '::1/128']);

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address is this machine. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

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
