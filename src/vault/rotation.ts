import { DAY_MS, MINUTE_MS } from '../spec/time.ts';
import { LEASE_MS } from './keyRing.ts';
import { type KeyRow, type KeyStore, type SealedLocation, type SealedRow, sealedTables } from './ports.ts';
import { keyOfText, VaultRefused } from './sealedText.ts';
import type { OpenedVault } from './vault.ts';

/** The longest time from sealing a value to its commit. */
const COMMIT_MS_MAX = 30_000;
/**
 * Values sealed for a checkout are in none of the tables that are walked, and partly in shoppers' browsers. They are used for half an
 * hour at most, plus a minute for clock skew.
 */
export const SHORT_LIVED_MS = 31 * MINUTE_MS;
const TICK_MS = 1_000;
/** An unfinished rotation that began within this time is continued instead of restarted. */
const UNFINISHED_MS = DAY_MS;
/** Keys that are rewrapped at a time: the store commits them together. */
const REWRAPS_AT_ONCE = 64;

type DataRotation = {
  readonly renewed: number;
  /** Owners whose rotation had begun before. */
  readonly continued: number;
  readonly resealed: number;
  readonly retired: number;
  readonly broken: readonly UnreadableRecord[];
};

/**
 * Gives every owner, or one owner, a new data key, reseals everything under it and destroys the old keys. Readers and writers continue
 * meanwhile. It may stop at any moment and be run again: every step finds the remaining work in the store.
 */
export async function rotateData(needs: RotationNeeds, owner: string | null): Promise<DataRotation> {
  const { current, renewed, renewedAt } = await renewAll(needs, owner);
  const leaseMs = needs.leaseMs ?? LEASE_MS + COMMIT_MS_MAX;
  if (current.size > 0) await wait(needs, 'waiting', leaseMs);
  const isOld = (sealedBy: number | 'derived' | null, its: string) =>
    typeof sealedBy !== 'number' || sealedBy < (current.get(its) ?? 0);
  const { resealed, broken } = await resealAll(needs, {
    owner,
    isStale: ({ sealed, merchantId }) => isOld(keyOfText(sealed), merchantId),
  });
  const outlivedAt = renewedAt + leaseMs + (needs.shortLivedMs ?? SHORT_LIVED_MS);
  await wait(needs, 'outliving', outlivedAt - needs.now());
  const retired = await retireAll(needs, current, new Set(broken.map((one) => one.owner)));
  return { renewed, continued: current.size - renewed, resealed, retired, broken };
}

/** The new current versions by owner, and when the last of them became current: 0 where there is none. */
async function renewAll(needs: RotationNeeds, owner: string | null) {
  const { store, vault, now, progress } = needs;
  const rows = (await store.keys(owner)).filter(({ purpose }) => purpose === 'data');
  const retiring = new Set(rows.filter(({ state }) => state === 'retiring').map((row) => row.owner));
  const before = rows.filter(({ state }) => state === 'current');
  const isUnfinished = (row: KeyRow) => retiring.has(row.owner) && now() - row.createdAt < UNFINISHED_MS;
  const current = new Map<string, number>();
  let [renewed, renewedAt] = [0, 0];
  for (const row of before) {
    throwIfStopped(needs);
    const isKept = isUnfinished(row);
    if (!isKept) renewed += 1;
    renewedAt = Math.max(renewedAt, isKept ? row.createdAt : now());
    current.set(row.owner, isKept ? row.version : await vault.renew(row.owner, row.version));
    progress({ phase: 'renewing', done: current.size, total: before.length });
  }
  return { current, renewed, renewedAt };
}

/** `waiting`: until no process seals with an old key and all its values are committed. `outliving`: until short-lived values have expired. */
async function wait(needs: RotationNeeds, phase: 'waiting' | 'outliving', total: number): Promise<void> {
  for (let done = 0; done < total; done += TICK_MS) {
    throwIfStopped(needs);
    needs.progress({ phase, done, total });
    await needs.sleep(Math.min(TICK_MS, total - done));
  }
}

/** Destroys keys that are older than the current one. */
async function retireAll(needs: RotationNeeds, current: ReadonlyMap<string, number>, spared: ReadonlySet<string>) {
  let [retired, done] = [0, 0];
  for (const [owner, version] of current) {
    throwIfStopped(needs);
    const rows = spared.has(owner) ? [] : await needs.store.keys(owner);
    const old = rows.filter((row) => row.purpose === 'data' && row.state === 'retiring' && row.version < version);
    for (const row of old) if (await needs.store.retireKey(row)) retired += 1;
    done += 1;
    needs.progress({ phase: 'retiring', done, total: current.size });
  }
  return retired;
}

type MasterRotation = {
  readonly resealed: number;
  readonly rewrapped: number;
  /** Keys that are still wrapped by a previous master key: at 0 only the current one is needed. */
  readonly left: number;
  readonly broken: readonly UnreadableRecord[];
};

/**
 * Makes the current master key the only one that is needed: reseals values under derived keys, then rewraps every key that another
 * master key wraps. May be run again at any time.
 */
export async function rotateMaster(needs: RotationNeeds): Promise<MasterRotation> {
  const isStale = (row: { readonly sealed: Uint8Array }) => typeof keyOfText(row.sealed) !== 'number';
  const { resealed, broken } = await resealAll(needs, { owner: null, isStale });
  const rows = await foreignKeys(needs);
  const damaged: UnreadableRecord[] = [];
  let rewrapped = 0;
  for (let at = 0; at < rows.length; at += REWRAPS_AT_ONCE) {
    throwIfStopped(needs);
    const portion = rows.slice(at, at + REWRAPS_AT_ONCE);
    const done = await Promise.all(portion.map((row) => rewrap(needs, row)));
    rewrapped += done.filter((is) => is === true).length;
    damaged.push(...portion.filter((_, index) => done[index] === 'damaged').map(unreadableKey));
    needs.progress({ phase: 'rewrapping', done: at + portion.length, total: rows.length });
  }
  return { resealed, rewrapped, left: (await foreignKeys(needs)).length, broken: [...broken, ...damaged] };
}

async function foreignKeys({ store, vault }: RotationNeeds): Promise<readonly KeyRow[]> {
  return (await store.keys(null)).filter(({ masterId, wrapped }) => wrapped !== null && masterId !== vault.masterId);
}

/** False: another process has rewrapped it. */
async function rewrap({ vault }: RotationNeeds, row: KeyRow): Promise<boolean | 'damaged'> {
  try {
    return await vault.rewrap(row);
  } catch (error) {
    if (error instanceof VaultRefused) return 'damaged';
    throw error;
  }
}

const unreadableKey = ({ owner, purpose, version }: KeyRow): UnreadableRecord => ({
  table: 'data_key',
  id: `${owner} ${purpose} ${version}`,
  owner,
});

/** The progress of a rotation. `total` is null when it is unknown. */
export type Progress = {
  readonly phase: 'renewing' | 'waiting' | 'resealing' | 'rewrapping' | 'outliving' | 'retiring';
  readonly done: number;
  readonly total: number | null;
};

export type RotationNeeds = {
  readonly store: KeyStore;
  readonly vault: OpenedVault;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly progress: (at: Progress) => void;
  /** Stops the rotation after the current step. */
  readonly signal?: AbortSignal;
  /** How long every process needs to load a new key and to commit what it has sealed. Shorter only in tests. */
  readonly leaseMs?: number;
  /** How long a value that was read may take until it is opened. */
  readonly settleMs?: number;
  /** How long short-lived sealed values are used. */
  readonly shortLivedMs?: number;
};

/** The location of a value or key that does not open. It is left unchanged. */
export type UnreadableRecord = { readonly table: SealedRow['table'] | 'data_key'; readonly id: string; readonly owner: string };

/** The rotation was stopped. Running it again continues from there. */
export class RotationStopped extends Error {
  override readonly name = 'RotationStopped';
}

function throwIfStopped({ signal }: RotationNeeds): void {
  if (signal?.aborted) throw new RotationStopped('the rotation was stopped');
}

const PORTION = 250;
const WALKS_MAX = 50;
const SETTLE_MS = 5_000;

type Resealing = {
  /** The owner of the values; null: all owners. */
  readonly owner: string | null;
  readonly isStale: (row: SealedRow) => boolean;
};

type WalkResult = { readonly stale: number; readonly resealed: number; readonly broken: readonly UnreadableRecord[] };

/**
 * Reseals every stale value, and repeats the walk until none is left, because values may change meanwhile. A pause before each further walk
 * lets every process open the values it read before they were replaced.
 */
export async function resealAll(needs: RotationNeeds, resealing: Resealing): Promise<Omit<WalkResult, 'stale'>> {
  let resealed = 0;
  for (let walks = 1; walks <= WALKS_MAX; walks += 1) {
    const walked = await walk(needs, resealing);
    resealed += walked.resealed;
    // A value that did not open may just have been replaced: only a second walk shows that it is unreadable.
    if (walked.stale === 0 && (walks > 1 || walked.broken.length === 0)) return { resealed, broken: walked.broken };
    await needs.sleep(needs.settleMs ?? SETTLE_MS);
  }
  throw new Error('texts under old keys keep being written: does another process run an older release?');
}

async function walk(needs: RotationNeeds, resealing: Resealing): Promise<WalkResult> {
  const { store, progress } = needs;
  const total = resealing.owner === null ? await store.countSealed() : null;
  let [done, stale, resealed] = [0, 0, 0];
  const broken: UnreadableRecord[] = [];
  for await (const rows of batches(store, resealing.owner)) {
    throwIfStopped(needs);
    const { anew, refused } = await resealRows(needs, rows.filter(resealing.isStale));
    if (anew.length > 0) resealed += await store.reseal(anew);
    stale += anew.length;
    broken.push(...refused);
    done += rows.length;
    // The total is approximate.
    progress({ phase: 'resealing', done, total: total === null ? null : Math.max(total, done) });
  }
  return { stale, resealed, broken };
}

async function resealRows({ vault }: RotationNeeds, rows: readonly SealedRow[]) {
  const anew: (SealedRow & { readonly anew: Uint8Array })[] = [];
  const refused: UnreadableRecord[] = [];
  for (const row of rows) {
    try {
      const clear = await vault.open(row, row.sealed);
      await vault.ready(row.merchantId);
      anew.push({ ...row, anew: vault.seal(row, clear) });
    } catch (error) {
      if (!(error instanceof VaultRefused)) throw error;
      refused.push({ table: row.table, id: row.recordId, owner: row.merchantId });
    }
  }
  return { anew, refused };
}

/** Sealed values in batches: all of them, or one owner's table by table, starting after an empty record id. */
async function* batches(store: KeyStore, owner: string | null): AsyncGenerator<readonly SealedRow[]> {
  const starts: readonly (SealedLocation | null)[] =
    owner === null ? [null] : sealedTables.map((table) => ({ table, merchantId: owner, recordId: '', field: '' }));
  for (const start of starts) {
    for (let after = start; ; ) {
      const rows = await store.sealedAfter(after, PORTION);
      const wanted = start === null ? rows : rows.filter((row) => row.table === start.table && row.merchantId === owner);
      if (wanted.length > 0) yield wanted;
      if (wanted.length < PORTION) break;
      after = wanted.at(-1) ?? null;
    }
  }
}
