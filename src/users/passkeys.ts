import { createPublicKey, hash, verify, type webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { decodeCBOR, decodePartialCBOR } from '@levischuck/tiny-cbor';
import { MINUTE_MS } from '../spec/time.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from './documents.ts';
import { freshToken, type UserNeeds } from './ports.ts';
import type { Passkey, User } from './user.ts';

/** To whom a passkey is shown: the host that the browser sees. */
export type RelyingParty = { readonly origin: string; readonly host: string };

/** The unchecked response of a browser. */
export type Credential = Readonly<Record<string, unknown>>;

const NAME = 'Turnpike';
const ASKED_MS = 5 * MINUTE_MS;
const COLLECTION = 'passkey';
/** Of one user. */
export const PASSKEYS_MAX = 20;

/** Browsers know passkeys of hosts with names, and over http only of `localhost`; null: there can be none here. */
export function relyingPartyOf(origin: string | null): RelyingParty | null {
  if (origin === null || !URL.canParse(origin)) return null;
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname) ? { origin, host: hostname } : null;
}

const named = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports, type: 'public-key' as const });

/** The request options for a browser. Without passkeys it may use any passkey of this host. */
export const issuePasskeyChallenge = (
  needs: Pick<UserNeeds, 'random'>,
  party: RelyingParty,
  passkeys: readonly Passkey[] | null,
  userVerification: 'required' | 'preferred',
) => ({
  rpId: party.host,
  challenge: freshToken(needs),
  timeout: ASKED_MS,
  userVerification,
  ...(passkeys && { allowCredentials: passkeys.map(named) }),
});

/** The creation options for a browser. */
export const issueNewPasskeyChallenge = (needs: Pick<UserNeeds, 'random'>, party: RelyingParty, user: User) => ({
  challenge: freshToken(needs),
  rp: { name: NAME, id: party.host },
  user: { id: Buffer.from(user.id, 'hex').toString('base64url'), name: user.email, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout: ASKED_MS,
  attestation: 'none' as const,
  excludeCredentials: user.passkeys.map(named),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred', requireResidentKey: false } as const,
  extensions: { credProps: true },
});

type PasskeyProof = {
  readonly credential: Credential;
  readonly challenge: string;
  /** Whether the device must have asked for a finger, a face or a PIN. */
  readonly requiresVerification: boolean;
};

/** The user with this use of the passkey recorded; null when the passkey or its response is wrong. */
export function withPasskey(
  party: RelyingParty | null,
  user: User,
  { credential, ...shown }: PasskeyProof,
  now: number,
): User | null {
  const passkey = user.passkeys.find(({ credentialId }) => credentialId === credential.id);
  if (!party || !passkey) return null;
  try {
    const counter = readAuthentication(credential, passkey, { ...party, ...shown });
    return {
      ...user,
      passkeys: user.passkeys.map((other) => (other === passkey ? { ...passkey, counter, usedAt: now } : other)),
    };
  } catch {
    // A response that does not parse is as wrong as one that does not match.
    return null;
  }
}

const TRANSPORTS_MAX = 8;

/** How the browser reaches the authenticator: a hint for the next sign-in. */
function transportsOf({ response }: Credential): readonly string[] {
  const { transports } = response as { readonly transports?: unknown };
  const isWord = (word: unknown): word is string => typeof word === 'string' && /^[\w-]{1,32}$/.test(word);
  return Array.isArray(transports) ? transports.filter(isWord).slice(0, TRANSPORTS_MAX) : [];
}

/** A new passkey from a browser's response; null when the response is wrong. */
export function newPasskey(
  party: RelyingParty,
  { credential, challenge }: Pick<PasskeyProof, 'credential' | 'challenge'>,
  about: Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Passkey | null {
  try {
    const kept = readRegistration(credential, { ...party, challenge, requiresVerification: false });
    return { ...about, ...kept, transports: transportsOf(credential), usedAt: null };
  } catch {
    return null;
  }
}

/** The user of a passkey, for a sign-in with a passkey alone. */
export const passkeyDocument = (user: Pick<User, 'id'>, { credentialId, createdAt }: Passkey): StoredDocument => ({
  collection: COLLECTION,
  id: credentialId,
  ownerId: user.id,
  at: createdAt,
  revision: 1,
  body: {},
});

export const deletedPasskey = ({ credentialId }: Passkey): DocumentChange => ({
  collection: COLLECTION,
  id: credentialId,
  revision: 1,
  isDeleted: true,
});

export async function userIdOfKey(store: DocumentStore, credentialId: unknown): Promise<string | null> {
  return typeof credentialId === 'string' ? ((await store.document(COLLECTION, credentialId))?.ownerId ?? null) : null;
}

/**
 * Checks the response of an authenticator (W3C Web Authentication, 7.1 and 7.2) for a relying party that asks for no attestation: where
 * the authenticator was made is neither asked nor believed. Signatures are checked by `node:crypto`.
 */

/** The expected values of a response. */
type Ceremony = {
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
