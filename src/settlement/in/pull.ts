import type { Entity } from '../../merchants/directory.ts';
import type { World } from '../../payments/ports.ts';
import type { SecretStore, Vault } from '../../vault/ports.ts';
import type { Target, TargetSecret } from '../remoteFolder.ts';
import { type ImportNeeds, importFile } from './importFile.ts';
import { type Pull, pullOf } from './pullSettings.ts';
import { type UploadStore, UploadTooLarge } from './uploads.ts';

/** `mark`: changes when somebody writes the file, as far as the other side tells. */
type SourceFile = { readonly name: string; readonly bytes: number; readonly mark?: string };

/** A folder of the acquirer's that is open; see outbound/folder.ts. */
export interface SourceFolder {
  list(most: number): Promise<readonly SourceFile[]>;
  readonly fetch: (name: string, bytesMax: number, take: (piece: Uint8Array) => Promise<void> | void) => Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** The name under which the password or key of the server is sealed. */
export const PULL_SECRET = 'settlement';

const secretRecord = (entityId: string) => ({ merchantId: entityId, entityId, recordId: PULL_SECRET, field: PULL_SECRET });

type Keeping = { readonly store: SecretStore; readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> };

export async function savePullSecret({ store, vault }: Keeping, entityId: string, secret: TargetSecret): Promise<void> {
  const keys = vault.ready(entityId);
  if (keys) await keys;
  await store.storeSecret(entityId, PULL_SECRET, vault.seal(secretRecord(entityId), JSON.stringify(secret)));
}

/** Null: none was set. */
export async function pullSecret({ store, vault }: Keeping, entityId: string): Promise<TargetSecret | null> {
  const sealed = await store.secret(entityId, PULL_SECRET);
  return sealed ? (JSON.parse(await vault.open(secretRecord(entityId), sealed)) as TargetSecret) : null;
}

export type PullNeeds = ImportNeeds & {
  readonly openFolder: (target: Target, secret: TargetSecret) => Promise<SourceFolder>;
  readonly secret: (entityId: string) => Promise<TargetSecret | null>;
  readonly alarm: World['alarm'];
  readonly uploads: UploadStore;
  readonly rest: (ms: number) => Promise<void>;
  /** What was dealt with and still lies there, by the entity and the name of the file: how it looked then. */
  readonly seen: Map<string, ReadonlyMap<string, string>>;
};

/** What FTP can list at once. */
const LISTED_MAX = 8_000;
const FILES_KNOWN_MAX = 1_000;
const FILE_BYTES_MAX = 2_147_483_648;
/** Whoever lays a file down may still be writing it: one that grows in this time is left for the next round. */
const QUIET_MS = 5_000;
/** How a file is called on the other side once it is ours; such names are not fetched. */
const DONE = '.taken';

const looksOf = ({ bytes, mark = '' }: SourceFile): string => `${bytes} ${mark}`;

/** Fetches what is new in the acquirer's folder of an entity; answers how many files were brought. */
export async function pullFiles(needs: PullNeeds, entity: Pick<Entity, 'id' | 'settings'>): Promise<number> {
  const pull = pullOf(entity.settings.settlement);
  const secret = pull && (await needs.secret(entity.id));
  if (!pull) return 0;
  if (!secret) {
    needs.alarm('settlement files cannot be fetched: no password or key was sealed', { entityId: entity.id });
    return 0;
  }
  const folder = await needs.openFolder(pull.target, secret);
  const seen = new Map<string, string>();
  let count = 0;
  try {
    const files = await filesIn(folder);
    const isDealtWith = await dealtWith(needs, entity.id, pull);
    for (const file of files) if (isDealtWith(file)) seen.set(file.name, looksOf(file));
    for (const file of await quiet(
      needs,
      folder,
      files.filter(({ name }) => !seen.has(name)),
    )) {
      const came = await pullOne(needs, { folder, file, entityId: entity.id, pull });
      if (came !== 'later') seen.set(file.name, looksOf(file));
      if (came === 'kept') count += 1;
    }
  } finally {
    needs.seen.set(entity.id, seen);
    folder.close();
  }
  return count;
}

async function filesIn(folder: SourceFolder): Promise<readonly SourceFile[]> {
  const all = (await folder.list(LISTED_MAX)).filter(({ name }) => !name.endsWith(DONE) && !name.startsWith('.'));
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What looks as it did is not fetched again. After a start, of files that are left there, the name decides. */
async function dealtWith({ store, seen }: PullNeeds, entityId: string, pull: Pull): Promise<(file: SourceFile) => boolean> {
  const before = seen.get(entityId);
  const kept = pull.afterwards === 'leave' ? await store.files([entityId], FILES_KNOWN_MAX) : [];
  const names = new Set(kept.flatMap(({ name, state }) => (state === 'kept' ? [name] : [])));
  return (file) => {
    const looked = before?.get(file.name);
    return looked === undefined ? names.has(file.name) : looked === looksOf(file);
  };
}

/** Those that nobody is writing any more. */
async function quiet(needs: PullNeeds, folder: SourceFolder, files: readonly SourceFile[]): Promise<readonly SourceFile[]> {
  if (files.length === 0) return [];
  await needs.rest(QUIET_MS);
  const now = new Map((await filesIn(folder)).map((file) => [file.name, looksOf(file)]));
  return files.filter((file) => now.get(file.name) === looksOf(file));
}

type One = { readonly folder: SourceFolder; readonly file: SourceFile; readonly entityId: string; readonly pull: Pull };

/** That one file cannot be had keeps the others waiting only when the connection is gone with it. */
async function pullOne(needs: PullNeeds, one: One): Promise<'kept' | 'seen' | 'later'> {
  const { folder, file, entityId } = one;
  try {
    return await take(needs, one);
  } catch (error) {
    await folder.list(LISTED_MAX).catch(() => Promise.reject(error));
    needs.alarm('a settlement file could not be taken', { entityId, name: file.name, why: whyOf(error) });
    return 'later';
  }
}

/** By way of a file of our own, so that it can be read more than once and the other side is not held up. */
async function take(
  needs: PullNeeds,
  { folder, file: { name, bytes }, entityId, pull }: One,
): Promise<'kept' | 'seen' | 'later'> {
  if (bytes > FILE_BYTES_MAX) throw new UploadTooLarge(FILE_BYTES_MAX);
  const brought = await needs.uploads.lay(
    (piece) => folder.fetch(name, FILE_BYTES_MAX, piece),
    FILE_BYTES_MAX,
    // One that came longer or shorter than it was listed is being written, or was cut off.
    async (laid) => (laid.bytes === bytes ? importFile(needs, entityId, { name, open: laid.open }) : null),
  );
  if (brought === null || brought.is === 'busy') return 'later';
  if (brought.is === 'refused') {
    needs.alarm('a settlement file was refused', { entityId, name, faults: String(brought.file.faultCount) });
    return 'seen';
  }
  if (pull.afterwards === 'rename') await folder.rename(name, `${name}${DONE}`);
  else if (pull.afterwards === 'remove') await folder.remove(name);
  return brought.is === 'kept' ? 'kept' : 'seen';
}

const whyOf = (error: unknown): string => (error as Error).message.slice(0, 200);

/** Fetches for everybody who has set it; that one server is away is told, and keeps nobody else waiting for the next round. */
export async function pullAll(needs: PullNeeds, entities: readonly Entity[]): Promise<void> {
  for (const entity of entities) {
    try {
      await pullFiles(needs, entity);
    } catch (error) {
      needs.alarm('settlement files could not be fetched', { entityId: entity.id, why: whyOf(error) });
    }
  }
}
