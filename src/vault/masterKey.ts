import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
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
