import { constants, createDecipheriv, createHmac, createPublicKey, type KeyObject, privateDecrypt } from 'node:crypto';
import { agreed, attempt, isP256, type OpenKey, sha256 } from './keys.ts';
import { base64UrlBytes, type JsonObject, jsonObject, memberOf, objectOf, textOf, utf8Text } from './text.ts';
import { refusal, type WalletFault } from './wallet.ts';

/** An encrypted message in its compact form, taken apart. */
export type Jwe = {
  readonly header: JsonObject;
  readonly encryptedKey: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** What the tag covers beside the ciphertext. */
  readonly covered: Buffer;
  /** What no one can change without the key: initialisation vector, ciphertext and tag as they were sent. */
  readonly core: string;
};

/** Ways to encrypt the content, by the bytes of their key. */
export const contentKeyBytes: ReadonlyMap<string, number> = new Map([
  ['A128GCM', 16],
  ['A256GCM', 32],
]);

const RSA_BITS_MIN = 2048;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const WRAP_IV = Buffer.from('a6a6a6a6a6a6a6a6', 'hex');

/** Takes a compact message apart, or null. */
export function readJwe(text: string): Jwe | null {
  const parts = text.split('.', 6);
  const [head = '', ...bodies] = parts;
  const headBytes = base64UrlBytes(head);
  const header = headBytes && jsonObject(utf8Text(headBytes) ?? '');
  const [encryptedKey, iv, ciphertext, tag] = bodies.map(base64UrlBytes);
  if (parts.length !== 5 || !header || !encryptedKey || iv?.length !== IV_BYTES || !ciphertext || tag?.length !== TAG_BYTES)
    return null;
  return { header, encryptedKey, iv, ciphertext, tag, covered: Buffer.from(head), core: bodies.slice(1).join('.') };
}

/** How the key of the content is got from the encrypted key, by the name of the algorithm. */
const unwrapping: ReadonlyMap<string, (jwe: Jwe, key: KeyObject) => Buffer | null> = new Map([
  ['RSA1_5', ({ encryptedKey }, key) => privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encryptedKey)],
  ['RSA-OAEP', ({ encryptedKey }, key) => privateDecrypt({ key, oaepHash: 'sha1' }, encryptedKey)],
  ['RSA-OAEP-256', ({ encryptedKey }, key) => privateDecrypt({ key, oaepHash: 'sha256' }, encryptedKey)],
  ['ECDH-ES+A256KW', unwrapAgreed],
]);

/** Decrypts with the key the header names, or with each that fits when it names none. */
export function openJwe(jwe: Jwe, keys: readonly OpenKey[]): Buffer | WalletFault {
  const { header } = jwe;
  const algorithm = textOf(header, 'alg') ?? '';
  const unwrap = unwrapping.get(algorithm);
  const size = contentKeyBytes.get(textOf(header, 'enc') ?? '');
  const isPlain = ['crit', 'zip'].every((name) => memberOf(header, name) === undefined);
  if (!unwrap || !size || !isPlain) return refusal('unsupported', 'the token is encrypted in a way that is not taken');
  const kid = memberOf(header, 'kid');
  const named = kid === undefined ? keys : keys.filter(({ id, hash }) => kid === id || kid === hash);
  const fitting = named.filter(({ key }) => (algorithm.startsWith('RSA') ? isRsa(key) : isP256(key)));
  if (fitting.length === 0) return refusal('unknownKey', 'the token is encrypted for a key this entity does not have');
  for (const { key } of fitting) {
    const found = attempt(() => unwrap(jwe, key));
    const clear = decrypted(jwe, found?.length === size ? found : impostor(jwe, key, size));
    if (clear) return clear;
  }
  return refusal('tampered', 'the token does not decrypt: it was changed, or made for another key');
}

export const isRsa = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;

/**
 * A key nobody can know, to go on with after the encrypted key turned out wrong: the work and the refusal are then the same
 * whatever was wrong with it, so that nobody learns about our private key from how we refuse (RFC 7516, 11.5).
 */
function impostor({ encryptedKey }: Jwe, key: KeyObject, size: number): Buffer {
  const secret = key.export({ format: 'der', type: 'pkcs8' });
  return createHmac('sha256', secret).update(encryptedKey).digest().subarray(0, size);
}

function decrypted({ iv, ciphertext, tag, covered }: Jwe, contentKey: Buffer): Buffer | null {
  const name = contentKey.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
  const decipher = createDecipheriv(name, contentKey, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(covered).setAuthTag(tag);
  return attempt(() => Buffer.concat([decipher.update(ciphertext), decipher.final()]));
}

function unwrapAgreed({ header, encryptedKey }: Jwe, key: KeyObject): Buffer | null {
  const jwk = objectOf(header, 'epk');
  if (!jwk) return null;
  const [kty, crv, x, y] = ['kty', 'crv', 'x', 'y'].map((name) => textOf(jwk, name) ?? '');
  const publicKey = createPublicKey({ format: 'jwk', key: { kty, crv, x, y } });
  const parties = ['apu', 'apv'].map((name) => base64UrlBytes(textOf(header, name) ?? ''));
  const secret = isP256(publicKey) ? agreed(key, publicKey) : null;
  if (!secret || parties.includes(null)) return null;
  const decipher = createDecipheriv('id-aes256-wrap', wrappingKey(secret, parties as Buffer[]), WRAP_IV);
  return Buffer.concat([decipher.update(encryptedKey), decipher.final()]);
}

/** The key that wraps the content's key, from what two keys agree on: RFC 7518, 4.6.2. */
export function wrappingKey(secret: Buffer, parties: readonly Buffer[]): Buffer {
  const fields = [Buffer.from('ECDH-ES+A256KW'), ...parties].flatMap((part) => [number32(part.length), part]);
  return sha256(Buffer.concat([number32(1), secret, ...fields, number32(256)]));
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
