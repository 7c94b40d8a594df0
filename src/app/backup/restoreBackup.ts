import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { migrationsOf } from '../../store/migrate.ts';
import { hasTables as hasServerTables, loadPostgres, withScratchDatabase } from '../../store/postgres/copy.ts';
import { makeFolder, pathOf } from '../../store/sqlite/file.ts';
import { checkPages, hasTables, replaceFile } from '../../store/sqlite/snapshot.ts';
import { OperatorError } from '../operatorError.ts';
import { type BackupKeys, type OpenedBackup, openBackup, tablesIn } from './format.ts';
import { type BackedUp, type BackupProgress, withScratchFolder } from './makeBackup.ts';
import { type BackupPlace, instantOf } from './places.ts';

/** The backup of a name, or the newest of a place. */
export async function findBackup(
  place: BackupPlace,
  name: string | null,
): Promise<{ readonly name: string; readonly bytes: number }> {
  const files = (await place.list()).filter((file) => instantOf(file.name) !== null);
  const found =
    name === null ? files.sort((one, other) => (one.name < other.name ? 1 : -1))[0] : files.find((file) => file.name === name);
  if (!found)
    throw new OperatorError(name === null ? 'There is no backup in this place.' : `There is no backup ${name} in this place.`);
  return found;
}

export type RestoreNeeds = {
  readonly database: BackedUp;
  /** Whether the content of a database that is not empty may be replaced. */
  readonly overwrites: boolean;
  readonly now: () => number;
  readonly onProgress?: (at: BackupProgress) => void;
};

/** `kept`: where the former content is; null: there was none. */
export type Restored = { readonly createdAt: number; readonly kept: string | null };

/** Puts the content of a backup into a database: all of it, or nothing. */
export async function restoreBackup(bytes: AsyncIterable<Uint8Array>, keys: BackupKeys, needs: RestoreNeeds): Promise<Restored> {
  const { database, overwrites } = needs;
  const isServer = database.databaseUrl !== null;
  const isUsed = isServer ? await hasServerTables(database.databaseUrl) : hasTables(pathOf(database));
  if (isUsed && !overwrites)
    throw new OperatorError('This database is not empty. To replace its content, stop every gateway and add --overwrite.');
  const opened = await openBackup(bytes, keys);
  checkDialect(opened, isServer);
  const content = counted(opened.content, needs.onProgress ?? (() => {}));
  if (database.databaseUrl === null) return restoreFile({ ...opened, content }, { ...needs, isUsed });
  const loading = { migrations: opened.head.migrations, overwrites: isUsed };
  await loadPostgres(database.databaseUrl, loading, tablesIn(content));
  return { createdAt: opened.head.createdAt, kept: null };
}

function checkDialect({ head: { dialect, migrations } }: OpenedBackup, isServer: boolean): void {
  if ((dialect === 'postgres') !== isServer) {
    const says = isServer
      ? 'of SQLite, and DATABASE_URL names a PostgreSQL server'
      : 'of PostgreSQL, and DATABASE_URL is not set';
    throw new OperatorError(`The backup is ${says}.`);
  }
  const newest = migrationsOf(dialect).at(-1)?.number ?? 0;
  const newer = migrations.filter((number) => number > newest);
  if (newer.length > 0) throw new OperatorError(`The backup is of schema ${newer.at(-1)}: use the newer version of the program.`);
}

async function restoreFile(
  { head, content }: OpenedBackup,
  { database, isUsed, now }: RestoreNeeds & { readonly isUsed: boolean },
): Promise<Restored> {
  const { dataDir } = database;
  makeFolder(dataDir);
  return withScratchFolder(dataDir, now, async (folder) => {
    const file = join(folder, 'restored.db');
    await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    checkPages(file);
    const path = pathOf(database);
    const kept = `${path}.before-${new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')}`;
    replaceFile(file, path, kept);
    return { createdAt: head.createdAt, kept: isUsed ? kept : null };
  });
}

const MEGABYTE = 1_000_000;

async function* counted(chunks: AsyncIterable<Uint8Array>, onProgress: (at: BackupProgress) => void): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.length;
    onProgress({ phase: 'restoring', done: Math.ceil(done / MEGABYTE), total: null });
    yield chunk;
  }
}

/** Restores beside the database that is in use, for `work` alone. */
export async function withRestored<T>(
  bytes: AsyncIterable<Uint8Array>,
  {
    keys,
    database,
    scratchName,
    now,
  }: { readonly keys: BackupKeys; readonly database: BackedUp; readonly scratchName: string; readonly now: () => number },
  work: (scratch: BackedUp, createdAt: number) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = database;
  if (databaseUrl === null) {
    return withScratchFolder(dataDir, now, async (folder) => {
      const scratch = { databaseUrl: null, dataDir: join(folder, 'data') };
      await mkdir(scratch.dataDir, { mode: 0o700 });
      const { createdAt } = await restoreBackup(bytes, keys, { database: scratch, overwrites: false, now });
      return work(scratch, createdAt);
    });
  }
  return withScratchDatabase(databaseUrl, scratchName, async (url) => {
    const scratch = { databaseUrl: url, dataDir };
    const { createdAt } = await restoreBackup(bytes, keys, { database: scratch, overwrites: false, now });
    return work(scratch, createdAt);
  });
}
