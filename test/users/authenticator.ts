import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, type webcrypto } from 'node:crypto';

/** A passkey as a test needs one: a key of its own, and what a browser would answer for it. */

type Value = string | number | Buffer | ReadonlyMap<Value, Value>;

/** As much of CBOR as an attestation has. */
function cbor(value: Value): Buffer {
  const head = (kind: number, length: number): Buffer =>
    length < 24
      ? Buffer.of((kind << 5) | length)
      : length < 256
        ? Buffer.of((kind << 5) | 24, length)
        : Buffer.of((kind << 5) | 25, length >> 8, length & 255);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as ReadonlyMap<Value, Value>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

/** What a test may have a passkey do otherwise. */
export type Manner = {
  readonly origin?: string;
  readonly isVerified?: boolean;
  readonly challenge?: string;
  readonly counter?: number;
  /** Flags besides those of presence and verification, taken as they are. */
  readonly flags?: number;
  /** Bytes behind the authenticator data. */
  readonly more?: Buffer;
  readonly crossOrigin?: boolean;
  /** How a new key is attested: not at all, or signed with itself (`packed`). */
  readonly format?: string;
  readonly statement?: Readonly<Record<string, Value>>;
};

type Keys = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
const bytesOf = (text: unknown): Buffer => Buffer.from(String(text), 'base64url');

/** Algorithms that authenticators have: keys, the labels of a COSE key, and the digest of signatures. */
const algorithms = {
  ES256: {
    keys: (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    labels: ({ x, y }: webcrypto.JsonWebKey): [Value, Value][] => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ],
    digest: 'sha256',
  },
  EdDSA: {
    keys: (): Keys => generateKeyPairSync('ed25519'),
    labels: ({ x }: webcrypto.JsonWebKey): [Value, Value][] => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(x)],
    ],
    digest: null,
  },
  RS256: {
    keys: (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    labels: ({ n, e }: webcrypto.JsonWebKey): [Value, Value][] => [
      [1, 3],
      [3, -257],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ],
    digest: 'sha256',
  },
} as const;
export type Algorithm = keyof typeof algorithms;
export const algorithmNames = Object.keys(algorithms) as readonly Algorithm[];

export function createAuthenticator(origin: string, algorithm: Algorithm = 'ES256') {
  const { keys, labels, digest } = algorithms[algorithm];
  const { privateKey, publicKey } = keys();
  const key = new Map(labels(publicKey.export({ format: 'jwk' })));
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let uses = 0;
  const clientData = (type: string, challenge: string, manner: Manner): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: manner.challenge ?? challenge,
        origin: manner.origin ?? origin,
        crossOrigin: manner.crossOrigin ?? false,
      }),
    );
  const authData = (host: string, flags: number, counter: number, more: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.of(flags), count, more]);
  };
  const flagsOf = ({ isVerified = true, flags = PRESENT }: Manner): number => flags | (isVerified ? VERIFIED : 0);
  const common = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };
  return {
    credentialId,
    /** What it answers when it is set up. */
    create(asked: { readonly challenge: string; readonly rp: { readonly id: string } }, manner: Manner = {}): object {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, cbor(key), manner.more ?? Buffer.alloc(0)]);
      const data = authData(asked.rp.id, flagsOf(manner) | ATTESTED, 0, attested);
      const client = clientData('webauthn.create', asked.challenge, manner);
      const own = { alg: key.get(3) ?? 0, sig: sign(digest, Buffer.concat([data, sha256(client)]), privateKey) };
      const attestation = new Map<Value, Value>([
        ['fmt', manner.format ?? 'none'],
        ['attStmt', new Map(Object.entries(manner.format === 'packed' ? own : (manner.statement ?? {})))],
        ['authData', data],
      ]);
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
      return { ...common, response };
    },
    /** What it answers when it is asked who it is. */
    get(asked: { readonly challenge: string; readonly rpId: string }, manner: Manner = {}): Readonly<Record<string, unknown>> {
      uses += 1;
      const client = clientData('webauthn.get', asked.challenge, manner);
      const data = authData(asked.rpId, flagsOf(manner), manner.counter ?? uses, manner.more);
      const signature = sign(digest, Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...common, response };
    },
  };
}
