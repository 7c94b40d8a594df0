import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeMessage } from '../messages/codec.ts';

/**
 * Everybody can read it, so it guards against mix-ups in a sandbox and not against forgers. Being a constant it lets every
 * node, and each after a restart, know again what another one has given out.
 */
export const SANDBOX_KEY = 'the issuers of the turnpike sandbox';

/** Keyed hash of a text; one text of different purposes gives different ones. */
export const macOf = (key: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}|${text}`).digest();

/** What must be known again later and is kept by nobody: it travels, signed. */
export function seal(key: string, purpose: string, value: object): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${macOf(key, purpose, body).toString('base64url')}`;
}

/** What was sealed for this purpose; null for anything else. */
export function unseal<Value extends object>(key: string, purpose: string, text: string): Value | null {
  const [body = '', mac = '', ...rest] = text.split('.');
  // As texts: the last letter has bits that decoding drops, and nothing of a ticket may be touched.
  const given = Buffer.from(mac);
  const right = Buffer.from(macOf(key, purpose, body).toString('base64url'));
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return decodeMessage(body) as Value | null;
}

/** A UUID that the same text always gives. */
export function uuidFrom(key: string, purpose: string, text: string): string {
  const bytes = macOf(key, purpose, text).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
