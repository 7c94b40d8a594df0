import { createPrivateKey, createPublicKey, diffieHellman, hash, type KeyObject } from 'node:crypto';
import type { WalletKey } from './wallet.ts';

/** A parsed private key with the hash by which wallets refer to it: base64 of SHA-256 of the public key. */
export type OpenKey = { readonly id: string; readonly key: KeyObject; readonly hash: string };

const P256_HEADER = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const POINT_BYTES = 65;

/** The result of a call that throws on bad input; null when it did. */
export function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** SHA-256 of public data: keys, identifiers and signed messages, never a card number. */
export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** The valid keys of a setup; setupFaults reports the others. */
export function openKeys(keys: readonly WalletKey[]): readonly OpenKey[] {
  return keys.flatMap(({ id, privateKey }) => {
    const key = attempt(() => createPrivateKey(privateKey));
    if (!key) return [];
    return [{ id, key, hash: publicHash(key) }];
  });
}

/** Base64 of SHA-256 of the public key in its X.509 form. */
export const publicHash = (key: KeyObject): string =>
  sha256(createPublicKey(key).export({ format: 'der', type: 'spki' })).toString('base64');

export const isP256 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';

/** A P-256 public key in its X.509 form. */
export function p256Key(spki: Buffer): KeyObject | null {
  const key = attempt(() => createPublicKey({ key: spki, format: 'der', type: 'spki' }));
  return key && isP256(key) ? key : null;
}

/** A P-256 public key as an uncompressed point. */
export const p256Point = (point: Buffer): KeyObject | null =>
  point.length === POINT_BYTES && point[0] === 4 ? p256Key(Buffer.concat([P256_HEADER, point])) : null;

/** The point of a P-256 key, uncompressed. */
export const pointOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(P256_HEADER.length);

/** The ECDH shared secret of two keys; null when they have different curves. */
export const sharedSecret = (privateKey: KeyObject, publicKey: KeyObject): Buffer | null =>
  attempt(() => diffieHellman({ privateKey, publicKey }));
