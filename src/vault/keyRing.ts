import type { KeyObject } from 'node:crypto';
import type { KeyMaker } from './masterKey.ts';
import type { KeyRow, KeyStore } from './ports.ts';
import { VaultRefused } from './sealedText.ts';

/** How long after its confirmation as the current one a key may seal; a rotation waits longer. */
export const LEASE_MS = 60_000;
/** A key confirmed longer ago is not ready: this leaves half a lease for the sealing, which does not read the clock again. */
const CONFIRM_MS = LEASE_MS / 2;
/** Keys of idle owners are dropped from memory. */
const IDLE_MS = 600_000;
/** Random nonces are safe for 2^32 values (NIST SP 800-38D, 8.3); a key is replaced long before. */
export const USES_MAX = 2 ** 30;
/** Uses are reserved in blocks: small at first, because unused ones are lost when a process ends. */
const [BLOCK_MIN, BLOCK_MAX, BLOCK_GROWTH] = [2 ** 12, 2 ** 20, 16];
/** The next block is reserved when only this part of a block is left. */
const LOW_PART = 64;
const TRIES_MAX = 8;

/** The keys that sealing needs. */
const SEALING_PURPOSES: readonly KeyRow['purpose'][] = ['data', 'fingerprint'];

/** The current key of an owner. */
export type Sealer = { readonly version: number; readonly key: KeyObject };

/** The keys of one owner in this process. */
type Ring = {
  readonly owner: string;
  /** The number of the load that set it: an older, slower load does not replace it. */
  turn: number;
  /** Data keys by version, or the reason why a key cannot be used. */
  keys: ReadonlyMap<number, KeyObject | VaultRefused['why']>;
  current: Sealer | null;
  fingerprint: KeyObject | null;
  confirmedAt: number;
  usedAt: number;
  /** Reserved uses of the current key that are left. May fall slightly below zero: the next block covers it. */
  left: number;
  block: number;
  reserving: Promise<void> | null;
};

export type KeyRingNeeds = { readonly maker: KeyMaker; readonly store: KeyStore; readonly now: () => number };

/** The keys of all owners: loaded on demand, confirmed while in use, replaced before their uses run out. */
export type KeyRing = KeyRingNeeds & {
  readonly rings: Map<string, Ring>;
  readonly preparing: Map<string, Promise<void>>;
  turns: number;
  refreshedAt: number;
};

export const createKeyRing = (needs: KeyRingNeeds): KeyRing => ({
  ...needs,
  rings: new Map(),
  preparing: new Map(),
  turns: 0,
  refreshedAt: needs.now(),
});

/** Null when the owner's keys are loaded, confirmed and have uses left. */
export function ready(keyRing: KeyRing, owner: string): Promise<void> | null {
  const ring = keyRing.rings.get(owner);
  const at = keyRing.now();
  if (!ring || ring.left <= 0 || !isFresh(ring, at, CONFIRM_MS)) return prepareOnce(keyRing, owner);
  ring.usedAt = at;
  // In the background. A failure is reported to the caller that finds no uses left.
  if (ring.left < ring.block / LOW_PART && !ring.reserving) reserveOnce(keyRing, ring).catch(() => {});
  return null;
}

/** Takes one use of the current key. The owner must be ready. */
export function sealer(keyRing: KeyRing, owner: string): Sealer {
  const ring = keyRing.rings.get(owner);
  if (!ring?.current) throw new Error('an owner must be ready when something is sealed');
  ring.left -= 1;
  return ring.current;
}

export function fingerprintKey(keyRing: KeyRing, owner: string): KeyObject {
  const key = keyRing.rings.get(owner)?.fingerprint;
  if (!key) throw new Error('an owner must be ready when a fingerprint is taken');
  return key;
}

/** The data key of a version; an unknown one is loaded from the store. Rejects when it is retired, damaged or absent. */
export async function findKey(keyRing: KeyRing, owner: string, version: number): Promise<KeyObject> {
  const at = keyRing.now();
  let ring = keyRing.rings.get(owner);
  if (!ring?.keys.has(version) || !isFresh(ring, at, LEASE_MS)) ring = await load(keyRing, owner, []);
  ring.usedAt = at;
  const key = ring.keys.get(version) ?? 'unknownKey';
  if (typeof key === 'string') throw new VaultRefused(key, { owner, purpose: 'data', version });
  return key;
}

/** Reloads the keys of owners that were active since the last call, and drops idle ones. */
export async function refresh(keyRing: KeyRing): Promise<void> {
  const since = keyRing.refreshedAt;
  keyRing.refreshedAt = keyRing.now();
  const refusals: VaultRefused[] = [];
  for (const { owner, usedAt } of [...keyRing.rings.values()]) {
    if (Math.abs(keyRing.refreshedAt - usedAt) > IDLE_MS) keyRing.rings.delete(owner);
    if (usedAt < since || !keyRing.rings.has(owner)) continue;
    // A damaged key of one owner does not stop the refresh of the others.
    await load(keyRing, owner, []).catch((error) => {
      if (!(error instanceof VaultRefused)) throw error;
      refusals.push(error);
    });
  }
  if (refusals[0]) throw refusals[0];
}

/** Ensures that the owner's current key is newer than this version; returns its version. */
export async function renew(keyRing: KeyRing, owner: string, version: number): Promise<number> {
  for (let tries = 0; tries < 2; tries += 1) {
    const { current } = await load(keyRing, owner, SEALING_PURPOSES);
    if (current && current.version > version) return current.version;
    await keyRing.maker.make({ owner, purpose: 'data', version: version + 1 });
  }
  throw new Error('a new key does not become the current one');
}

function prepareOnce(keyRing: KeyRing, owner: string): Promise<void> {
  const running = keyRing.preparing.get(owner);
  if (running) return running;
  const begun = prepare(keyRing, owner).finally(() => keyRing.preparing.delete(owner));
  keyRing.preparing.set(owner, begun);
  return begun;
}

async function prepare(keyRing: KeyRing, owner: string): Promise<void> {
  const known = keyRing.rings.get(owner);
  const isWhole = known?.current && known.fingerprint && isFresh(known, keyRing.now(), CONFIRM_MS);
  const ring = isWhole ? known : await load(keyRing, owner, SEALING_PURPOSES);
  ring.usedAt = keyRing.now();
  if (ring.left <= 0) await reserveOnce(keyRing, ring);
}

function reserveOnce(keyRing: KeyRing, ring: Ring): Promise<void> {
  ring.reserving ??= reserve(keyRing, ring).finally(() => {
    ring.reserving = null;
  });
  return ring.reserving;
}

/** Reserves a block of uses in the store. When the key has none left, a new key becomes current. */
async function reserve(keyRing: KeyRing, ring: Ring): Promise<void> {
  const { owner } = ring;
  for (let tries = 0; tries < TRIES_MAX && ring.current; tries += 1) {
    const { version } = ring.current;
    const { block } = ring;
    const given = await keyRing.store.reserveKey({ owner, purpose: 'data', version }, block);
    const isEnough = given !== null && given <= USES_MAX;
    if (isEnough && ring.current?.version === version) {
      ring.left += block;
      ring.block = Math.min(block * BLOCK_GROWTH, BLOCK_MAX);
      return;
    }
    if (given !== null && !isEnough) await keyRing.maker.make({ owner, purpose: 'data', version: version + 1 });
    if (!isEnough) await load(keyRing, owner, SEALING_PURPOSES);
  }
  throw new Error('the keys of an owner change faster than they can be used');
}

/** Loads the owner's keys. Missing keys of those purposes are generated. */
async function load(keyRing: KeyRing, owner: string, purposes: readonly KeyRow['purpose'][]): Promise<Ring> {
  const { maker, rings } = keyRing;
  keyRing.turns += 1;
  const turn = keyRing.turns;
  const known = rings.get(owner);
  const { rows, readAt } = await maker.rows(owner, purposes);
  const keys = await dataKeys(rows, maker, known);
  const fingerprintRow = purposes.includes('fingerprint') && !known?.fingerprint ? currentOf(rows, 'fingerprint') : undefined;
  const fingerprint = fingerprintRow ? await maker.unwrap(fingerprintRow) : (known?.fingerprint ?? null);
  const version = currentOf(rows, 'data')?.version ?? 0;
  const key = keys.get(version);
  if (typeof key === 'string' && purposes.includes('data')) throw new VaultRefused(key, { owner, purpose: 'data', version });
  const ring = rings.get(owner) ?? newRing(owner, readAt);
  rings.set(owner, ring);
  const current = typeof key === 'object' ? { version, key } : null;
  // A later load may have asked for fewer purposes, or run before the keys existed: keys that only this load found still count.
  if (ring.turn > turn) {
    const isFirst = ring.current === null && current !== null;
    return Object.assign(ring, { fingerprint: ring.fingerprint ?? fingerprint, ...(isFirst && { current, keys }) });
  }
  if (version !== ring.current?.version) ring.left = 0;
  return Object.assign(ring, { turn, keys, current, fingerprint: fingerprint ?? ring.fingerprint, confirmedAt: readAt });
}

/** Every data key by version. A damaged one is reported when it is used: the others still open their values. */
async function dataKeys(rows: readonly KeyRow[], maker: KeyMaker, known: Ring | undefined): Promise<Ring['keys']> {
  const keys = new Map<number, KeyObject | VaultRefused['why']>();
  for (const row of rows.filter(({ purpose }) => purpose === 'data')) {
    const before = known?.keys.get(row.version);
    if (row.wrapped === null) keys.set(row.version, 'retired');
    else keys.set(row.version, typeof before === 'object' ? before : await maker.unwrap(row).catch(refusalReason));
  }
  return keys;
}

function refusalReason(error: unknown): VaultRefused['why'] {
  if (error instanceof VaultRefused) return error.why;
  throw error;
}

const currentOf = (rows: readonly KeyRow[], its: KeyRow['purpose']): KeyRow | undefined =>
  rows.find(({ purpose, state }) => purpose === its && state === 'current');

/** False too when the clock was set back. */
const isFresh = (ring: Ring, at: number, ms: number): boolean => at >= ring.confirmedAt && at - ring.confirmedAt <= ms;

const newRing = (owner: string, at: number): Ring => ({
  owner,
  turn: 0,
  keys: new Map(),
  current: null,
  fingerprint: null,
  confirmedAt: at,
  usedAt: at,
  left: 0,
  block: BLOCK_MIN,
  reserving: null,
});
