import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of the Standard Webhooks convention. They add replay protection to the encryption. */
export type Signed = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

export type Signing = {
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
