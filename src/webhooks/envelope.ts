import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Webhook } from './webhook.ts';

const [CIPHER, TAG_BYTES] = ['aes-256-gcm', 16] as const;
const hexOf = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();

/** The body of a delivery, and the headers that the receiver needs to decrypt it. */
export type EncryptedPayload = {
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

/** What a receiver gets: the body, and the two headers. */
export type ReceivedBody = { readonly body: string; readonly iv: string; readonly tag: string };

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
