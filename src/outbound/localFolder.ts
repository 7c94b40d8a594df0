import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { plainName, type RemoteFolder } from './folder.ts';

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
