import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

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
};

export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let uses = 0;
  const clientData = (type: string, challenge: string, manner: Manner): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge: manner.challenge ?? challenge, origin: manner.origin ?? origin, crossOrigin: false }),
    );
  const authData = (host: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.of(flags), count, more]);
  };
  const flagsOf = ({ isVerified = true }: Manner): number => PRESENT | (isVerified ? VERIFIED : 0);
  const common = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };
  return {
    credentialId,
    /** What it answers when it is set up. */
    create(asked: { readonly challenge: string; readonly rp: { readonly id: string } }, manner: Manner = {}): object {
      const key = new Map<Value, Value>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, cbor(key)]);
      const data = authData(asked.rp.id, flagsOf(manner) | ATTESTED, 0, attested);
      const attestation = new Map<Value, Value>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]);
      const response = {
        clientDataJSON: clientData('webauthn.create', asked.challenge, manner).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
      return { ...common, response };
    },
    /** What it answers when it is asked who it is. */
    get(asked: { readonly challenge: string; readonly rpId: string }, manner: Manner = {}): Readonly<Record<string, unknown>> {
      uses += 1;
      const client = clientData('webauthn.get', asked.challenge, manner);
      const data = authData(asked.rpId, flagsOf(manner), manner.counter ?? uses);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...common, response };
    },
  };
}
