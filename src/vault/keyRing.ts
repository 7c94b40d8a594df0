import type { KeyObject } from 'node:crypto';
import type { KeyMaker } from './keyMaker.ts';
import type { KeyRow, KeyStore } from './ports.ts';
import { VaultRefused } from './sealedText.ts';

/** A key seals only so long after it was confirmed to be the current one; a rotation waits longer than this. */
export const LEASE_MS = 60_000;
/** What was confirmed longer ago is not ready: between that and the sealing there is half a lease, and no clock to be read again. */
const CONFIRM_MS = LEASE_MS / 2;
/** The keys of an owner who does nothing are not kept in memory. */
const IDLE_MS = 600_000;
/** Random nonces are good for 2^32 texts (NIST SP 800-38D, 8.3); a key is exchanged long before. */
export const USES_MAX = 2 ** 30;
/** Uses are taken from the store by the block: small at first, because what a process has left at its end is lost. */
const [BLOCK_MIN, BLOCK_MAX, BLOCK_GROWTH] = [2 ** 12, 2 ** 20, 16];
/** More is fetched when only this part of a block is left. */
const LOW_PART = 64;
const TRIES_MAX = 8;

/** What it takes to seal for an owner. */
const WHOLE: readonly KeyRow['purpose'][] = ['data', 'fingerprint'];

/** The current key of an owner. */
export type Sealer = { readonly version: number; readonly key: KeyObject };

/** The keys of one owner as this process knows them. */
type Ring = {
  readonly owner: string;
  /** Which reading of the store it shows: a slower, older one does not replace it. */
  turn: number;
  /** Data keys by version, or why there is none. */
  keys: ReadonlyMap<number, KeyObject | VaultRefused['why']>;
  current: Sealer | null;
  fingerprint: KeyObject | null;
  confirmedAt: number;
  usedAt: number;
  /** Uses of the current key that were reserved and not made. May fall a little below zero: the next block pays for it. */
  left: number;
  block: number;
  reserving: Promise<void> | null;
};

export type KeyRingNeeds = { readonly maker: KeyMaker; readonly store: KeyStore; readonly now: () => number };

/** The key rings of all owners: read when needed, confirmed while in use, exchanged before they are worn out. */
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

/** Null when the owner's keys are at hand, confirmed and have uses left. */
export function ready(shelf: KeyRing, owner: string): Promise<void> | null {
  const ring = shelf.rings.get(owner);
  const at = shelf.now();
  if (!ring || ring.left <= 0 || !isFresh(ring, at, CONFIRM_MS)) return prepareOnce(shelf, owner);
  ring.usedAt = at;
  // In good time and without anybody waiting. When it fails, whoever finds nothing left will hear of it.
  if (ring.left < ring.block / LOW_PART && !ring.reserving) reserveOnce(shelf, ring).catch(() => {});
  return null;
}

/** The current key of an owner who is ready, for one use. */
export function sealer(shelf: KeyRing, owner: string): Sealer {
  const ring = shelf.rings.get(owner);
  if (!ring?.current) throw new Error('an owner must be ready when something is sealed');
  ring.left -= 1;
  return ring.current;
}

export function fingerprintKey(shelf: KeyRing, owner: string): KeyObject {
  const key = shelf.rings.get(owner)?.fingerprint;
  if (!key) throw new Error('an owner must be ready when a fingerprint is taken');
  return key;
}

/** The data key of a version; the store is asked once more for one that is not known. Rejects when it is retired, damaged or absent. */
export async function findKey(shelf: KeyRing, owner: string, version: number): Promise<KeyObject> {
  const at = shelf.now();
  let ring = shelf.rings.get(owner);
  if (!ring?.keys.has(version) || !isFresh(ring, at, LEASE_MS)) ring = await load(shelf, owner, []);
  ring.usedAt = at;
  const key = ring.keys.get(version) ?? 'unknownKey';
  if (typeof key === 'string') throw new VaultRefused(key);
  return key;
}

/** Reads the keys of those owners again who were active since the last time, and forgets the idle ones. */
export async function refresh(shelf: KeyRing): Promise<void> {
  const since = shelf.refreshedAt;
  shelf.refreshedAt = shelf.now();
  const refusals: VaultRefused[] = [];
  for (const { owner, usedAt } of [...shelf.rings.values()]) {
    if (Math.abs(shelf.refreshedAt - usedAt) > IDLE_MS) shelf.rings.delete(owner);
    if (usedAt < since || !shelf.rings.has(owner)) continue;
    // One owner with a damaged key does not keep the others from theirs.
    await load(shelf, owner, []).catch((error) => {
      if (!(error instanceof VaultRefused)) throw error;
      refusals.push(error);
    });
  }
  if (refusals[0]) throw refusals[0];
}

/** Sees to it that a later key than this version is the owner's current one; answers which. */
export async function renew(shelf: KeyRing, owner: string, version: number): Promise<number> {
  for (let tries = 0; tries < 2; tries += 1) {
    const { current } = await load(shelf, owner, WHOLE);
    if (current && current.version > version) return current.version;
    await shelf.maker.make({ owner, purpose: 'data', version: version + 1 });
  }
  throw new Error('a new key does not become the current one');
}

function prepareOnce(shelf: KeyRing, owner: string): Promise<void> {
  const running = shelf.preparing.get(owner);
  if (running) return running;
  const begun = prepare(shelf, owner).finally(() => shelf.preparing.delete(owner));
  shelf.preparing.set(owner, begun);
  return begun;
}

async function prepare(shelf: KeyRing, owner: string): Promise<void> {
  const known = shelf.rings.get(owner);
  const isWhole = known?.current && known.fingerprint && isFresh(known, shelf.now(), CONFIRM_MS);
  const ring = isWhole ? known : await load(shelf, owner, WHOLE);
  ring.usedAt = shelf.now();
  if (ring.left <= 0) await reserveOnce(shelf, ring);
}

function reserveOnce(shelf: KeyRing, ring: Ring): Promise<void> {
  ring.reserving ??= reserve(shelf, ring).finally(() => {
    ring.reserving = null;
  });
  return ring.reserving;
}

/** Takes a block of uses from the store. When the key has none to give any more, a new one becomes current. */
async function reserve(shelf: KeyRing, ring: Ring): Promise<void> {
  const { owner } = ring;
  for (let tries = 0; tries < TRIES_MAX && ring.current; tries += 1) {
    const { version } = ring.current;
    const { block } = ring;
    const given = await shelf.store.reserveKey({ owner, purpose: 'data', version }, block);
    const isEnough = given !== null && given <= USES_MAX;
    if (isEnough && ring.current?.version === version) {
      ring.left += block;
      ring.block = Math.min(block * BLOCK_GROWTH, BLOCK_MAX);
      return;
    }
    if (given !== null && !isEnough) await shelf.maker.make({ owner, purpose: 'data', version: version + 1 });
    if (!isEnough) await load(shelf, owner, WHOLE);
  }
  throw new Error('the keys of an owner change faster than they can be used');
}

/** Reads the owner's keys. What is missing of those purposes is made. */
async function load(shelf: KeyRing, owner: string, purposes: readonly KeyRow['purpose'][]): Promise<Ring> {
  const { maker, rings } = shelf;
  shelf.turns += 1;
  const turn = shelf.turns;
  const known = rings.get(owner);
  const { rows, readAt } = await maker.rows(owner, purposes);
  const keys = await dataKeys(rows, maker, known);
  const fingerprintRow = purposes.includes('fingerprint') && !known?.fingerprint ? currentOf(rows, 'fingerprint') : undefined;
  const fingerprint = fingerprintRow ? await maker.unwrap(fingerprintRow) : (known?.fingerprint ?? null);
  const version = currentOf(rows, 'data')?.version ?? 0;
  const key = keys.get(version);
  if (typeof key === 'string' && purposes.includes('data')) throw new VaultRefused(key);
  const ring = rings.get(owner) ?? newRing(owner, readAt);
  rings.set(owner, ring);
  const current = typeof key === 'object' ? { version, key } : null;
  // A later reading may have looked for less, or before the keys were made: what only this one has found still counts.
  if (ring.turn > turn) {
    const isFirst = ring.current === null && current !== null;
    return Object.assign(ring, { fingerprint: ring.fingerprint ?? fingerprint, ...(isFirst && { current, keys }) });
  }
  if (version !== ring.current?.version) ring.left = 0;
  return Object.assign(ring, { turn, keys, current, fingerprint: fingerprint ?? ring.fingerprint, confirmedAt: readAt });
}

/** Every data key by its version. A damaged one is told when it is asked for: the others still open what is theirs. */
async function dataKeys(rows: readonly KeyRow[], maker: KeyMaker, known: Ring | undefined): Promise<Ring['keys']> {
  const keys = new Map<number, KeyObject | VaultRefused['why']>();
  for (const row of rows.filter(({ purpose }) => purpose === 'data')) {
    const before = known?.keys.get(row.version);
    if (row.wrapped === null) keys.set(row.version, 'retired');
    else keys.set(row.version, typeof before === 'object' ? before : await maker.unwrap(row).catch(whyRefused));
  }
  return keys;
}

function whyRefused(error: unknown): VaultRefused['why'] {
  if (error instanceof VaultRefused) return error.why;
  throw error;
}

const currentOf = (rows: readonly KeyRow[], its: KeyRow['purpose']): KeyRow | undefined =>
  rows.find(({ purpose, state }) => purpose === its && state === 'current');

/** A clock that was set back makes nothing fresher. */
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
