import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupRetention, BackupSettings } from '../../config/backup.ts';
import { DAY_MS } from '../../spec/time.ts';
import { dumpPostgres } from '../../store/postgres/copy.ts';
import { pathOf } from '../../store/sqlite/file.ts';
import { snapshotFile } from '../../store/sqlite/snapshot.ts';
import { localMaster, type MasterKey, type Masters } from '../../vault/masterKey.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { OperatorError } from '../operatorError.ts';
import { type BackupHead, type BackupKeys, framesOf, sealBackup } from './format.ts';
import { type BackupPlace, backupName, outdatedBackups } from './places.ts';

/** The database of the configuration. */
export type BackedUp = { readonly databaseUrl: string | null; readonly dataDir: string };

export type BackupProgress = {
  readonly phase: 'copying' | 'storing' | 'restoring';
  readonly done: number;
  readonly total: number | null;
};

export type MadeBackup = { readonly name: string; readonly bytes: number; readonly tookMs: number; readonly at: number };

/** The key that encrypts new backups, then all that may open older ones. */
export const backupKeys = ({ key }: Pick<BackupSettings, 'key'>, masters: Masters): BackupKeys =>
  key === null ? masters : [localMaster(key), ...masters];

export type BackupNeeds = {
  readonly database: BackedUp;
  readonly key: MasterKey;
  readonly place: BackupPlace;
  readonly now: () => number;
  readonly onProgress?: (at: BackupProgress) => void;
};

const MEGABYTE = 1_000_000;

/** Backs up a database while payments are taken. The file has its name only when all of it has arrived. */
export async function makeBackup({ database, key, place, now, onProgress = () => {} }: BackupNeeds): Promise<MadeBackup> {
  const at = now();
  const name = backupName(at);
  if ((await place.list()).some((file) => file.name === name)) throw new OperatorError(`There is a backup ${name} already.`);
  let bytes = 0;
  const store = async (head: Pick<BackupHead, 'dialect' | 'migrations'>, content: AsyncIterable<Uint8Array>) => {
    const sealed = sealBackup(content, { key, random: systemRandom, about: { ...head, createdAt: at } });
    await place.put(
      name,
      watched(sealed, (count) => {
        bytes += count;
      }),
    );
  };
  onProgress({ phase: 'copying', done: 0, total: null });
  if (database.databaseUrl === null) await backUpFile(database.dataDir, { store, onProgress, now });
  else
    await dumpPostgres(database.databaseUrl, ({ migrations, tables }) =>
      store({ dialect: 'postgres', migrations }, reported(framesOf(tables()), null, onProgress)),
    );
  const stored = (await place.list()).find((file) => file.name === name);
  if (stored?.bytes !== bytes)
    throw new OperatorError(`The backup ${name} has ${stored?.bytes ?? 0} of ${bytes} bytes where it is stored.`);
  return { name, bytes, tookMs: now() - at, at };
}

type FileNeeds = {
  readonly store: (head: Pick<BackupHead, 'dialect' | 'migrations'>, content: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly onProgress: (at: BackupProgress) => void;
  readonly now: () => number;
};

async function backUpFile(dataDir: string, { store, onProgress, now }: FileNeeds): Promise<void> {
  await withScratchFolder(dataDir, now, async (folder) => {
    const copy = join(folder, 'copy.db');
    const migrations = await snapshotFile(pathOf({ dataDir }), copy);
    const { size } = await stat(copy);
    await store(
      { dialect: 'sqlite', migrations },
      reported(createReadStream(copy, { highWaterMark: 1_048_576 }), size, onProgress),
    );
  });
}

const SCRATCH = '.backup-';

/** A folder beside the data, for its owner only. Leftovers of a killed process are removed after a day. */
export async function withScratchFolder<T>(dataDir: string, now: () => number, work: (folder: string) => Promise<T>): Promise<T> {
  for (const name of (await readdir(dataDir)).filter((one) => one.startsWith(SCRATCH))) {
    const { mtimeMs } = await stat(join(dataDir, name)).catch(() => ({ mtimeMs: now() }));
    if (now() - mtimeMs > DAY_MS) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(dataDir, SCRATCH));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* watched(chunks: AsyncIterable<Uint8Array>, onChunk: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onChunk(chunk.length);
    yield chunk;
  }
}

function reported(chunks: AsyncIterable<Uint8Array>, size: number | null, onProgress: (at: BackupProgress) => void) {
  let done = 0;
  const total = size === null ? null : Math.ceil(size / MEGABYTE);
  return watched(chunks, (bytes) => {
    done += bytes;
    onProgress({ phase: 'storing', done: Math.ceil(done / MEGABYTE), total });
  });
}

/** Removes the backups that the retention does not keep; returns their names. */
export async function rotateBackups(place: BackupPlace, keep: BackupRetention): Promise<readonly string[]> {
  const outdated = outdatedBackups(
    (await place.list()).map(({ name }) => name),
    keep,
  );
  for (const name of outdated) await place.remove(name);
  return outdated;
}
