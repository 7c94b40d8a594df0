import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createKeyMaker } from './keyMaker.ts';
import { createKeyRing, findKey, fingerprintKey, ready, refresh, renew, sealer } from './keyRing.ts';
import { macBy } from './mac.ts';
import { type MasterKey, type Masters, WrongMasterKey } from './masterKey.ts';
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

/** The keys of format 1, derived per entity from each master key: the text does not name its master key. */
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
