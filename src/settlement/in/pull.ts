import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entity } from '../../merchants/directory.ts';
import type { World } from '../../payments/ports.ts';
import type { FolderAddress, FolderSecret } from '../../spec/remoteFolder.ts';
import type { SecretStore, Vault } from '../../vault/ports.ts';
import { readSecret, secretText } from '../remoteFolder.ts';
import { type Pull, pullOf } from '../settings.ts';
import { type ImportNeeds, type ImportResult, importFile } from './importFile.ts';
import { type UploadStore, UploadTooLarge } from './uploads.ts';

/** `mark`: changes with every write, on servers that report it. */
type SourceFile = { readonly name: string; readonly bytes: number; readonly mark?: string };

/** An open folder of an acquirer; see outbound/folder.ts. */
export interface SourceFolder {
  list(most: number): Promise<readonly SourceFile[]>;
  readonly fetch: (name: string, bytesMax: number, write: (chunk: Uint8Array) => Promise<void>) => Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** The name under which the password or key of the server is sealed. */
export const PULL_SECRET = 'settlement';

const secretRecord = (entityId: string) => ({ merchantId: entityId, entityId, recordId: PULL_SECRET, field: PULL_SECRET });

type SecretNeeds = { readonly store: SecretStore; readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> };

export async function savePullSecret({ store, vault }: SecretNeeds, entityId: string, secret: FolderSecret): Promise<void> {
  const keys = vault.ready(entityId);
  if (keys) await keys;
  await store.storeSecret(entityId, PULL_SECRET, vault.seal(secretRecord(entityId), secretText(secret)));
}

/** Null: none is stored. */
export async function pullSecret({ store, vault }: SecretNeeds, entityId: string): Promise<FolderSecret | null> {
  const sealed = await store.secret(entityId, PULL_SECRET);
  return sealed ? readSecret(await vault.open(secretRecord(entityId), sealed)) : null;
}

export type PullNeeds = ImportNeeds & {
  readonly openFolder: (target: FolderAddress, secret: FolderSecret) => Promise<SourceFolder>;
  readonly secret: (entityId: string) => Promise<FolderSecret | null>;
  readonly alarm: World['alarm'];
  readonly uploads: UploadStore;
  readonly rest: (ms: number) => Promise<void>;
  /** Files that need no further work and are still on the server: their version by entity and name. */
  readonly handled: Map<string, ReadonlyMap<string, string>>;
};

/** The most files that FTP lists in one answer. */
const LISTED_MAX = 8_000;
const FILES_KNOWN_MAX = 1_000;
const FILE_BYTES_MAX = 2_147_483_648;
/** A file that changes in this time is still being written and is left for the next run. */
const QUIET_MS = 5_000;
/** Added to the name of an imported file on the server. Such files are not fetched. */
const IMPORTED_SUFFIX = '.taken';

const versionOf = ({ bytes, mark = '' }: SourceFile): string => `${bytes} ${mark}`;

/** Imports the new files in the acquirer's folder of an entity; returns their number. */
export async function pullFiles(needs: PullNeeds, entity: Pick<Entity, 'id' | 'settings'>): Promise<number> {
  const pull = pullOf(entity.settings.settlement);
  const secret = pull && (await needs.secret(entity.id));
  if (!pull) return 0;
  if (!secret) {
    needs.alarm('settlement files cannot be fetched: no password or key was sealed', { entityId: entity.id });
    return 0;
  }
  const folder = await needs.openFolder(pull.target, secret);
  const handled = new Map<string, string>();
  let count = 0;
  try {
    const files = await filesIn(folder);
    const wasHandled = await findHandled(needs, entity.id, pull);
    for (const file of files) if (wasHandled(file)) handled.set(file.name, versionOf(file));
    const fresh = files.filter(({ name }) => !handled.has(name));
    for (const file of await completeFiles(needs, folder, fresh)) {
      const outcome = await pullFile(needs, { folder, file, entityId: entity.id, pull });
      if (outcome !== 'later') handled.set(file.name, versionOf(file));
      if (outcome === 'imported') count += 1;
    }
  } finally {
    needs.handled.set(entity.id, handled);
    folder.close();
  }
  return count;
}

async function filesIn(folder: SourceFolder): Promise<readonly SourceFile[]> {
  const all = (await folder.list(LISTED_MAX)).filter(({ name }) => !name.endsWith(IMPORTED_SUFFIX) && !name.startsWith('.'));
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** An unchanged file is not fetched again. After a restart, the name decides for files that stay on the server. */
async function findHandled({ store, handled }: PullNeeds, entityId: string, pull: Pull): Promise<(file: SourceFile) => boolean> {
  const before = handled.get(entityId);
  const kept = pull.afterwards === 'leave' ? await store.files([entityId], FILES_KNOWN_MAX) : [];
  const names = new Set(kept.flatMap(({ name, state }) => (state === 'kept' ? [name] : [])));
  return (file) => {
    const version = before?.get(file.name);
    return version === undefined ? names.has(file.name) : version === versionOf(file);
  };
}

/** The files that are not being written any more. */
async function completeFiles(
  needs: PullNeeds,
  folder: SourceFolder,
  files: readonly SourceFile[],
): Promise<readonly SourceFile[]> {
  if (files.length === 0) return [];
  await needs.rest(QUIET_MS);
  const now = new Map((await filesIn(folder)).map((file) => [file.name, versionOf(file)]));
  return files.filter((file) => now.get(file.name) === versionOf(file));
}

type PulledFile = { readonly folder: SourceFolder; readonly file: SourceFile; readonly entityId: string; readonly pull: Pull };
/** `handled`: known or refused, not to be fetched again. `later`: to be fetched again in the next run. */
type PullOutcome = 'imported' | 'handled' | 'later';

/** A failure with one file does not stop the others, unless the connection is lost. */
async function pullFile(needs: PullNeeds, pulled: PulledFile): Promise<PullOutcome> {
  const { folder, file, entityId } = pulled;
  try {
    return await fetchAndImport(needs, pulled);
  } catch (error) {
    await folder.list(LISTED_MAX).catch(() => Promise.reject(error));
    needs.alarm('a settlement file could not be taken', { entityId, name: file.name, why: whyOf(error) });
    return 'later';
  }
}

/** Downloads the file first, because the import reads it twice and must not keep the server waiting. */
async function fetchAndImport(
  needs: PullNeeds,
  { folder, file: { name, bytes }, entityId, pull }: PulledFile,
): Promise<PullOutcome> {
  if (bytes > FILE_BYTES_MAX) throw new UploadTooLarge(FILE_BYTES_MAX);
  const result = await needs.uploads.withUpload(
    (write) => folder.fetch(name, FILE_BYTES_MAX, write),
    FILE_BYTES_MAX,
    // A file of another length than listed is still being written, or was cut off.
    async (upload) => (upload.bytes === bytes ? importFile(needs, entityId, { name, open: upload.open }) : null),
  );
  if (result === null || result.is === 'busy') return 'later';
  if (result.is === 'refused') {
    needs.alarm('a settlement file was refused', { entityId, name, faults: String(result.file.faultCount) });
    return 'handled';
  }
  if (pull.afterwards === 'rename') await folder.rename(name, `${name}${IMPORTED_SUFFIX}`);
  else if (pull.afterwards === 'remove') await folder.remove(name);
  return result.is === 'kept' ? 'imported' : 'handled';
}

const whyOf = (error: unknown): string => (error as Error).message.slice(0, 200);

/** Fetches for all entities with a folder. A server that does not answer raises an alarm and does not stop the others. */
export async function pullAll(needs: PullNeeds, entities: readonly Entity[]): Promise<void> {
  for (const entity of entities) {
    try {
      await pullFiles(needs, entity);
    } catch (error) {
      needs.alarm('settlement files could not be fetched', { entityId: entity.id, why: whyOf(error) });
    }
  }
}

type FolderNeeds = ImportNeeds & {
  /** It contains a folder for each entity, named by its id. */
  readonly folder: string;
  readonly open: (path: string) => AsyncIterable<Uint8Array>;
  readonly alarm: World['alarm'];
};

/** A file that changed more recently may still be written. */
const FILE_QUIET_MS = 10_000;
const ENTITY_ID = /^[0-9a-f]{32}$/;
const [DONE, BAD] = ['done', 'bad'];

/** Imports the files in the folders of the entities. Each file is moved to done/ or bad/, with a report next to it. */
export async function importFolder(needs: FolderNeeds): Promise<void> {
  const entities = await readdir(needs.folder, { withFileTypes: true });
  for (const entity of entities) {
    if (!entity.isDirectory() || !ENTITY_ID.test(entity.name) || !needs.directory.entity(entity.name)) continue;
    const entityFolder = join(needs.folder, entity.name);
    const files = (await readdir(entityFolder, { withFileTypes: true })).filter(
      (one) => one.isFile() && !one.name.startsWith('.'),
    );
    for (const { name } of files.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      await importOne(needs, { entityId: entity.name, entityFolder, name });
  }
}

type FoundFile = { readonly entityId: string; readonly entityFolder: string; readonly name: string };

async function importOne(needs: FolderNeeds, { entityId, entityFolder, name }: FoundFile): Promise<void> {
  const path = join(entityFolder, name);
  const { mtimeMs, ctimeMs } = await stat(path);
  if (needs.clock.now() - Math.max(mtimeMs, ctimeMs) < FILE_QUIET_MS) return;
  const result = await importFile(needs, entityId, { name, open: () => needs.open(path) });
  if (result.is === 'busy') return;
  const folder = join(entityFolder, result.is === 'refused' ? BAD : DONE);
  await mkdir(folder, { recursive: true });
  // The id tells files of the same name apart.
  const target = join(folder, `${result.file.id}-${name}`);
  await writeFile(`${target}.report.json`, `${JSON.stringify(reportOf(result), null, 2)}\n`);
  await rename(path, target);
  if (result.is === 'refused')
    needs.alarm('a settlement file was refused', { entityId, name, faults: String(result.file.faultCount) });
}

const reportOf = (result: ImportResult): object => {
  const { pspId: _, readUntil: __, createdAt, ...file } = result.file;
  return {
    is: result.is,
    ...file,
    createdAt: new Date(createdAt).toISOString(),
    ...(result.is === 'kept' && { count: result.count }),
  };
};
