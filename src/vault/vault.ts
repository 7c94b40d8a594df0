import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { createKeyRing, findKey, fingerprintKey, ready, refresh, renew, sealer } from './keyRing.ts';
import { createKeyMaker, type MasterKey, type Masters, WrongMasterKey } from './masterKey.ts';
import type { KeyRow, KeyStore, SealedRecord, Vault } from './ports.ts';
import { createPieces, type RandomBytes, systemRandom } from './randomBytes.ts';
import { keyOfText, NONCE_BYTES, openText, sealText, VaultRefused } from './sealedText.ts';

/** The owner of keys that belong to no merchant. */
const GATEWAY = 'gateway';

/** The vault of a running process. */
export interface OpenedVault extends Vault {
  /** Keyed hash of a request: distinguishes a retry from another request under the same idempotency key without storing the request. */
  digest(entityId: string, text: string | Uint8Array): string;
  /** Reloads the keys of active owners; to be called every ten seconds. */
  refresh(): Promise<void>;
  /** The id of the current master key. */
  readonly masterId: string;
  /** Ensures that the owner's current data key is newer than this version; returns its version. */
  renew(owner: string, version: number): Promise<number>;
  /** Wraps a key with the current master key. False when another process has done so. */
  rewrap(row: KeyRow): Promise<boolean>;
}

export type VaultNeeds = {
  readonly masters: Masters;
  readonly store: KeyStore;
  readonly now: () => number;
  readonly random?: RandomBytes;
};

/**
 * The only code that uses keys. Every merchant has its own data key, stored wrapped by the master key, which never enters the database;
 * AES-256-GCM with a random nonce and a full tag; fingerprints have a key of their own per merchant. Rejects with WrongMasterKey when the
 * store has keys of a master key that is not configured.
 */
export async function openVault({ masters, store, now, random = systemRandom }: VaultNeeds): Promise<OpenedVault> {
  await checkMasters(masters, store);
  const maker = createKeyMaker({ masters, store, now, random });
  const keyRing = createKeyRing({ maker, store, now });
  const nonce = createPieces(NONCE_BYTES, random);
  const derivedKeys = createDerivedKeys(masters);
  const { rows } = await maker.rows(GATEWAY, ['digest']);
  const digestKey = await maker.unwrap(rows.find(({ purpose, state }) => purpose === 'digest' && state === 'current') as KeyRow);
  return {
    masterId: masters[0].id,
    ready: (merchantId) => ready(keyRing, merchantId),
    seal(record, clear) {
      const { key, version } = sealer(keyRing, record.merchantId);
      return sealText({ key, version, nonce: nonce() }, record, clear);
    },
    async open(record, sealed) {
      const sealedBy = keyOfText(sealed);
      if (sealedBy === null) throw new VaultRefused('damaged');
      if (sealedBy === 'derived') return openDerived(derivedKeys(record.entityId), record, sealed);
      return openText(await findKey(keyRing, record.merchantId, sealedBy), record, sealed);
    },
    fingerprint: (merchantId, number) => macBy(fingerprintKey(keyRing, merchantId))(number),
    digest: (entityId, text) => {
      const prefix = `${entityId.length}:${entityId}|`;
      if (typeof text === 'string') return macBy(digestKey)(prefix + text);
      return createHmac('sha256', digestKey).update(prefix).update(text).digest('base64url');
    },
    refresh: () => refresh(keyRing),
    renew: (owner, version) => renew(keyRing, owner, version),
    rewrap: maker.rewrap,
  };
}

/** Fails at the start instead of later for some merchants. */
async function checkMasters(masters: readonly MasterKey[], store: KeyStore): Promise<void> {
  const given = new Set(masters.map(({ id }) => id));
  const foreign = (await store.keys(null)).find(({ masterId, wrapped }) => wrapped !== null && !given.has(masterId));
  if (foreign) throw new WrongMasterKey(foreign.masterId);
}

/** The keys of format 1, derived per entity from each master key: the string does not name its master key. */
function createDerivedKeys(masters: readonly MasterKey[]): (entityId: string) => readonly KeyObject[] {
  const known = new Map<string, readonly KeyObject[]>();
  const derived = (entityId: string) =>
    masters.flatMap((master) => (master.derive ? [createSecretKey(master.derive(`data:v1:${entityId}`))] : []));
  return (entityId) => {
    const keys = known.get(entityId) ?? derived(entityId);
    known.set(entityId, keys);
    return keys;
  };
}

function openDerived(keys: readonly KeyObject[], record: SealedRecord, sealed: Uint8Array): string {
  for (const key of keys) {
    try {
      return openText(key, record, sealed);
    } catch (error) {
      if (!(error instanceof VaultRefused)) throw error;
    }
  }
  throw new VaultRefused('damaged');
}

const refuse = (): never => {
  throw new Error('this database is only read');
};

type ReadOnlyNeeds = { readonly keys: KeyStore['keys']; readonly masters: Masters; readonly now: () => number };

/** The vault of a database that is only read: keys are neither made nor reserved. */
export function openReadOnlyVault({ keys, masters, now }: ReadOnlyNeeds): Promise<OpenedVault> {
  const store: KeyStore = {
    keys,
    addKey: refuse,
    rewrapKey: refuse,
    reserveKey: refuse,
    retireKey: refuse,
    sealedAfter: refuse,
    countSealed: refuse,
    reseal: refuse,
  };
  return openVault({ masters, store, now });
}

/** HMAC-SHA-256 as base64url under one key. */
export type Mac = (text: string) => string;

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longer strings are hashed by `createHmac`. */
const TEXT_BYTES_MAX = 512;
/** A character has three bytes at most. */
const CHARACTER_BYTES = 3;

const macs = new WeakMap<KeyObject, Mac>();

/**
 * HMAC of short strings, by its definition: SHA-256 of the key's outer block and the SHA-256 of its inner block and the string. Two calls
 * of `hash` take a third of the time of `createHmac`, most of which prepares the key anew.
 */
export function macBy(key: KeyObject): Mac {
  const known = macs.get(key);
  if (known) return known;
  const made = createMac(key);
  macs.set(key, made);
  return made;
}

function createMac(key: KeyObject): Mac {
  const bytes = key.export();
  // A longer key is hashed first.
  const secret = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
  const inner = Buffer.alloc(BLOCK_BYTES + TEXT_BYTES_MAX);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    inner[at] = (secret[at] ?? 0) ^ 0x36;
    outer[at] = (secret[at] ?? 0) ^ 0x5c;
  }
  bytes.fill(0);
  return (text) => {
    if (text.length * CHARACTER_BYTES > TEXT_BYTES_MAX) return createHmac('sha256', key).update(text).digest('base64url');
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, 'utf8');
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    // The string may be a card number.
    inner.fill(0, BLOCK_BYTES, end);
    return hash('sha256', outer, 'base64url');
  };
}
