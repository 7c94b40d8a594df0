import type { SessionEndpointName, SignInEndpointName } from '../../../spec/admin/admin.ts';
import type { Me } from '../../../spec/answers/users.ts';
import { maskCardNumbers } from '../../../spec/cardNumbers.ts';
import { type Party, partyOf } from '../../../users/passkeys.ts';
import { TooManyAtOnce } from '../../../users/password.ts';
import type { From, Opened } from '../../../users/sessions.ts';
import type { Refused } from '../../../users/signIn.ts';
import type { User } from '../../../users/user.ts';
import { unavailable } from '../../server/errorReplies.ts';
import { originFor } from '../../server/origin.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Handler, Services } from '../../services.ts';
import { type OwnAccountHandler, ownAccountCommand, type SignInHandler, signInCommand } from '../authorize.ts';
import { sessionCookie } from '../session.ts';

/** What the handlers about people have in common. */

/** One text for whatever was wrong: nobody learns from it whether somebody is there, or which part was right. */
const WRONG = 'e-mail, password or code is wrong; after five failures wait for 30 minutes';

/** To whom a passkey is shown: the host of the back office, which is another than that of the API may be. */
export const partyFor = (services: Services, request: Request): Party | null =>
  partyOf(originFor({ ...services, publicUrl: null }, request));

const AGENT_MAX = 200;

export const fromOf = (request: Request, from: string): From => ({
  from,
  agent: maskCardNumbers((request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, AGENT_MAX)),
});

export const turnedAway = ({ respond }: Services, { refused }: Refused): Reply =>
  respond.result('800.900.300', null, { status: 401, remark: WRONG, why: `sign-in: ${refused}` });

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
export const tooMuch = ({ respond }: Services): Reply =>
  respond.result('800.900.300', null, { status: 403, remark: 'this is more than you may yourself', why: 'more than his own' });

export const isoText = (at: number): string => new Date(at).toISOString();

/** A fault of one field, in words. */
export const faulty = ({ respond }: Services, name: string, message: string): Reply =>
  respond.result('200.300.404', null, { faults: [{ name, value: null, message }] });

/** Somebody has come in: the browser gets the session. */
export const welcomed = (services: Services, request: Request, { token }: Opened): Reply =>
  withHeaders(services.respond.json(200, { signedIn: true }), sessionCookie(services, request, token));

/** What came of an act of somebody's, for the log. */
export type Noted = { readonly reply: Reply; readonly who: string; readonly result: string; readonly objectId?: string | null };

type Knocking<Name extends SignInEndpointName> = (
  services: Services,
  asked: SignInHandler<Name>,
  request: Request,
) => Promise<Noted | Reply>;

const isNoted = (came: Noted | Reply): came is Noted => 'who' in came;

/** Flooded: to hash one more password would only make everybody wait. */
const orBusy =
  (handler: Handler): Handler =>
  async (services, request) => {
    try {
      return await handler(services, request);
    } catch (error) {
      if (error instanceof TooManyAtOnce) return unavailable(services.respond);
      throw error;
    }
  };

/** A handler at the door: at a walking pace, and whatever comes of it is written down. */
export const knocking = <Name extends SignInEndpointName>(endpoint: Name, act: Knocking<Name>): Handler =>
  orBusy(
    signInCommand(endpoint, async (services, asked, request) => {
      const waitMs = services.people.pace(asked.from);
      if (waitMs > 0) {
        const headers = ['Retry-After', String(Math.ceil(waitMs / 1000))];
        return services.respond.result('800.120.100', null, { headers });
      }
      const came = await act(services, asked, request);
      if (!isNoted(came)) return came;
      const { reply, who, result, objectId = null } = came;
      // Nobody fills the disk by knocking.
      const write = reply.status === 200 ? services.audit : services.auditLog.writeRefused;
      await write({ who, what: endpoint, entityId: null, objectId, result, from: asked.from });
      return reply;
    }),
  );

type OwnAct<Name extends SessionEndpointName> = (
  services: Services,
  asked: OwnAccountHandler<Name>,
  request: Request,
) => Promise<{ readonly reply: Reply; readonly result?: string; readonly objectId?: string | null }>;

/** A handler of something that somebody does about himself: it is written down. */
export const changingOneself = <Name extends SessionEndpointName>(endpoint: Name, act: OwnAct<Name>): Handler =>
  orBusy(
    ownAccountCommand(endpoint, async (services, asked, request) => {
      const who = asked.signed.user.id;
      const {
        reply,
        objectId = who,
        result = reply.status === 200 ? 'done' : (reply.code ?? 'failed'),
      } = await act(services, asked, request);
      await services.audit({ who, what: endpoint, entityId: null, objectId, result, from: asked.from });
      return reply;
    }),
  );
