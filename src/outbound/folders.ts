import { isIP } from 'node:net';
import type { FolderAddress } from '../spec/remoteFolder.ts';
import { createResolver, isLoopback, isPublic, type ResolvedAddress, systemAddresses } from './address.ts';
import type { OpenFolder } from './folder.ts';

export type FolderOptions = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** `loopback`: this machine may be reached too. For tests. */
  readonly reach?: 'public' | 'loopback';
  /** Hosts inside the operator's network that may be reached too. */
  readonly privateHosts?: readonly string[];
  /** Resolves a host to all its addresses; by default with DNS. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
};

/**
 * Opens remote folders. A host is resolved once and all its addresses are checked; every connection goes to a checked address, also the
 * data connections of FTP.
 */
export function createFolders({ timers, reach = 'public', privateHosts = [], resolve }: FolderOptions): OpenFolder {
  const allowsLoopback = reach === 'loopback';
  const mayReach = (address: string): boolean => isPublic(address) || (allowsLoopback && isLoopback(address));
  const addressesOf = resolve ?? createResolver(allowsLoopback);
  const pin = async ({ host, port }: FolderAddress): Promise<string> => {
    const family = isIP(host);
    const isNamed = privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`);
    const find = isNamed && !resolve ? systemAddresses : addressesOf;
    const addresses = family === 0 ? await find(host) : [{ address: host, family }];
    const [first] = addresses;
    if (!first || !(isNamed || addresses.every(({ address }) => mayReach(address))))
      throw new Error('the host is not a public one');
    return first.address;
  };
  return async (address, secret, bounds) => {
    const pinned = await timers.within(bounds.openMs, pin(address));
    const open = await openerOf(address);
    const folder = open({ address, pinned, secret, bounds });
    try {
      return await timers.within(bounds.openMs, folder);
    } catch (error) {
      // Closes a folder that opens after the timeout.
      void folder.then(
        (late) => late.close(),
        () => {},
      );
      throw error;
    }
  };
}

/** Most gateways open no folder: the libraries are loaded with the first one. */
const openerOf = async ({ kind }: FolderAddress) =>
  kind === 'sftp' ? (await import('./sftp.ts')).openSftp : (await import('./ftp.ts')).openFtp;
