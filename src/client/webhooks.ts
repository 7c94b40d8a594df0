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

/** Checks for the method, because headers of another realm are not an instance of this realm's class. */
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

/**
 * Remembers the ids of events. `add` is false for an id that is there; in a database it is an insert into a column with a unique index. `remove`
 * forgets the id of an event that could not be processed.
 */
export type SeenIds = {
  add(id: string): boolean | Promise<boolean>;
  remove(id: string): void | Promise<void>;
};

/** Remembers the last ids in the memory of this process: enough for one process that is rarely restarted. */
export function createSeenIds(max = 100_000): SeenIds {
  const ids = new Set<string>();
  return {
    add: (id) => {
      if (ids.has(id)) return false;
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > max && oldest !== undefined) ids.delete(oldest);
      return true;
    },
    remove: (id) => {
      ids.delete(id);
    },
  };
}

export type WebhookHandlerOptions = WebhookKeys & {
  /** Called once for each event. The gateway sends the event again when it throws. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Default: in memory. */
  readonly seen?: SeenIds;
};

/** The reply to a webhook: 200 for an event that was processed, now or before; 400 for a request that is none; 500 when `onEvent` threw. */
export type WebhookReply = { readonly status: 200 | 400 | 500; readonly reason: string };

/** A receiver of webhooks by headers and raw body, for any HTTP server. The test delivery is accepted and not passed on. */
export function createWebhookReceiver(options: WebhookHandlerOptions) {
  const { onEvent, seen = createSeenIds() } = options;
  return async (headers: AnyHeaders, body: string): Promise<WebhookReply> => {
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(headers, body, options);
    } catch (error) {
      if (error instanceof WebhookError) return { status: 400, reason: error.message };
      throw error;
    }
    if (event.type === 'test') return { status: 200, reason: 'test delivery' };
    if (!(await seen.add(event.id))) return { status: 200, reason: 'duplicate' };
    try {
      await onEvent(event);
      return { status: 200, reason: 'processed' };
    } catch {
      await seen.remove(event.id);
      return { status: 500, reason: 'not processed' };
    }
  };
}

/** The same for servers that speak Fetch: Deno, Bun, edge runtimes, Hono, Next.js. */
export function createWebhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver(options);
  return async (request) => {
    const { status, reason } = await receive(request.headers, await request.text());
    return new Response(reason, { status, headers: { 'content-type': 'text/plain' } });
  };
}
