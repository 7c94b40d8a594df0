import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Me } from '../../../spec/answers/users.ts';
import { maskCardNumbers } from '../../../spec/cards/cardNumbers.ts';
import { type RelyingParty, relyingPartyOf } from '../../../users/passkeys.ts';
import type { ClientInfo, OpenedSession } from '../../../users/sessions.ts';
import type { SignInRefusal } from '../../../users/signIn.ts';
import type { User } from '../../../users/user.ts';
import { originFor } from '../../handler.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { sessionCookie } from '../authorize.ts';

/** Replies about users and sessions. */

/** One text for every failure: it must not reveal whether the user exists, or which part was right. */
const WRONG = 'e-mail, password or code is wrong; after five failures wait for 30 minutes';

/** The relying party of passkeys: the host of the back office, which may differ from that of the API. */
export const partyFor = (services: Pick<Services, 'trust'>, request: Request): RelyingParty | null =>
  relyingPartyOf(originFor({ ...services, publicUrl: null }, request));

const AGENT_MAX = 200;

export const fromOf = (request: Request, from: string): ClientInfo => ({
  from,
  agent: maskCardNumbers((request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, AGENT_MAX)),
});

export const signInFailed = ({ replies }: Pick<Services, 'replies'>, { refused }: SignInRefusal): Reply =>
  replies.result('800.900.300', null, { status: 401, remark: WRONG, why: `sign-in: ${refused}` });

export const withHeaders = (reply: Reply, headers: readonly string[]): Reply => ({
  ...reply,
  headers: [...reply.headers, ...headers],
});

export const NO_PASSKEYS =
  'passkeys need a host with a name: open the back office as https, or as localhost; a user has at most 20';

export const shownUser = ({ id, email, name, language, theme, totp }: User): Me['user'] => ({
  id,
  email,
  name,
  language,
  theme,
  hasTotp: totp !== null,
});

/** A user cannot grant, revoke or change rights that the user does not have. */
export const beyondOwnRights = ({ replies }: Pick<Services, 'replies'>): Reply =>
  replies.result('800.900.300', null, {
    status: 403,
    remark: 'you cannot grant or change rights that you do not have',
    why: 'beyond own rights',
  });

export const isoText = (at: number): string => new Date(at).toISOString();

/** A fault of one field. */
export const faulty = ({ replies }: Pick<Services, 'replies'>, name: string, message: string): Reply =>
  replies.result('200.300.404', null, { faults: [{ name, value: null, message }] });

/** The reply to a sign-in, with the session cookie. */
export const signedInReply = (services: Pick<Services, 'replies' | 'trust'>, request: Request, { token }: OpenedSession): Reply =>
  withHeaders(
    services.replies.json(200, { signedIn: true } satisfies AdminAnswer<'signInSecond'>),
    sessionCookie(services, request, token),
  );
