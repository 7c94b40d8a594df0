import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { CabinetStore, Paper, PaperChange } from './cabinet.ts';
import type { Passkey, User } from './user.ts';

/** To whom a passkey is shown: the host that the browser sees. */
export type Party = { readonly origin: string; readonly host: string };

/** What a browser answered, as it came: whoever checks it says whether it is any good. */
export type Credential = Readonly<Record<string, unknown>>;

/** It is large, and most starts of the gateway need none of it. */
const webauthn = () => import('@simplewebauthn/server');

const NAME = 'Turnpike';
/** EdDSA, ES256 and RS256, by their numbers in COSE: what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];
const ASKED_MS = 5 * 60_000;
const DRAWER = 'passkey';
/** Of one user. */
export const PASSKEYS_MAX = 20;

/** Browsers know passkeys of hosts with names, and over http only of `localhost`; null: there can be none here. */
export function partyOf(origin: string | null): Party | null {
  if (origin === null || !URL.canParse(origin)) return null;
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname) ? { origin, host: hostname } : null;
}

const named = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: [...transports] });

/** What a browser is asked with. Without passkeys: any that it has for us. */
export async function askPasskey(party: Party, passkeys: readonly Passkey[] | null, userVerification: 'required' | 'preferred') {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: party.host,
    timeout: ASKED_MS,
    userVerification,
    ...(passkeys && { allowCredentials: passkeys.map(named) }),
  });
}

/** What a browser is asked for a new passkey with. */
export async function askNewPasskey(party: Party, user: User) {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.host,
    userName: user.email,
    userDisplayName: user.name,
    userID: Buffer.from(user.id, 'hex'),
    timeout: ASKED_MS,
    excludeCredentials: user.passkeys.map(named),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

export type Shown = {
  readonly credential: Credential;
  readonly challenge: string;
  /** Whether the device must have asked for a finger, a face or a PIN. */
  readonly isVerified: boolean;
};

/** The user with this use of his passkey noted; null when it is none of his, or its answer is not right. */
export async function withPasskey(party: Party | null, user: User, shown: Shown, now: number): Promise<User | null> {
  const passkey = user.passkeys.find(({ credentialId }) => credentialId === shown.credential.id);
  if (!party || !passkey) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: shown.credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: shown.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.host,
      requireUserVerification: shown.isVerified,
      credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: passkey.counter },
    });
    if (!verified) return null;
    const noted: Passkey = { ...passkey, counter: authenticationInfo.newCounter, usedAt: now };
    return { ...user, passkeys: user.passkeys.map((other) => (other === passkey ? noted : other)) };
  } catch {
    // What does not even parse is as wrong as what does not fit.
    return null;
  }
}

/** A new passkey from what a browser answered; null when that is not right. */
export async function newPasskey(
  party: Party,
  { credential, challenge }: Pick<Shown, 'credential' | 'challenge'>,
  about: Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    const key = Buffer.from(publicKey).toString('base64url');
    return { ...about, credentialId, publicKey: key, counter, transports: transports.slice(0, 8), usedAt: null };
  } catch {
    return null;
  }
}

/** Whose a passkey is, for whoever shows nothing else. */
export const passkeyPaper = (user: Pick<User, 'id'>, { credentialId, createdAt }: Passkey): Paper => ({
  ...{ drawer: DRAWER, id: credentialId, ownerId: user.id, at: createdAt, revision: 1, body: {} },
});

export const goneKey = ({ credentialId }: Passkey): PaperChange => ({
  drawer: DRAWER,
  id: credentialId,
  revision: 1,
  isGone: true,
});

export async function userIdOfKey(store: CabinetStore, credentialId: unknown): Promise<string | null> {
  return typeof credentialId === 'string' ? ((await store.paper(DRAWER, credentialId))?.ownerId ?? null) : null;
}
