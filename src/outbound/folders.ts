import { isIP } from 'node:net';
import { isLoopback, isPublic } from './address.ts';
import type { FolderAddress, OpenFolder } from './folder.ts';
import { openFtp } from './ftp.ts';
import { createNames, type Resolved } from './names.ts';
import { openSftp } from './sftp.ts';

export type FolderOptions = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** `loopback`: this machine may be called too. For tests. */
  readonly reach?: 'public' | 'loopback';
  /** Every address of a host; asked of its name servers unless another way is given. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>;
};

/**
 * Opens folders of others. Their host is resolved once and looked at, all of it, and every connection goes to what was looked at: also
 * those that FTP opens for the files themselves.
 */
export function createFolders({ timers, reach = 'public', resolve }: FolderOptions): OpenFolder {
  const isInHouse = reach === 'loopback';
  const mayReach = (address: string): boolean => isPublic(address) || (isInHouse && isLoopback(address));
  const addressesOf = resolve ?? createNames(isInHouse);
  const pin = async ({ host }: FolderAddress): Promise<string> => {
    const family = isIP(host);
    const addresses = family === 0 ? await addressesOf(host) : [{ address: host, family }];
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => mayReach(address))) throw new Error('the host is not a public one');
    return first.address;
  };
  return async (address, secret, bounds) => {
    const open = address.kind === 'sftp' ? openSftp : openFtp;
    const pinned = await timers.within(bounds.openMs, pin(address));
    const folder = open({ address, pinned, secret, bounds });
    try {
      return await timers.within(bounds.openMs, folder);
    } catch (error) {
      // One that opens after all is wanted by nobody.
      void folder.then(
        (late) => late.close(),
        () => {},
      );
      throw error;
    }
  };
}
