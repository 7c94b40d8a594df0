import { createPublicKey, hash, verify, type webcrypto } from 'node:crypto';
import { decodeCBOR, decodePartialCBOR } from '@levischuck/tiny-cbor';

/**
 * Checks the response of an authenticator (W3C Web Authentication, 7.1 and 7.2) for a relying party that asks for no attestation: where
 * the authenticator was made is neither asked nor believed. Signatures are checked by `node:crypto`.
 */

/** The expected values of a response. */
export type Ceremony = {
  readonly origin: string;
  /** The relying party's id: the host. */
  readonly host: string;
  readonly challenge: string;
  /** Whether the authenticator must have verified its user by finger, face or PIN. */
  readonly requiresVerification: boolean;
};

/** A stored credential: id and COSE key in base64url, and the signature counter of its authenticator. */
export type StoredCredential = { readonly credentialId: string; readonly publicKey: string; readonly counter: number };

/** Numbers of COSE algorithms: EdDSA, ES256 and RS256. Every authenticator has one of them. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** Names the fault for the log. Callers reply only that the response is wrong. */
class InvalidResponse extends Error {}

function must(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new InvalidResponse(what);
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes of their own, because the CBOR reader looks at the whole buffer behind what it is given. */
function bytesOf(value: unknown, what: string): Uint8Array<ArrayBuffer> {
  must(typeof value === 'string' && /^[\w-]+$/.test(value), `${what} is not base64url`);
  return Uint8Array.from(Buffer.from(value, 'base64url'));
}

const sha256 = (bytes: Uint8Array | string): Buffer => hash('sha256', bytes, 'buffer');

/** The checks that a new credential and a known one have in common. Returns the response and the hash of the client data. */
function checkClient(credential: Json, type: string, { origin, challenge }: Ceremony): { response: Json; clientHash: Buffer } {
  const { id, rawId, type: kind, response } = credential;
  must(typeof id === 'string' && id !== '' && id === rawId, 'the id is missing or not base64url');
  must(kind === 'public-key' && isObject(response), 'it is no public key credential');
  const bytes = bytesOf(response.clientDataJSON, 'clientDataJSON');
  const client: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  must(isObject(client), 'clientDataJSON is no object');
  must(client.type === type, 'the type is another');
  must(client.challenge === challenge, 'the challenge is another');
  must(client.origin === origin, 'the origin is another');
  must(client.crossOrigin !== true && client.topOrigin === undefined, 'the page was inside of a page of another origin');
  return { response, clientHash: sha256(bytes) };
}

type AuthenticatorData = {
  readonly counter: number;
  readonly attested: { readonly id: string; readonly key: Uint8Array<ArrayBuffer> } | null;
};

const FLAGS = { present: 0x01, verified: 0x04, canBackUp: 0x08, isBackedUp: 0x10, attested: 0x40, extended: 0x80 } as const;
const [HEAD_BYTES, AAGUID_BYTES, ID_BYTES_MAX] = [37, 16, 1023];

/** Reads authenticator data (6.1) to its last byte. */
function readAuthenticatorData(data: Uint8Array<ArrayBuffer>, { host, requiresVerification }: Ceremony): AuthenticatorData {
  must(data.length >= HEAD_BYTES, 'the authenticator data is too short');
  const view = new DataView(data.buffer);
  const flags = view.getUint8(32);
  const has = (flag: keyof typeof FLAGS): boolean => (flags & FLAGS[flag]) !== 0;
  must(sha256(host).equals(data.subarray(0, 32)), 'the host is another');
  must(has('present'), 'no user was present');
  must(has('verified') || !requiresVerification, 'the user was not verified');
  must(has('canBackUp') || !has('isBackedUp'), 'a credential that cannot be backed up is');
  let end = HEAD_BYTES;
  let attested: AuthenticatorData['attested'] = null;
  if (has('attested')) {
    must(data.length > end + AAGUID_BYTES + 2, 'the credential is cut off');
    const idAt = end + AAGUID_BYTES + 2;
    const keyAt = idAt + view.getUint16(idAt - 2);
    must(keyAt - idAt <= ID_BYTES_MAX && keyAt < data.length, 'the id of the credential is too long');
    end = keyAt + decodePartialCBOR(data, keyAt)[1];
    attested = { id: Buffer.from(data.subarray(idAt, keyAt)).toString('base64url'), key: data.slice(keyAt, end) };
  }
  if (has('extended')) {
    const [extensions, length] = decodePartialCBOR(data, end);
    must(extensions instanceof Map, 'the extensions are no map');
    end += length;
  }
  must(end === data.length, 'the authenticator data has another length');
  return { counter: view.getUint32(33), attested };
}

/** Labels of a COSE key (RFC 9052, 9053). An RSA key has its own meaning for -1 and -2. */
const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;
const RSA_BYTES_MIN = 256;

/** A COSE key of one of our algorithms. The digest is that of its signatures; EdDSA has its own inside. */
function readKey(bytes: Uint8Array<ArrayBuffer>): {
  readonly key: webcrypto.JsonWebKey;
  readonly digest: 'sha256' | null;
  readonly alg: number;
} {
  const cose = decodeCBOR(bytes);
  must(cose instanceof Map, 'the key is no map');
  const part = (label: keyof typeof COSE, isLength: (length: number) => boolean): string => {
    const value = cose.get(COSE[label]);
    must(value instanceof Uint8Array && isLength(value.length), `the key has no ${label} of the right length`);
    return Buffer.from(value).toString('base64url');
  };
  const is32 = (length: number) => length === 32;
  const kind = [cose.get(COSE.kty), cose.get(COSE.alg)].join();
  if (kind === '2,-7' && cose.get(COSE.crv) === 1)
    return { key: { kty: 'EC', crv: 'P-256', x: part('x', is32), y: part('y', is32) }, digest: 'sha256', alg: -7 };
  if (kind === '1,-8' && cose.get(COSE.crv) === 6)
    return { key: { kty: 'OKP', crv: 'Ed25519', x: part('x', is32) }, digest: null, alg: -8 };
  must(kind === '3,-257', 'the key is of another kind');
  const n = part('n', (length) => length >= RSA_BYTES_MIN && length <= 4 * RSA_BYTES_MIN);
  return { key: { kty: 'RSA', n, e: part('e', (length) => length >= 1 && length <= 4) }, digest: 'sha256', alg: -257 };
}

function isSignedBy(key: Uint8Array<ArrayBuffer>, signature: Uint8Array, signed: readonly Uint8Array[]): boolean {
  const { key: jwk, digest } = readKey(key);
  return verify(digest, Buffer.concat(signed), createPublicKey({ key: jwk, format: 'jwk' }), signature);
}

/** Self-attestation proves no more than no attestation. Some authenticators send it instead. */
function checkAttestation(attestation: Map<unknown, unknown>, key: Uint8Array<ArrayBuffer>, clientHash: Buffer): void {
  const [format, statement, data] = ['fmt', 'attStmt', 'authData'].map((name) => attestation.get(name));
  must(statement instanceof Map && data instanceof Uint8Array, 'the attestation is incomplete');
  if (format === 'none') {
    must(statement.size === 0, 'there is a statement where none should be');
    return;
  }
  must(format === 'packed' && !statement.has('x5c'), 'it has an attestation, which was not requested');
  const signature = statement.get('sig');
  must(statement.get('alg') === readKey(key).alg && signature instanceof Uint8Array, 'the statement is incomplete');
  must(isSignedBy(key, signature, [data, clientHash]), 'the statement is not signed by its key');
}

/** A new credential from an authenticator's answer. Throws when the answer does not fit. */
export function readRegistration(credential: Json, ceremony: Ceremony): StoredCredential {
  const { response, clientHash } = checkClient(credential, 'webauthn.create', ceremony);
  const attestation = decodeCBOR(bytesOf(response.attestationObject, 'attestationObject'));
  must(attestation instanceof Map, 'the attestation is no map');
  const data = attestation.get('authData');
  must(data instanceof Uint8Array, 'there is no authenticator data');
  const { counter, attested } = readAuthenticatorData(Uint8Array.from(data), ceremony);
  must(attested !== null && attested.id === credential.id, 'the credential is another');
  createPublicKey({ key: readKey(attested.key).key, format: 'jwk' });
  checkAttestation(attestation, attested.key, clientHash);
  return { credentialId: attested.id, publicKey: Buffer.from(attested.key).toString('base64url'), counter };
}

/** Checks the answer of a known credential; returns its new counter. Throws when the answer does not fit. */
export function readAuthentication(credential: Json, kept: StoredCredential, ceremony: Ceremony): number {
  const { response, clientHash } = checkClient(credential, 'webauthn.get', ceremony);
  must(credential.id === kept.credentialId, 'the credential is another');
  const data = bytesOf(response.authenticatorData, 'authenticatorData');
  const { counter } = readAuthenticatorData(data, ceremony);
  // A counter that does not grow is that of a copy. Authenticators without a counter always say 0.
  must(counter > kept.counter || (counter === 0 && kept.counter === 0), 'the counter did not grow');
  const signature = bytesOf(response.signature, 'signature');
  must(isSignedBy(bytesOf(kept.publicKey, 'publicKey'), signature, [data, clientHash]), 'the signature is wrong');
  return counter;
}
