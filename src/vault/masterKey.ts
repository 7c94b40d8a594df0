import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { KeyName, KeyRow, KeyStore } from './ports.ts';
import { type RandomBytes, systemRandom } from './randomBytes.ts';
import { VaultRefused } from './sealedText.ts';

/**
 * The key that wraps all others. It never enters the database, and need not be in this process: an implementation may call a key management
 * service. Unwrapping needs the same `bound` bytes, so that a wrapped key cannot replace another.
 */
export interface MasterKey {
  /** Identifies the master key without revealing anything about it. */
  readonly id: string;
  wrap(clear: Uint8Array, bound: Uint8Array): Promise<Uint8Array>;
  /** Rejects with VaultRefused when a single bit differs, with anything else when it could not be tried. */
  unwrap(wrapped: Uint8Array, bound: Uint8Array): Promise<Uint8Array>;
  /** Present on a key that an earlier release derived other keys from: derives the same keys. */
  derive?(label: string): Uint8Array;
}

/** The database has keys of a master key that is not configured: the operator must add it. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
  constructor(masterId: string) {
    super(
      `MASTER_KEY: the database holds keys of another master key, whose id is ${masterId}; give it, or while it is rotated name it as MASTER_KEY_PREVIOUS`,
    );
  }
}

const MASTER_BYTES = 32;
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/** A master key of 32 bytes in the memory of this process: AES-256-GCM with a full tag, under a key derived for wrapping alone. */
export function localMaster(bytes: Uint8Array, random: RandomBytes = systemRandom): MasterKey {
  if (bytes.length !== MASTER_BYTES) throw new Error('the master key has 32 bytes');
  const master = createSecretKey(bytes);
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', master, Buffer.from('turnpike'), label, 32));
  const wrapping = createSecretKey(derive('wrap:v2'));
  return {
    id: createHmac('sha256', derive('id:v2')).update('master key').digest('hex').slice(0, 16),
    derive,
    /** format ‖ nonce ‖ ciphertext ‖ tag */
    async wrap(clear, bound) {
      const head = Buffer.alloc(HEAD_BYTES, FORMAT);
      random(head.subarray(1));
      const cipher = createCipheriv('aes-256-gcm', wrapping, head.subarray(1), { authTagLength: TAG_BYTES });
      cipher.setAAD(bound);
      const body = cipher.update(clear);
      cipher.final();
      return Buffer.concat([head, body, cipher.getAuthTag()]);
    },
    async unwrap(wrapped, bound) {
      if (wrapped.length < HEAD_BYTES + TAG_BYTES || wrapped[0] !== FORMAT) throw new VaultRefused('damagedKey');
      const end = wrapped.length - TAG_BYTES;
      const nonce = wrapped.subarray(1, HEAD_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', wrapping, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(bound);
      decipher.setAuthTag(wrapped.subarray(end));
      const clear = decipher.update(wrapped.subarray(HEAD_BYTES, end));
      try {
        decipher.final();
      } catch {
        throw new VaultRefused('damagedKey');
      }
      return clear;
    },
  };
}

/** The current master key first, then the previous ones, which only unwrap. */
export type Masters = readonly [MasterKey, ...MasterKey[]];

export const localMasters = (current: Uint8Array, previous: readonly Uint8Array[]): Masters => [
  localMaster(current),
  ...previous.map((bytes) => localMaster(bytes)),
];

const KEY_BYTES = 32;
const TRIES_MAX = 4;

type KeyMakerNeeds = {
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
