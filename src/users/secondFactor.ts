import type { SealedRecord } from '../vault/ports.ts';
import type { UserNeeds } from './ports.ts';
import { base32, bytesOfBase32, stepOfCode } from './totp.ts';
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
