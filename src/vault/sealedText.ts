import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { KeyName, SealedRecord } from './ports.ts';

/**
 * The formats of a sealed value. Format 2 is written: 2 ‖ version of the key (4 bytes) ‖ nonce (12) ‖ ciphertext ‖ tag (16). Format 1 is
 * only read: 1 ‖ nonce ‖ ciphertext ‖ tag, under a key derived from the master key.
 */
const [OLD_FORMAT, FORMAT] = [1, 2];
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION_BYTES = 4;
const OLD_HEAD_BYTES = 1 + NONCE_BYTES;
const HEAD_BYTES = 1 + VERSION_BYTES + NONCE_BYTES;
const ALGORITHM = 'aes-256-gcm';
const FULL_TAG = { authTagLength: TAG_BYTES };

/** A value cannot be opened. The error contains nothing of the value. The caller should raise an alarm. */
export class VaultRefused extends Error {
  override readonly name = 'VaultRefused';
  readonly why: keyof typeof sentences;
  /** `key`: the damaged one, where it is known. */
  constructor(why: keyof typeof sentences, key?: KeyName) {
    super(why === 'damagedKey' && key ? damagedKeySentence(key) : sentences[why]);
    this.why = why;
  }
}

const sentences = {
  damaged: 'a sealed text is damaged, or is not where it was sealed for',
  retired: 'a sealed text is under a key that was retired',
  damagedKey: 'a key is damaged, or is not where it was wrapped for',
  unknownKey: 'a sealed text is under a key that is not known',
} as const;

const damagedKeySentence = ({ owner, purpose, version }: KeyName): string =>
  `the ${purpose} key ${version} of ${owner} (table data_key) is damaged, or is not where it was wrapped for: stop the gateway and restore the database from its last good backup with npx turnpike restore --overwrite (docs/backup.md)`;

/** The version of the key that sealed a value; `derived` for format 1, null when it is no sealed value. */
export function keyOfText(sealed: Uint8Array): number | 'derived' | null {
  if (sealed[0] === OLD_FORMAT && sealed.length >= OLD_HEAD_BYTES + TAG_BYTES) return 'derived';
  if (sealed[0] !== FORMAT || sealed.length < HEAD_BYTES + TAG_BYTES) return null;
  return buffer(sealed).readUInt32BE(1);
}

type Sealing = { readonly key: KeyObject; readonly version: number; readonly nonce: Buffer };

/** The value has memory of its own: a view of a shared pool would take the bytes of other requests along to another thread. */
export function sealText({ key, version, nonce }: Sealing, record: SealedRecord, clear: string): Uint8Array {
  // Without options, which Node reads slowly: a full tag is the default of a cipher.
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(boundTo(version, record));
  const body = cipher.update(clear);
  cipher.final();
  const sealed = Buffer.allocUnsafeSlow(HEAD_BYTES + body.length + TAG_BYTES);
  sealed[0] = FORMAT;
  sealed.writeUInt32BE(version, 1);
  nonce.copy(sealed, 1 + VERSION_BYTES);
  body.copy(sealed, HEAD_BYTES);
  cipher.getAuthTag().copy(sealed, HEAD_BYTES + body.length);
  return sealed;
}

/** Throws when a single bit differs or the record is not the one it was sealed for. */
export function openText(key: KeyObject, record: SealedRecord, sealed: Uint8Array): string {
  const bytes = buffer(sealed);
  const isOld = bytes[0] === OLD_FORMAT;
  const headBytes = isOld ? OLD_HEAD_BYTES : HEAD_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(headBytes - NONCE_BYTES, headBytes), FULL_TAG);
  decipher.setAAD(isOld ? oldBoundTo(record) : boundTo(bytes.readUInt32BE(1), record));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const clear = decipher.update(bytes.subarray(headBytes, bytes.length - TAG_BYTES), undefined, 'utf8');
    decipher.final();
    return clear;
  } catch {
    throw new VaultRefused('damaged');
  }
}

const BOUND_BYTES_MAX = 512;
/** A character has three bytes at most. */
const CHARACTER_BYTES = 3;
/** The binding of a value is read immediately, because all bindings share one buffer. */
const bound = Buffer.alloc(BOUND_BYTES_MAX);

/** The lengths of the parts come first, so that the concatenation is unambiguous. */
function boundTo(version: number, { merchantId, entityId, recordId, field }: SealedRecord): Buffer {
  const lengths = `${FORMAT}|${version}|${merchantId.length}|${entityId.length}|${recordId.length}|`;
  const text = `${lengths}${merchantId}${entityId}${recordId}${field}`;
  return text.length * CHARACTER_BYTES > BOUND_BYTES_MAX ? Buffer.from(text) : bound.subarray(0, bound.write(text));
}

const oldBoundTo = ({ entityId, recordId, field }: SealedRecord): Buffer =>
  Buffer.from(`${OLD_FORMAT}|${entityId}|${recordId}|${field}`);

const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
