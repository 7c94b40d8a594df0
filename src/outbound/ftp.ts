import { isIP } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { Client, FTPError } from 'basic-ftp';
import type { FolderAddress } from '../spec/remoteFolder.ts';
import { pathIn, type RemoteFolder } from './folder.ts';
import type { FolderConnection } from './sftp.ts';

const NOT_THERE = 550;
/** The average length of a line that a listing may have. */
const LINE_BYTES = 512;

/**
 * Opens a folder over FTP, with TLS unless the address says otherwise. Files are transferred in passive mode over a second connection
 * to the same address; a server that names another address is refused.
 */
export async function openFtp({ address, pinned, secret, bounds }: FolderConnection): Promise<RemoteFolder> {
  if (secret.kind !== 'password') throw new Error('FTP knows passwords only');
  const { host, port, user, directory, kind, ca } = address;
  // A line break in one of these would start another command.
  if ([user, secret.password, directory].some((text) => /\p{Cc}/u.test(text)))
    throw new Error('a control character in the setup');
  const client = new Client(bounds.idleMs, { allowSeparateTransferHost: false, maxListingBytes: LISTING_BYTES_MAX });
  try {
    await client.access({
      host: pinned,
      port,
      user,
      password: secret.password,
      secure: kind === 'ftps',
      secureOptions: {
        host,
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca !== null && { ca: [...ca] }),
        minVersion: 'TLSv1.2',
      },
    });
    return folderOf(client, address);
  } catch (error) {
    client.close();
    throw error;
  }
}

const LISTING_BYTES_MAX = 4_194_304;

function folderOf(client: Client, { directory }: FolderAddress): RemoteFolder {
  const path = (name: string): string => pathIn(directory, name);
  return {
    list: async (most) => {
      if (most * LINE_BYTES > LISTING_BYTES_MAX) throw new Error(`so many files cannot be listed: ${most}`);
      const files = (await client.list(directory)).filter(({ isFile }) => isFile);
      if (files.length > most) throw new Error(`there are more than ${most} files`);
      return files.map(({ name, size, rawModifiedAt }) => ({ name, bytes: size, mark: rawModifiedAt }));
    },
    size: (name) => unlessAbsent(client.size(path(name))),
    fetch: async (name, bytesMax, write) => {
      await client.downloadTo(limitedWriter(bytesMax, write), path(name));
    },
    put: async (name, chunks) => {
      await client.uploadFrom(Readable.from(chunks), path(name));
    },
    rename: async (from, to) => {
      try {
        await client.rename(path(from), path(to));
      } catch (error) {
        // Some servers do not replace an existing file. A missing source cannot be renamed by any.
        if (!(error instanceof FTPError) || (await unlessAbsent(client.size(path(from)))) === null) throw error;
        await client.remove(path(to), true);
        await client.rename(path(from), path(to));
      }
    },
    remove: async (name) => {
      await client.remove(path(name));
    },
    close: () => client.close(),
  };
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FTPError && error.code === NOT_THERE) return null;
    throw error;
  }
}

/** Passes chunks to `write`, up to a length. */
function limitedWriter(bytesMax: number, write: (chunk: Uint8Array) => Promise<void>): Writable {
  let length = 0;
  return new Writable({
    write(chunk: Buffer, _, done) {
      length += chunk.length;
      if (length > bytesMax) return done(new Error(`the file is longer than ${bytesMax} bytes`));
      // `write` may throw synchronously.
      Promise.resolve()
        .then(() => write(chunk))
        .then(() => done(), done);
    },
  });
}
