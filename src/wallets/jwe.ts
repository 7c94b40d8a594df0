import { constants, createDecipheriv, createHmac, createPublicKey, type KeyObject, privateDecrypt } from 'node:crypto';
import { attempt, isP256, type OpenKey, sha256, sharedSecret } from './keys.ts';
import { base64UrlBytes, type JsonObject, jsonObject, memberOf, objectOf, textOf, utf8Text } from './text.ts';
import { refusal, type WalletFault } from './wallet.ts';

/** A parsed JWE in compact serialisation. */
export type Jwe = {
  readonly header: JsonObject;
  readonly encryptedKey: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** The additional authenticated data. */
  readonly additionalData: Buffer;
  /** The authenticated parts as sent: initialisation vector, ciphertext and tag. */
  readonly core: string;
};

/** Content encryption algorithms with their key sizes in bytes. */
export const contentKeyBytes: ReadonlyMap<string, number> = new Map([
  ['A128GCM', 16],
  ['A256GCM', 32],
]);

const RSA_BITS_MIN = 2048;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const WRAP_IV = Buffer.from('a6a6a6a6a6a6a6a6', 'hex');

/** Parses a compact JWE; null when it is malformed. */
export function readJwe(text: string): Jwe | null {
  const parts = text.split('.', 6);
  const [head = '', ...bodies] = parts;
  const headBytes = base64UrlBytes(head);
  const header = headBytes && jsonObject(utf8Text(headBytes) ?? '');
  const [encryptedKey, iv, ciphertext, tag] = bodies.map(base64UrlBytes);
  if (parts.length !== 5 || !header || !encryptedKey || iv?.length !== IV_BYTES || !ciphertext || tag?.length !== TAG_BYTES)
    return null;
  return { header, encryptedKey, iv, ciphertext, tag, additionalData: Buffer.from(head), core: bodies.slice(1).join('.') };
}

/** Key management algorithms. */
const unwrapping: ReadonlyMap<string, (jwe: Jwe, key: KeyObject) => Buffer | null> = new Map([
  ['RSA1_5', ({ encryptedKey }, key) => privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encryptedKey)],
  ['RSA-OAEP', ({ encryptedKey }, key) => privateDecrypt({ key, oaepHash: 'sha1' }, encryptedKey)],
  ['RSA-OAEP-256', ({ encryptedKey }, key) => privateDecrypt({ key, oaepHash: 'sha256' }, encryptedKey)],
  ['ECDH-ES+A256KW', unwrapAgreed],
]);

/** Decrypts with the key that the header names, or tries each suitable key when it names none. */
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
    const clear = decrypted(jwe, found?.length === size ? found : substituteKey(jwe, key, size));
    if (clear) return clear;
  }
  return refusal('tampered', 'the token does not decrypt: it was changed, or made for another key');
}

export const isRsa = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;

/**
 * A secret substitute for a content key that did not decrypt: work and refusal are then the same for every fault, so that refusals reveal
 * nothing about the private key (RFC 7516, 11.5).
 */
function substituteKey({ encryptedKey }: Jwe, key: KeyObject, size: number): Buffer {
  const secret = key.export({ format: 'der', type: 'pkcs8' });
  return createHmac('sha256', secret).update(encryptedKey).digest().subarray(0, size);
}

function decrypted({ iv, ciphertext, tag, additionalData }: Jwe, contentKey: Buffer): Buffer | null {
  const name = contentKey.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
  const decipher = createDecipheriv(name, contentKey, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData).setAuthTag(tag);
  return attempt(() => Buffer.concat([decipher.update(ciphertext), decipher.final()]));
}

function unwrapAgreed({ header, encryptedKey }: Jwe, key: KeyObject): Buffer | null {
  const jwk = objectOf(header, 'epk');
  if (!jwk) return null;
  const [kty, crv, x, y] = ['kty', 'crv', 'x', 'y'].map((name) => textOf(jwk, name) ?? '');
  const publicKey = createPublicKey({ format: 'jwk', key: { kty, crv, x, y } });
  const parties = ['apu', 'apv'].map((name) => base64UrlBytes(textOf(header, name) ?? ''));
  const secret = isP256(publicKey) ? sharedSecret(key, publicKey) : null;
  if (!secret || parties.includes(null)) return null;
  const decipher = createDecipheriv('id-aes256-wrap', wrappingKey(secret, parties as Buffer[]), WRAP_IV);
  return Buffer.concat([decipher.update(encryptedKey), decipher.final()]);
}

/** The key wrapping key, derived from the shared secret: RFC 7518, 4.6.2. */
export function wrappingKey(secret: Buffer, parties: readonly Buffer[]): Buffer {
  const fields = [Buffer.from('ECDH-ES+A256KW'), ...parties].flatMap((part) => [number32(part.length), part]);
  return sha256(Buffer.concat([number32(1), secret, ...fields, number32(256)]));
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
