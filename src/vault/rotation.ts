import { DAY_MS, MINUTE_MS } from '../spec/time.ts';
import { LEASE_MS } from './keyRing.ts';
import type { KeyRow } from './ports.ts';
import { type Broken, goOn, type RotationNeeds, resealAll } from './reseal.ts';
import { keyOfText, VaultRefused } from './sealedText.ts';

/** What was sealed in the last moment of a lease is in the database so much later at the latest. */
const COMMIT_MS_MAX = 30_000;
/**
 * What is sealed for a checkout stands in none of the tables that are walked, and partly in the shoppers' browsers. It is of use for
 * half an hour at most, and for a minute more where clocks differ.
 */
export const SHORT_LIVED_MS = 31 * MINUTE_MS;
const TICK_MS = 1_000;
/** A rotation that was begun within this time and not finished is finished, not begun anew. */
const UNFINISHED_MS = DAY_MS;
/** So many keys at a time: the store commits them together. */
const REWRAPS_AT_ONCE = 64;

export type DataRotation = {
  readonly renewed: number;
  /** Owners whose rotation had been begun before. */
  readonly continued: number;
  readonly resealed: number;
  readonly retired: number;
  readonly broken: readonly Broken[];
};

/**
 * Gives every owner, or the named one, a new data key, seals everything under it and destroys the old ones. Readers and writers go on
 * meanwhile. It may end at any moment and be run again: every step finds what is left to do in the store.
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
  if (current.size > 0) await wait(needs, 'outliving', outlivedAt - needs.now());
  const retired = await retireAll(needs, current, new Set(broken.map((one) => one.owner)));
  return { renewed, continued: current.size - renewed, resealed, retired, broken };
}

/** The versions that are to seal from now on, by owner, and since when the last of them does. */
async function renewAll(needs: RotationNeeds, owner: string | null) {
  const { store, vault, now, progress } = needs;
  const rows = (await store.keys(owner)).filter(({ purpose }) => purpose === 'data');
  const retiring = new Set(rows.filter(({ state }) => state === 'retiring').map((row) => row.owner));
  const before = rows.filter(({ state }) => state === 'current');
  const isUnfinished = (row: KeyRow) => retiring.has(row.owner) && now() - row.createdAt < UNFINISHED_MS;
  const current = new Map<string, number>();
  let [renewed, renewedAt] = [0, 0];
  for (const row of before) {
    goOn(needs);
    const isKept = isUnfinished(row);
    if (!isKept) renewed += 1;
    renewedAt = Math.max(renewedAt, isKept ? row.createdAt : now());
    current.set(row.owner, isKept ? row.version : await vault.renew(row.owner, row.version));
    progress({ phase: 'renewing', done: current.size, total: before.length });
  }
  return { current, renewed, renewedAt };
}

/** `waiting`: until no process seals with an old key any more, and what it sealed is written. `outliving`: until that is of no use. */
async function wait(needs: RotationNeeds, phase: 'waiting' | 'outliving', total: number): Promise<void> {
  for (let done = 0; done < total; done += TICK_MS) {
    goOn(needs);
    needs.progress({ phase, done, total });
    await needs.sleep(Math.min(TICK_MS, total - done));
  }
}

/** Destroys what is older than the key that was current when everything was sealed anew. */
async function retireAll(needs: RotationNeeds, current: ReadonlyMap<string, number>, spared: ReadonlySet<string>) {
  let [retired, done] = [0, 0];
  for (const [owner, version] of current) {
    goOn(needs);
    const rows = spared.has(owner) ? [] : await needs.store.keys(owner);
    const old = rows.filter((row) => row.purpose === 'data' && row.state === 'retiring' && row.version < version);
    for (const row of old) if (await needs.store.retireKey(row)) retired += 1;
    done += 1;
    needs.progress({ phase: 'retiring', done, total: current.size });
  }
  return retired;
}

export type MasterRotation = {
  readonly resealed: number;
  readonly rewrapped: number;
  /** Keys that still need another master key than the current one: 0 means that no other is needed any more. */
  readonly left: number;
  readonly broken: readonly Broken[];
};

/**
 * Makes the current master key the only one that is needed: seals anew what was sealed under keys derived from a master key, then wraps
 * every key that another one wraps. May be run again at any time.
 */
export async function rotateMaster(needs: RotationNeeds): Promise<MasterRotation> {
  const isStale = (row: { readonly sealed: Uint8Array }) => typeof keyOfText(row.sealed) !== 'number';
  const { resealed, broken } = await resealAll(needs, { owner: null, isStale });
  const rows = await foreignKeys(needs);
  const damaged: Broken[] = [];
  let rewrapped = 0;
  for (let at = 0; at < rows.length; at += REWRAPS_AT_ONCE) {
    goOn(needs);
    const portion = rows.slice(at, at + REWRAPS_AT_ONCE);
    const done = await Promise.all(portion.map((row) => rewrap(needs, row)));
    rewrapped += done.filter((is) => is === 'rewrapped').length;
    damaged.push(...portion.filter((_, index) => done[index] === 'damaged').map(brokenKey));
    needs.progress({ phase: 'rewrapping', done: at + portion.length, total: rows.length });
  }
  return { resealed, rewrapped, left: (await foreignKeys(needs)).length, broken: [...broken, ...damaged] };
}

async function foreignKeys({ store, vault }: RotationNeeds): Promise<readonly KeyRow[]> {
  return (await store.keys(null)).filter(({ masterId, wrapped }) => wrapped !== null && masterId !== vault.masterId);
}

async function rewrap({ vault }: RotationNeeds, row: KeyRow): Promise<'rewrapped' | 'moved' | 'damaged'> {
  try {
    return (await vault.rewrap(row)) ? 'rewrapped' : 'moved';
  } catch (error) {
    if (error instanceof VaultRefused) return 'damaged';
    throw error;
  }
}

const brokenKey = ({ owner, purpose, version }: KeyRow): Broken => ({
  table: 'data_key',
  id: `${owner} ${purpose} ${version}`,
  owner,
});
