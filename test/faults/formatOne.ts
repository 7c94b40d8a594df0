import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SealedRecord } from '../../src/vault/ports.ts';

/** A key as the release before keys were rows derived it from the master key. */
export const derivedKey = (master: Uint8Array, purpose: string, owner: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.from('turnpike'), `${purpose}:v1:${owner}`, 32));

/** Seals a text as that release did. */
export function sealedBefore(master: Uint8Array, { entityId, recordId, field }: SealedRecord, clear: string): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(master, 'data', entityId), nonce);
  cipher.setAAD(Buffer.from(`1|${entityId}|${recordId}|${field}`));
  return Buffer.concat([Buffer.from([1]), nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
}
