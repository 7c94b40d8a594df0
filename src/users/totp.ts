import { createHmac, timingSafeEqual } from 'node:crypto';

/** One-time codes by RFC 6238 with the parameters that every app supports: SHA-1, six digits, 30 s. */
export const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepts one step before and after the present one: clocks differ, and typing takes time. */
const TOLERANCE = 1;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648), as apps read a secret that is typed. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function bytesOfBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The code of a step: RFC 4226 over its number. */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(message).digest();
  const at = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The step that a code is of, when that is near and was not used yet; null otherwise. */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  about: { readonly now: number; readonly lastStep: number },
): number | null {
  const present = stepAt(about.now);
  let found: number | null = null;
  for (let step = present - TOLERANCE; step <= present + TOLERANCE; step += 1) {
    if (isSame(codeAt(secret, step), code) && step > about.lastStep) found = step;
  }
  return found;
}

/** The URI in the QR code for an app. */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`;
}
