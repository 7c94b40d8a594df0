import { isIP } from 'node:net';
import { MINUTE_MS } from '../spec/time.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from './documents.ts';
import { freshToken, type UserNeeds } from './ports.ts';
import type { Passkey, User } from './user.ts';
import { ALGORITHMS, readAuthentication, readRegistration } from './webauthn.ts';

/** To whom a passkey is shown: the host that the browser sees. */
export type RelyingParty = { readonly origin: string; readonly host: string };

/** The unchecked response of a browser. */
export type Credential = Readonly<Record<string, unknown>>;

const NAME = 'Turnpike';
const ASKED_MS = 5 * MINUTE_MS;
const COLLECTION = 'passkey';
/** Of one user. */
export const PASSKEYS_MAX = 20;

/** Browsers know passkeys of hosts with names, and over http only of `localhost`; null: there can be none here. */
export function relyingPartyOf(origin: string | null): RelyingParty | null {
  if (origin === null || !URL.canParse(origin)) return null;
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname) ? { origin, host: hostname } : null;
}

const named = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports, type: 'public-key' as const });

/** The request options for a browser. Without passkeys it may use any passkey of this host. */
export const issuePasskeyChallenge = (
  needs: Pick<UserNeeds, 'random'>,
  party: RelyingParty,
  passkeys: readonly Passkey[] | null,
  userVerification: 'required' | 'preferred',
) => ({
  rpId: party.host,
  challenge: freshToken(needs),
  timeout: ASKED_MS,
  userVerification,
  ...(passkeys && { allowCredentials: passkeys.map(named) }),
});

/** The creation options for a browser. */
export const issueNewPasskeyChallenge = (needs: Pick<UserNeeds, 'random'>, party: RelyingParty, user: User) => ({
  challenge: freshToken(needs),
  rp: { name: NAME, id: party.host },
  user: { id: Buffer.from(user.id, 'hex').toString('base64url'), name: user.email, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout: ASKED_MS,
  attestation: 'none' as const,
  excludeCredentials: user.passkeys.map(named),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred', requireResidentKey: false } as const,
  extensions: { credProps: true },
});

export type PasskeyProof = {
  readonly credential: Credential;
  readonly challenge: string;
  /** Whether the device must have asked for a finger, a face or a PIN. */
  readonly requiresVerification: boolean;
};

/** The user with this use of the passkey recorded; null when the passkey or its response is wrong. */
export function withPasskey(
  party: RelyingParty | null,
  user: User,
  { credential, ...shown }: PasskeyProof,
  now: number,
): User | null {
  const passkey = user.passkeys.find(({ credentialId }) => credentialId === credential.id);
  if (!party || !passkey) return null;
  try {
    const counter = readAuthentication(credential, passkey, { ...party, ...shown });
    return {
      ...user,
      passkeys: user.passkeys.map((other) => (other === passkey ? { ...passkey, counter, usedAt: now } : other)),
    };
  } catch {
    // A response that does not parse is as wrong as one that does not match.
    return null;
  }
}

const TRANSPORTS_MAX = 8;

/** How the browser reaches the authenticator: a hint for the next sign-in. */
function transportsOf({ response }: Credential): readonly string[] {
  const { transports } = response as { readonly transports?: unknown };
  const isWord = (word: unknown): word is string => typeof word === 'string' && /^[\w-]{1,32}$/.test(word);
  return Array.isArray(transports) ? transports.filter(isWord).slice(0, TRANSPORTS_MAX) : [];
}

/** A new passkey from a browser's response; null when the response is wrong. */
export function newPasskey(
  party: RelyingParty,
  { credential, challenge }: Pick<PasskeyProof, 'credential' | 'challenge'>,
  about: Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Passkey | null {
  try {
    const kept = readRegistration(credential, { ...party, challenge, requiresVerification: false });
    return { ...about, ...kept, transports: transportsOf(credential), usedAt: null };
  } catch {
    return null;
  }
}

/** The user of a passkey, for a sign-in with a passkey alone. */
export const passkeyDocument = (user: Pick<User, 'id'>, { credentialId, createdAt }: Passkey): StoredDocument => ({
  collection: COLLECTION,
  id: credentialId,
  ownerId: user.id,
  at: createdAt,
  revision: 1,
  body: {},
});

export const deletedPasskey = ({ credentialId }: Passkey): DocumentChange => ({
  collection: COLLECTION,
  id: credentialId,
  revision: 1,
  isDeleted: true,
});

export async function userIdOfKey(store: DocumentStore, credentialId: unknown): Promise<string | null> {
  return typeof credentialId === 'string' ? ((await store.document(COLLECTION, credentialId))?.ownerId ?? null) : null;
}
