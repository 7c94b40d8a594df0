import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Masters, WrongMasterKey } from './masterKey.ts';
import type { KeyName, KeyRow, KeyStore } from './ports.ts';
import type { RandomBytes } from './randomBytes.ts';
import { VaultRefused } from './sealedText.ts';

const KEY_BYTES = 32;
const TRIES_MAX = 4;

export type KeyMakerNeeds = {
  readonly masters: Masters;
  readonly store: KeyStore;
  readonly now: () => number;
  readonly random: RandomBytes;
};

/** Generates, wraps and unwraps keys. It stores no key. */
export interface KeyMaker {
  /** The keys of an owner, and when they were read. Missing keys of those purposes are generated. */
  rows(
    owner: string,
    purposes: readonly KeyRow['purpose'][],
  ): Promise<{ readonly rows: readonly KeyRow[]; readonly readAt: number }>;
  /** Generates a new current key. Does nothing when another process has done so. */
  make(name: KeyName): Promise<void>;
  /** Rejects when the row is damaged or its master key is not configured. */
  unwrap(row: KeyRow): Promise<KeyObject>;
  /** Wraps a key with the current master key. False when another process has done so. */
  rewrap(row: KeyRow): Promise<boolean>;
}

/** The clear bytes of a wrapped key. Rejects when the row is damaged, with its name, or when its master key is not configured. */
export function createKeyOpener(masters: Masters): (row: KeyRow) => Promise<Uint8Array> {
  return async (row) => {
    const its = masters.find(({ id }) => id === row.masterId);
    if (!its) throw new WrongMasterKey(row.masterId);
    if (row.wrapped === null) throw new Error('a retired key cannot be unwrapped');
    return its.unwrap(row.wrapped, boundTo(row)).catch((error) => {
      throw error instanceof VaultRefused ? new VaultRefused(error.why, row) : error;
    });
  };
}

export function createKeyMaker({ masters, store, now, random }: KeyMakerNeeds): KeyMaker {
  const [master] = masters;

  const clearOf = createKeyOpener(masters);

  async function make({ owner, purpose, version }: KeyName): Promise<void> {
    const clear = firstValue({ owner, purpose, version });
    const wrapped = await master.wrap(clear, boundTo({ owner, purpose, version }));
    clear.fill(0);
    const life = { state: 'current', createdAt: now(), reserved: 0 } as const;
    await store.addKey({ owner, purpose, version, masterId: master.id, wrapped, ...life });
  }

  /**
   * Data keys are random. Fingerprints of earlier releases stay valid, because the first fingerprint key of a merchant is derived as it was
   * then: from the oldest configured master key.
   */
  function firstValue({ owner, purpose, version }: KeyName): Uint8Array {
    const derived = purpose === 'data' || version > 1 ? undefined : masters.at(-1)?.derive?.(`${purpose}:v1:${owner}`);
    if (derived) return derived;
    const clear = Buffer.alloc(KEY_BYTES);
    random(clear);
    return clear;
  }

  return {
    async rows(owner, purposes) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const readAt = now();
        const rows = await store.keys(owner);
        const missing = purposes.filter((its) => !rows.some(({ purpose, state }) => purpose === its && state === 'current'));
        if (missing.length === 0) return { rows, readAt };
        for (const purpose of missing) await make({ owner, purpose, version: nextVersion(rows, purpose) });
      }
      throw new Error('a new key does not show in the store');
    },
    make,
    async unwrap(row) {
      const clear = await clearOf(row);
      const key = createSecretKey(clear);
      clear.fill(0);
      return key;
    },
    async rewrap(row) {
      const clear = await clearOf(row);
      const wrapped = await master.wrap(clear, boundTo(row));
      clear.fill(0);
      return store.rewrapKey(row, row.masterId, { masterId: master.id, wrapped });
    },
  };
}

const nextVersion = (rows: readonly KeyRow[], its: KeyRow['purpose']): number =>
  1 + Math.max(0, ...rows.filter(({ purpose }) => purpose === its).map(({ version }) => version));

/** Binds a wrapped key to its owner, purpose and version. */
const boundTo = ({ owner, purpose, version }: KeyName): Buffer =>
  Buffer.from(`key|${owner.length}:${owner}|${purpose}|${version}`);
