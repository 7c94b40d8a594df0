import { WebhookError } from './errors.ts';
import type { WebhookPayload, WebhookTest } from './generated/answers.ts';

/** A verified and decrypted webhook. `id` is the same in every attempt to deliver it. */
export type WebhookEvent = (WebhookPayload | WebhookTest) & { readonly id: string };

/** Headers as Fetch, Node, Express and others have them. */
export type AnyHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookKeys = {
  /** The key of the webhook, 64 hexadecimal digits; during a rotation the old and the new one. */
  readonly keys: string | readonly string[];
  /** How old a request may be. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the clock of this machine. */
  readonly now?: () => number;
};

const KEY = /^[0-9a-f]{64}$/i;

/** By its method: headers of another realm are no instance of this one's class. */
const isFetchHeaders = (headers: AnyHeaders): headers is Headers => typeof headers.get === 'function';

function headerIn(headers: AnyHeaders, name: string): string {
  const found = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
  const text = typeof found === 'object' && found !== null ? found[0] : found;
  if (text === undefined || text === null || text === '') throw new WebhookError('header', `the header ${name} is missing`);
  return text;
}

function bytesOfHex(text: string, what: string): Uint8Array<ArrayBuffer> {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) throw new WebhookError('payload', `${what} is not hexadecimal`);
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

/** `v1,…` once for each key; the first is by the key that encrypts. */
const signaturesIn = (list: string): readonly Uint8Array<ArrayBuffer>[] =>
  list.split(' ').flatMap((one) => {
    const bytes = one.startsWith('v1,') ? bytesOfBase64(one.slice('v1,'.length)) : null;
    return bytes === null ? [] : [bytes];
  });

async function isSignedBy(key: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', imported, signature, new TextEncoder().encode(text));
}

/** The encrypted body: hexadecimal text, or an object with it. */
function encryptedIn(body: string): string {
  if (!body.startsWith('{')) return body;
  try {
    const { encryptedBody } = JSON.parse(body) as { readonly encryptedBody?: unknown };
    if (typeof encryptedBody === 'string') return encryptedBody;
  } catch {
    // Below.
  }
  throw new WebhookError('payload', 'the body has no encryptedBody');
}

async function decrypt(key: Uint8Array<ArrayBuffer>, headers: AnyHeaders, body: string): Promise<WebhookEvent> {
  const iv = bytesOfHex(headerIn(headers, 'x-initialization-vector'), 'X-Initialization-Vector');
  const tag = bytesOfHex(headerIn(headers, 'x-authentication-tag'), 'X-Authentication-Tag');
  const sealed = bytesOfHex(encryptedIn(body), 'the body');
  const joined = new Uint8Array(sealed.length + tag.length);
  joined.set(sealed);
  joined.set(tag, sealed.length);
  try {
    const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, tagLength: 128 }, imported, joined);
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain)) as WebhookEvent;
  } catch {
    throw new WebhookError('payload', 'the body cannot be decrypted');
  }
}

/**
 * Verifies and decrypts a webhook: age, signature, then the body, which must be the text as it came. Throws a WebhookError for anything
 * that the gateway did not send with one of the keys.
 */
export async function verifyWebhook(headers: AnyHeaders, body: string, options: WebhookKeys): Promise<WebhookEvent> {
  const { keys, toleranceSeconds = 300, now = Date.now } = options;
  const texts = typeof keys === 'string' ? [keys] : keys;
  if (texts.length === 0 || !texts.every((key) => KEY.test(key))) throw new TypeError('a key must be 64 hexadecimal digits');
  const id = headerIn(headers, 'webhook-id');
  const at = headerIn(headers, 'webhook-timestamp');
  const list = headerIn(headers, 'webhook-signature');
  if (!/^[0-9]{1,12}$/.test(at) || Math.abs(now() / 1_000 - Number(at)) > toleranceSeconds)
    throw new WebhookError('age', 'the request is too old, or the clock of this machine is wrong');
  const signatures = signaturesIn(list);
  const known = texts.map((key) => bytesOfHex(key, 'the key'));
  for (const [place, signature] of signatures.entries())
    for (const key of known) {
      if (!(await isSignedBy(key, signature, `${id}.${at}.${body}`))) continue;
      if (place > 0)
        throw new WebhookError('key', 'signed by a known key, and encrypted with a newer one that is not known here');
      return { ...(await decrypt(key, headers, body)), id };
    }
  throw new WebhookError('signature', 'not signed by a key that is known here');
}
