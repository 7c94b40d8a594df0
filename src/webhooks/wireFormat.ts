import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from './webhook.ts';

/** The headers of the Standard Webhooks convention. They add replay protection to the encryption. */
export type Signed = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

type Signing = {
  /** The same in every attempt. */
  readonly id: string;
  /** The time of this attempt, in milliseconds. */
  readonly at: number;
  /** The body as sent. */
  readonly body: string;
  /** Each key signs, so that a receiver needs any one of them. */
  readonly keys: readonly Uint8Array[];
};

const digestOf = (text: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(text).digest();

const secondsOf = (at: number): string => String(Math.floor(at / 1000));

const signedWith = ({ id, at }: Signing, digests: readonly Buffer[]): Signed => ({
  'webhook-id': id,
  'webhook-timestamp': secondsOf(at),
  'webhook-signature': digests.map((digest) => `v1,${digest.toString('base64')}`).join(' '),
});

/** Signs `id.timestamp.body` with every key. */
export function sign(signing: Signing): Signed {
  const { id, at, body, keys } = signing;
  const text = `${id}.${secondsOf(at)}.${body}`;
  return signedWith(
    signing,
    keys.map((key) => digestOf(text, key)),
  );
}

/** As many bytes as are hashed in a few milliseconds. */
const SLICE_BYTES = 1_048_576;

/** The same for a long body. `rest` lets other work in between two slices of it. */
export async function signInSlices(signing: Signing, rest: () => Promise<void>): Promise<Signed> {
  const { id, at, body, keys } = signing;
  const bytes = Buffer.from(body);
  const digests: Buffer[] = [];
  for (const key of keys) {
    const hmac = createHmac('sha256', key).update(`${id}.${secondsOf(at)}.`);
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      await rest();
      hmac.update(bytes.subarray(from, from + SLICE_BYTES));
    }
    digests.push(hmac.digest());
  }
  return signedWith(signing, digests);
}

/** `stale`: signed, but too long ago or too far in the future; it may be a replay. */
export type Verdict = 'good' | 'stale' | 'forged';

/** A receiver rejects anything older than this. */
export const TOLERANCE_MS = 300_000;

/** Checks that a body was signed with one of the keys, and recently. */
export function verify(headers: Signed, { body, keys, now }: Pick<Signing, 'body' | 'keys'> & { readonly now: number }): Verdict {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': list } = headers;
  if (!/^[0-9]{1,12}$/.test(seconds)) return 'forged';
  const given = list
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [Buffer.from(signature.slice(3), 'base64')] : []));
  const text = `${id}.${seconds}.${body}`;
  const isSigned = keys.map((key) => digestOf(text, key)).some((own) => given.some((other) => isSame(own, other)));
  if (!isSigned) return 'forged';
  return Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS ? 'good' : 'stale';
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const [CIPHER, TAG_BYTES] = ['aes-256-gcm', 16] as const;
const hexOf = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();

/** The body of a delivery, and the headers that the receiver needs to decrypt it. */
type EncryptedPayload = {
  readonly body: string;
  readonly headers: Readonly<Record<'Content-Type' | 'X-Initialization-Vector' | 'X-Authentication-Tag', string>>;
};

/** Encrypts a payload (facts 7.2). `iv`: 12 bytes, never used with this key before. */
export function encryptPayload(
  text: string,
  key: Uint8Array,
  { iv, wrapper }: { readonly iv: Uint8Array } & Pick<Webhook, 'wrapper'>,
): EncryptedPayload {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const hex = hexOf(Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]));
  return {
    body: wrapper === 'JSON' ? `{"encryptedBody":"${hex}"}` : hex,
    headers: {
      'Content-Type': wrapper === 'JSON' ? 'application/json' : 'text/plain',
      'X-Initialization-Vector': hexOf(Buffer.from(iv)),
      'X-Authentication-Tag': hexOf(cipher.getAuthTag()),
    },
  };
}

/** A delivery as a receiver gets it: the body, and the two headers. */
type ReceivedBody = { readonly body: string; readonly iv: string; readonly tag: string };

/** The payload of a body in either form; null when the key is wrong, a bit was changed or a part is missing. */
export function decryptPayload({ body, iv, tag }: ReceivedBody, key: Uint8Array): string | null {
  const hex = unwrapped(body);
  // A shorter tag would be easier to guess, and some libraries accept it.
  if (hex === null || !/^[0-9a-f]{24}$/i.test(iv) || !/^[0-9a-f]{32}$/i.test(tag)) return null;
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'hex'), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(Buffer.from(tag, 'hex'));
  try {
    return Buffer.concat([decipher.update(hex, 'hex'), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function unwrapped(body: string): string | null {
  const hex = body.startsWith('{') ? wrapped(body) : body.trim();
  return typeof hex === 'string' && /^(?:[0-9a-f]{2})*$/i.test(hex) ? hex : null;
}

function wrapped(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly encryptedBody?: unknown }).encryptedBody;
  } catch {
    return null;
  }
}
