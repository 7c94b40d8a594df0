import { createReadStream } from 'node:fs';
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entity } from '../merchants/directory.ts';
import type { World } from '../payments/needs.ts';
import type { SecretStore, Vault } from '../registrations/needs.ts';
import { type BringNeeds, bringFile } from './bring.ts';
import type { Target, TargetSecret } from './out/needs.ts';
import { type Pull, pullOf } from './pullSettings.ts';

/** A folder of the acquirer's that is open; see outbound/folder.ts. */
export interface SourceFolder {
  list(most: number): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  readonly fetch: (name: string, bytesMax: number, take: (piece: Uint8Array) => Promise<void> | void) => Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** The name under which the password or key of the server is sealed. */
const PULL_SECRET = 'settlement';

const secretRecord = (entityId: string) => ({ merchantId: entityId, entityId, recordId: PULL_SECRET, field: PULL_SECRET });

type Keeping = { readonly store: SecretStore; readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'> };

export async function keepPullSecret({ store, vault }: Keeping, entityId: string, secret: TargetSecret): Promise<void> {
  const keys = vault.ready(entityId);
  if (keys) await keys;
  await store.keepSecret(entityId, PULL_SECRET, vault.seal(secretRecord(entityId), JSON.stringify(secret)));
}

/** Null: none was set. */
export async function pullSecret({ store, vault }: Keeping, entityId: string): Promise<TargetSecret | null> {
  const sealed = await store.secret(entityId, PULL_SECRET);
  return sealed ? (JSON.parse(await vault.open(secretRecord(entityId), sealed)) as TargetSecret) : null;
}

export type PullNeeds = BringNeeds & {
  readonly openFolder: (target: Target, secret: TargetSecret) => Promise<SourceFolder>;
  readonly secret: (entityId: string) => Promise<TargetSecret | null>;
  readonly alarm: World['alarm'];
};

const LISTED_MAX = 10_000;
const FILES_KNOWN_MAX = 1_000;
const FILE_BYTES_MAX = 2_147_483_648;
/** How a file is called on the other side once it is ours; such names are not fetched. */
const DONE = '.taken';

/** Fetches what is new in the acquirer's folder of an entity; answers how many files were brought. */
export async function pullFiles(needs: PullNeeds, entity: Pick<Entity, 'id' | 'settings'>): Promise<number> {
  const pull = pullOf(entity.settings.settlement);
  const secret = pull && (await needs.secret(entity.id));
  if (!pull || !secret) return 0;
  const folder = await needs.openFolder(pull.target, secret);
  let count = 0;
  try {
    const known = new Set((await needs.store.files([entity.id], FILES_KNOWN_MAX)).map(({ name }) => name));
    const all = (await folder.list(LISTED_MAX)).filter(({ name }) => !name.endsWith(DONE) && !name.startsWith('.'));
    for (const { name } of all.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (pull.afterwards === 'leave' && known.has(name)) continue;
      if (await pullOne(needs, { folder, name, entityId: entity.id, pull })) count += 1;
    }
  } finally {
    folder.close();
  }
  return count;
}

type One = { readonly folder: SourceFolder; readonly name: string; readonly entityId: string; readonly pull: Pull };

/** By way of a file of our own, so that it can be read more than once and the other side is not held up. */
async function pullOne(needs: PullNeeds, { folder, name, entityId, pull }: One): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), 'turnpike-pull-'));
  const path = join(place, 'file');
  try {
    const file = await openFile(path, 'w', 0o600);
    try {
      await folder.fetch(name, FILE_BYTES_MAX, async (piece) => void (await file.write(piece)));
    } finally {
      await file.close();
    }
    const brought = await bringFile(needs, entityId, { name, open: () => createReadStream(path) });
    if (brought.is === 'busy') return false;
    if (brought.is === 'refused')
      needs.alarm('a settlement file was refused', { entityId, name, faults: String(brought.file.faultCount) });
    else if (pull.afterwards === 'rename') await folder.rename(name, `${name}${DONE}`);
    else if (pull.afterwards === 'remove') await folder.remove(name);
    return brought.is === 'kept';
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Fetches for everybody who has set it; that one server is away is told, and keeps nobody else waiting for the next round. */
export async function pullAll(needs: PullNeeds, entities: readonly Entity[]): Promise<void> {
  for (const entity of entities) {
    try {
      await pullFiles(needs, entity);
    } catch (error) {
      needs.alarm('settlement files could not be fetched', { entityId: entity.id, why: (error as Error).message.slice(0, 200) });
    }
  }
}
