import type { Me } from '../../../spec/answers/users.ts';
import { maskCardNumbers } from '../../../spec/cardNumbers.ts';
import { type Party, partyOf } from '../../../users/passkeys.ts';
import type { From, Opened } from '../../../users/sessions.ts';
import type { Refused } from '../../../users/signIn.ts';
import type { User } from '../../../users/user.ts';
import { originFor } from '../../server/origin.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Services } from '../../services.ts';
import { sessionCookie } from '../session.ts';

/** What the handlers about people have in common. */

/** One text for whatever was wrong: nobody learns from it whether somebody is there, or which part was right. */
const WRONG = 'e-mail, password or code is wrong; after five failures wait for 30 minutes';

/** To whom a passkey is shown: the host of the back office, which is another than that of the API may be. */
export const partyFor = (services: Pick<Services, 'trust'>, request: Request): Party | null =>
  partyOf(originFor({ ...services, publicUrl: null }, request));

const AGENT_MAX = 200;

export const fromOf = (request: Request, from: string): From => ({
  from,
  agent: maskCardNumbers((request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, AGENT_MAX)),
});

export const turnedAway = ({ replies }: Pick<Services, 'replies'>, { refused }: Refused): Reply =>
  replies.result('800.900.300', null, { status: 401, remark: WRONG, why: `sign-in: ${refused}` });

export const withHeaders = (reply: Reply, headers: readonly string[]): Reply => ({
  ...reply,
  headers: [...reply.headers, ...headers],
});

export const NO_PASSKEYS =
  'passkeys need a host with a name: open the back office as https, or as localhost; nobody has more than 20';

export const shownUser = ({ id, email, name, language, theme, totp }: User): Me['user'] => ({
  ...{ id, email, name, language, theme },
  hasTotp: totp !== null,
});

/** Nobody gives, takes or changes what is more than he has himself. */
export const tooMuch = ({ replies }: Pick<Services, 'replies'>): Reply =>
  replies.result('800.900.300', null, { status: 403, remark: 'this is more than you may yourself', why: 'more than his own' });

export const isoText = (at: number): string => new Date(at).toISOString();

/** A fault of one field, in words. */
export const faulty = ({ replies }: Pick<Services, 'replies'>, name: string, message: string): Reply =>
  replies.result('200.300.404', null, { faults: [{ name, value: null, message }] });

/** Somebody has come in: the browser gets the session. */
export const welcomed = (services: Pick<Services, 'replies' | 'trust'>, request: Request, { token }: Opened): Reply =>
  withHeaders(services.replies.json(200, { signedIn: true }), sessionCookie(services, request, token));
