import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeMessage } from '../messages/message.ts';

/**
 * The key is public: it detects mix-ups in a sandbox, not forgery. A constant lets every node, also after a restart, verify what another
 * node has issued.
 */
export const SANDBOX_KEY = 'the issuers of the turnpike sandbox';

/** Keyed hash of a string, different for each purpose. */
export const macOf = (key: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}|${text}`).digest();

/** Signs state that is not stored: it travels with the request. */
export function seal(key: string, purpose: string, value: object): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${macOf(key, purpose, body).toString('base64url')}`;
}

/** The value that was sealed for this purpose; null for anything else. */
export function unseal<Value extends object>(key: string, purpose: string, text: string): Value | null {
  const [body = '', mac = '', ...rest] = text.split('.');
  // The strings are compared because decoding drops bits of the last letter, so an altered string could pass.
  const given = Buffer.from(mac);
  const right = Buffer.from(macOf(key, purpose, body).toString('base64url'));
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return decodeMessage(body) as Value | null;
}

/** A UUID derived from a string. */
export function uuidFrom(key: string, purpose: string, text: string): string {
  const bytes = macOf(key, purpose, text).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
