import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/sqlite/file.ts';
import { masterKey } from './config.ts';
import { isFault } from './readers.ts';

/** The master key of a test environment without a configured one: created once, readable by its owner only, beside the data. */
export function storedMasterKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'master.key');
  makeFolder(dataDir);
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // On a full disk the file stays empty, and the next start would read it as the key.
      rmSync(path, { force: true });
      throw error;
    }
  }
  return readKey(path);
}

/** Whether the folder holds such a key. */
export const hasStoredMasterKey = (dataDir: string): boolean => existsSync(join(dataDir, 'master.key'));

function readKey(path: string): Uint8Array {
  const key = masterKey(readFileSync(path, 'utf8').trim());
  if (isFault(key)) throw new Error(`${path}: the key ${key.fault}`);
  return key;
}
