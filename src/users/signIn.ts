import type { HalfSignedIn } from '../spec/answers/users.ts';
import { clearFailures, comparePassword, countAttempt } from './failedAttempts.ts';
import { type Credential, issuePasskeyChallenge, type RelyingParty, userIdOfKey, withPasskey } from './passkeys.ts';
import type { UserNeeds } from './ports.ts';
import { withCode } from './secondFactor.ts';
import { type ClientInfo, newSession, type OpenedSession, stepUp } from './sessions.ts';
import { attemptTicket, issueTicket, type TicketAttempt, withTicketUse } from './tickets.ts';
import { changeUser, reviseUser, type User, userByEmail, userDocument } from './user.ts';

/** Why a sign-in failed, for the log only: the client gets the same reply in every case. */
export type SignInRefusal = {
  readonly ok: false;
  readonly refused: 'wrong' | 'locked' | 'over';
  readonly userId: string | null;
};
export type SignInResult = SignInRefusal | (OpenedSession & { readonly ok: true; readonly user: User });

const RACES_MAX = 8;

/** The second factor: a code, or the response of a passkey with the ticket of its challenge. */
export type SecondFactor = { readonly code?: string; readonly credential?: Credential };

type Proof = SecondFactor & {
  readonly challenge: string | null;
  readonly party: RelyingParty | null;
  readonly requiresVerification: boolean;
};

/** The user with the factor marked as used; null when the factor is wrong. */
async function proven(
  needs: UserNeeds,
  user: User,
  { code, credential, challenge, party, requiresVerification }: Proof,
): Promise<User | null> {
  if (code !== undefined && credential === undefined) return withCode(needs, user, code);
  if (credential === undefined || code !== undefined || challenge === null) return null;
  return withPasskey(party, user, { credential, challenge, requiresVerification }, needs.clock.now());
}

/** The first step of a sign-in. An unknown address costs the same time and counts as a failure too. */
export async function signIn(
  needs: UserNeeds,
  { email, password }: { readonly email: string; readonly password: string },
  party: RelyingParty | null,
): Promise<SignInRefusal | (HalfSignedIn & { readonly ok: true; readonly userId: string })> {
  const found = (await userByEmail(needs.store, email))?.body;
  const user = found?.state === 'active' ? found : undefined;
  const compared = await comparePassword(needs, email, { password, kept: user?.passwords[0] });
  if (compared !== 'right' || !user)
    return { ok: false, refused: compared === 'right' ? 'wrong' : compared, userId: found?.id ?? null };
  const passkey = party && user.passkeys.length > 0 ? issuePasskeyChallenge(needs, party, user.passkeys, 'preferred') : null;
  const ticket = await issueTicket(needs, { for: 'signIn', userId: user.id, challenge: passkey?.challenge ?? null });
  const ways = [...(user.totp ? (['totp'] as const) : []), ...(passkey ? (['passkey'] as const) : [])];
  return { ok: true, ticket, ways, passkey, userId: user.id };
}

type SessionRequest = {
  readonly userId: string;
  readonly tried: Pick<TicketAttempt<'signIn' | 'passkeySignIn'>, 'use'>;
  readonly proof: Proof;
  readonly from: ClientInfo;
};

/**
 * Opens a session for a right proof. The attempt is counted before the proof is checked; the proof, the ticket and the session are one
 * commit, so nothing is valid twice. After a concurrent change of the user the same proof is checked again.
 */
async function openSession(needs: UserNeeds, request: SessionRequest): Promise<SignInResult> {
  const { userId, tried, proof, from } = request;
  const email = (await userDocument(needs.store, userId))?.body.email;
  if (email === undefined) return { ok: false, refused: 'over', userId: null };
  const counted = await countAttempt(needs, email);
  if (!counted) return { ok: false, refused: 'locked', userId };
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await userDocument(needs.store, userId);
    const shown = document?.body.state === 'active' ? await proven(needs, document.body, proof) : null;
    if (!document || !shown) return { ok: false, refused: counted.isLast ? 'locked' : 'wrong', userId };
    const user: User = { ...shown, signedInAt: needs.clock.now() };
    const opened = newSession(needs, userId, from);
    const changes = await withTicketUse(tried, opened.document);
    if (!changes) return { ok: false, refused: 'over', userId };
    if (await needs.store.saveDocuments([reviseUser(document, user), ...changes])) {
      await clearFailures(needs, email);
      return { ok: true, ...opened, user };
    }
  }
  return { ok: false, refused: 'over', userId };
}

/** The second step. */
export async function signInSecond(
  needs: UserNeeds,
  asked: SecondFactor & { readonly ticket: string },
  { party, from }: { readonly party: RelyingParty | null; readonly from: ClientInfo },
): Promise<SignInResult> {
  const tried = await attemptTicket(needs, asked.ticket, 'signIn');
  if (!tried) return { ok: false, refused: 'over', userId: null };
  const { userId, challenge } = tried.ticket;
  return openSession(needs, { userId, tried, from, proof: { ...asked, challenge, party, requiresVerification: false } });
}

/** A challenge for any passkey of this host; the response names the user. */
export async function passkeyOptions(needs: UserNeeds, party: RelyingParty) {
  const passkey = issuePasskeyChallenge(needs, party, null, 'required');
  return { ticket: await issueTicket(needs, { for: 'passkeySignIn', challenge: passkey.challenge }), passkey };
}

/** A passkey that knows its holder by finger, face or PIN is both factors. */
export async function passkeySignIn(
  needs: UserNeeds,
  asked: { readonly ticket: string; readonly credential: Credential },
  { party, from }: { readonly party: RelyingParty | null; readonly from: ClientInfo },
): Promise<SignInResult> {
  const tried = await attemptTicket(needs, asked.ticket, 'passkeySignIn');
  const userId = tried && (await userIdOfKey(needs.store, asked.credential.id));
  if (!tried || userId === null) return { ok: false, refused: tried ? 'wrong' : 'over', userId: null };
  const proof = { credential: asked.credential, challenge: tried.ticket.challenge, party, requiresVerification: true };
  return openSession(needs, { userId, tried, from, proof });
}

/** A challenge for a passkey of a signed-in user. */
export async function stepUpOptions(needs: UserNeeds, userId: string, party: RelyingParty | null) {
  const user = (await userDocument(needs.store, userId))?.body;
  if (!party || !user || user.passkeys.length === 0) return null;
  const passkey = issuePasskeyChallenge(needs, party, user.passkeys, 'required');
  return { ticket: await issueTicket(needs, { for: 'stepUp', userId, challenge: passkey.challenge }), passkey };
}

/** Records a step-up of a session; returns its expiry. */
export async function stepUpBy(
  needs: UserNeeds,
  { userId, token }: { readonly userId: string; readonly token: string },
  asked: SecondFactor & { readonly ticket?: string; readonly party: RelyingParty | null },
): Promise<SignInRefusal | { readonly ok: true; readonly until: number }> {
  const tried = asked.ticket === undefined ? null : await attemptTicket(needs, asked.ticket, 'stepUp');
  const own = tried?.ticket.userId === userId ? tried : null;
  const proof = { ...asked, challenge: own?.ticket.challenge ?? null, requiresVerification: true };
  const email = (await userDocument(needs.store, userId))?.body.email;
  const counted = email === undefined ? null : await countAttempt(needs, email);
  if (email === undefined || !counted) return { ok: false, refused: email === undefined ? 'over' : 'locked', userId };
  const isProven = { is: false };
  const shown = async (user: User): Promise<User | null> => {
    const after = await proven(needs, user, proof);
    isProven.is = after !== null;
    return after;
  };
  const user = await changeUser(needs.store, userId, shown, async () => (own ? withTicketUse(own) : []));
  if (!user) return { ok: false, refused: isProven.is ? 'over' : counted.isLast ? 'locked' : 'wrong', userId };
  await clearFailures(needs, email);
  const until = await stepUp(needs, token);
  return until === null ? { ok: false, refused: 'over', userId } : { ok: true, until };
}
