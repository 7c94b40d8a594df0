import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderAddress, FolderSecret } from '../spec/remoteFolder.ts';

/** `mark`: the modification time in the server's own format, only for comparison. */
export type RemoteFile = { readonly name: string; readonly bytes: number; readonly mark: string };

/** An open folder. Names are file names, never paths. Rejections contain no secret. */
export interface RemoteFolder {
  /** Its files, without directories. Rejects when there are more than `most`. */
  list(most: number): Promise<readonly RemoteFile[]>;
  /** The size of a file; null when it does not exist. */
  size(name: string): Promise<number | null>;
  /** Streams a file to `write`. Rejects when it is larger than `bytesMax`. */
  readonly fetch: (name: string, bytesMax: number, write: (chunk: Uint8Array) => Promise<void>) => Promise<void>;
  /** Writes a file, replacing an existing one. Resolves when the server has confirmed all of it. */
  put(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Renames a file, replacing an existing one. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

export type FolderBounds = {
  /** The timeout of opening, and the idle timeout afterwards. */
  readonly openMs: number;
  readonly idleMs: number;
};

export type OpenFolder = (address: FolderAddress, secret: FolderSecret, bounds: FolderBounds) => Promise<RemoteFolder>;

/** Throws for a name that could leave the folder. */
function plainName(name: string): string {
  if (!/^[^/\\\p{Cc}]{1,255}$/u.test(name) || name === '.' || name === '..') throw new Error('this is no name of a file');
  return name;
}

/** The path of a file; an empty directory is the login directory. */
export const pathIn = (directory: string, name: string): string =>
  directory === '' ? plainName(name) : `${directory.replace(/\/+$/, '')}/${plainName(name)}`;

/** Only the operator's programs read files that leave. */
const FOLDER_MODE = 0o750;
const FILE_MODE = 0o640;

type LocalFolder = Pick<RemoteFolder, 'size' | 'put' | 'rename' | 'remove' | 'close'>;

/** A folder of this machine, made when it is missing. The results of `put` and `rename` survive a power cut. */
export async function openLocalFolder(directory: string): Promise<LocalFolder> {
  await mkdir(directory, { recursive: true, mode: FOLDER_MODE });
  const path = (name: string): string => join(directory, plainName(name));
  const syncFolder = async (): Promise<void> => {
    const folder = await open(directory, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  };
  return {
    async size(name) {
      try {
        return (await stat(path(name))).size;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async put(name, chunks) {
      const file = await open(path(name), 'w', FILE_MODE);
      try {
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder();
    },
    async rename(from, to) {
      await rename(path(from), path(to));
      await syncFolder();
    },
    remove: (name) => rm(path(name)),
    close() {},
  };
}
