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

/** Signs `id.timestamp.body` with every key. */
export function sign({ id, at, body, keys }: Signing): Signed {
  const seconds = String(Math.floor(at / 1000));
  const text = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `v1,${digestOf(text, key).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
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
