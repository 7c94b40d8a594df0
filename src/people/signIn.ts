import type { HalfSignedIn } from '../spec/answers/people.ts';
import type { PaperChange } from './cabinet.ts';
import type { PeopleNeeds } from './needs.ts';
import { askPasskey, type Credential, type Party, userIdOfKey, withPasskey } from './passkeys.ts';
import { isPassword } from './password.ts';
import { withCode } from './secondFactor.ts';
import { type From, newSession, type Opened, stepUp } from './sessions.ts';
import { issueTicket, readTicket } from './tickets.ts';
import { countFailure, forgetFailures, lockedUntil } from './tries.ts';
import { movedUser, type User, userByEmail, userPaper } from './user.ts';

/** Why nobody came in, for the log alone: whoever stands outside is told one thing for all of it. */
export type Refused = { readonly refused: 'wrong' | 'locked' | 'over'; readonly userId: string | null };

const RACES_MAX = 8;

/** What somebody shows beside his password: a code, or the answer of a passkey with the ticket of its question. */
export type Factor = { readonly code?: string; readonly credential?: Credential };

type Proof = Factor & { readonly challenge: string | null; readonly party: Party | null; readonly isVerified: boolean };

/** The user with what he has shown used up; null when it proves nothing. */
async function proven(
  needs: PeopleNeeds,
  user: User,
  { code, credential, challenge, party, isVerified }: Proof,
): Promise<User | null> {
  if (code !== undefined && credential === undefined) return withCode(needs, user, code);
  if (credential === undefined || code !== undefined || challenge === null) return null;
  return withPasskey(party, user, { credential, challenge, isVerified }, needs.clock.now());
}

/** The first step. Whoever is not there is looked at as long as somebody who is, and the failure is counted all the same. */
export async function signIn(
  needs: PeopleNeeds,
  { email, password }: { readonly email: string; readonly password: string },
  party: Party | null,
): Promise<Refused | (HalfSignedIn & { readonly userId: string })> {
  const isLocked = (await lockedUntil(needs, email)) > 0;
  const user = (await userByEmail(needs.store, email))?.body;
  const isRight = await isPassword(needs, password, user?.passwords[0]);
  const userId = user?.id ?? null;
  if (isLocked) return { refused: 'locked', userId };
  if (!isRight || user?.state !== 'active') {
    return { refused: (await countFailure(needs, email)) ? 'locked' : 'wrong', userId };
  }
  const passkey = party && user.passkeys.length > 0 ? await askPasskey(party, user.passkeys, 'preferred') : null;
  const ticket = await issueTicket(needs, { for: 'signIn', userId: user.id, challenge: passkey?.challenge ?? null });
  const ways = [...(user.totp ? (['totp'] as const) : []), ...(passkey ? (['passkey'] as const) : [])];
  return { ticket, ways, passkey, userId: user.id };
}

type Entering = {
  readonly userId: string;
  readonly used: PaperChange;
  readonly proof: Proof;
  readonly from: From;
};

/** Opens a session for who proves himself; his proof, the ticket and the session are one commit, so nothing is good twice. */
async function comeIn(needs: PeopleNeeds, { userId, used, proof, from }: Entering): Promise<Refused | (Opened & { user: User })> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const paper = await userPaper(needs.store, userId);
    if (!paper) return { refused: 'over', userId: null };
    const { email, state } = paper.body;
    if ((await lockedUntil(needs, email)) > 0) return { refused: 'locked', userId };
    const shown = state === 'active' ? await proven(needs, paper.body, proof) : null;
    if (!shown) return { refused: (await countFailure(needs, email)) ? 'locked' : 'wrong', userId };
    const user: User = { ...shown, signedInAt: needs.clock.now() };
    const opened = newSession(needs, userId, from);
    if (await needs.store.filePapers([movedUser(paper, user), used, opened.paper])) {
      await forgetFailures(needs, email);
      return { ...opened, user };
    }
  }
  return { refused: 'over', userId };
}

/** The second step. */
export async function signInSecond(
  needs: PeopleNeeds,
  asked: Factor & { readonly ticket: string },
  { party, from }: { readonly party: Party | null; readonly from: From },
): Promise<Refused | (Opened & { readonly user: User })> {
  const read = await readTicket(needs, asked.ticket, 'signIn');
  if (!read) return { refused: 'over', userId: null };
  const { userId, challenge } = read.ticket;
  return comeIn(needs, { userId, used: read.used, from, proof: { ...asked, challenge, party, isVerified: false } });
}

/** Asks for any passkey of this host; which user it is, it will tell. */
export async function passkeyOptions(needs: PeopleNeeds, party: Party) {
  const passkey = await askPasskey(party, null, 'required');
  return { ticket: await issueTicket(needs, { for: 'passkeySignIn', challenge: passkey.challenge }), passkey };
}

/** A passkey that knows its holder by finger, face or PIN is both factors. */
export async function passkeySignIn(
  needs: PeopleNeeds,
  asked: { readonly ticket: string; readonly credential: Credential },
  { party, from }: { readonly party: Party | null; readonly from: From },
): Promise<Refused | (Opened & { readonly user: User })> {
  const read = await readTicket(needs, asked.ticket, 'passkeySignIn');
  const userId = await userIdOfKey(needs.store, asked.credential.id);
  if (!read || userId === null) return { refused: read ? 'wrong' : 'over', userId };
  const proof = { credential: asked.credential, challenge: read.ticket.challenge, party, isVerified: true };
  return comeIn(needs, { userId, used: read.used, from, proof });
}

/** Asks a passkey of somebody who is signed in already. */
export async function stepUpOptions(needs: PeopleNeeds, userId: string, party: Party | null) {
  const user = (await userPaper(needs.store, userId))?.body;
  if (!party || !user || user.passkeys.length === 0) return null;
  const passkey = await askPasskey(party, user.passkeys, 'required');
  return { ticket: await issueTicket(needs, { for: 'stepUp', userId, challenge: passkey.challenge }), passkey };
}

/** Notes for a session that its holder has shown again that it is he; answers until when. */
export async function stepUpBy(
  needs: PeopleNeeds,
  { userId, token }: { readonly userId: string; readonly token: string },
  asked: Factor & { readonly ticket?: string; readonly party: Party | null },
): Promise<Refused | { readonly until: number }> {
  const read = asked.ticket === undefined ? null : await readTicket(needs, asked.ticket, 'stepUp');
  const isOwn = read?.ticket.userId === userId;
  const proof = { ...asked, challenge: isOwn ? read.ticket.challenge : null, isVerified: true };
  for (let races = 0; races < RACES_MAX; races += 1) {
    const paper = await userPaper(needs.store, userId);
    if (!paper) return { refused: 'over', userId };
    if ((await lockedUntil(needs, paper.body.email)) > 0) return { refused: 'locked', userId };
    const user = await proven(needs, paper.body, proof);
    if (!user) return { refused: (await countFailure(needs, paper.body.email)) ? 'locked' : 'wrong', userId };
    if (!(await needs.store.filePapers([movedUser(paper, user), ...(isOwn ? [read.used] : [])]))) continue;
    await forgetFailures(needs, paper.body.email);
    const until = await stepUp(needs, token);
    return until === null ? { refused: 'over', userId } : { until };
  }
  return { refused: 'over', userId };
}
