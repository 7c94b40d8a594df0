import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SealedRecord } from '../vault/ports.ts';
import type { UserNeeds } from './ports.ts';
import type { User } from './user.ts';

/** Secrets of apps belong to no merchant. */
const OWNER = 'gateway';
/** RFC 4226 asks for 160 bits. */
const SECRET_BYTES = 20;

const recordOf = (secretId: string): SealedRecord => ({
  merchantId: OWNER,
  entityId: OWNER,
  recordId: OWNER,
  field: `totp:${secretId}`,
});

/** During the setup of an app its sealed secret is in the ticket. */
const UNPROVEN = 'unproven';

async function seal({ vault }: UserNeeds, secretId: string, secret: string): Promise<Uint8Array> {
  const keys = vault.ready(OWNER);
  if (keys) await keys;
  return vault.seal(recordOf(secretId), secret);
}

async function open({ vault }: UserNeeds, secretId: string, sealed: Uint8Array): Promise<string> {
  const keys = vault.ready(OWNER);
  if (keys) await keys;
  return vault.open(recordOf(secretId), sealed);
}

/** A new secret for an app, and its sealed form for the ticket. */
export async function newSecret(needs: UserNeeds): Promise<{ readonly secret: string; readonly sealed: string }> {
  const bytes = Buffer.alloc(SECRET_BYTES);
  needs.random(bytes);
  const secret = base32(bytes);
  return { secret, sealed: Buffer.from(await seal(needs, UNPROVEN, secret)).toString('base64') };
}

/** Stores a secret whose first code is right; null when it is wrong. The caller must save the user with it. */
export async function proveSecret(needs: UserNeeds, sealed: string, code: string): Promise<User['totp']> {
  const secret = await open(needs, UNPROVEN, Buffer.from(sealed, 'base64'));
  const step = stepOfCode(bytesOfBase32(secret), code, { now: needs.clock.now(), lastStep: 0 });
  if (step === null) return null;
  const secretId = needs.ids.next();
  await needs.store.storeSecret(OWNER, recordOf(secretId).field, await seal(needs, secretId, secret));
  return { secretId, lastStep: step };
}

export async function dropSecret({ store }: UserNeeds, totp: User['totp']): Promise<void> {
  if (totp) await store.storeSecret(OWNER, recordOf(totp.secretId).field, null);
}

/** The user with this code marked as used; null when it is wrong, too old, or used before. */
export async function withCode(needs: UserNeeds, user: User, code: string): Promise<User | null> {
  const { totp } = user;
  const sealed = totp && (await needs.store.secret(OWNER, recordOf(totp.secretId).field));
  if (!totp || !sealed) return null;
  const secret = bytesOfBase32(await open(needs, totp.secretId, sealed));
  const step = stepOfCode(secret, code, { now: needs.clock.now(), lastStep: totp.lastStep });
  return step === null ? null : { ...user, totp: { ...totp, lastStep: step } };
}

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
