import { entityKinds } from '../../../merchants/directory.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { EntityView, GrantView, HalfSignedIn, Me } from '../../../spec/answers/users.ts';
import { acceptInvitation, finishInvitation, readInvitation } from '../../../users/invitations.ts';
import { endSession, idleUntil, sessionOf } from '../../../users/sessions.ts';
import {
  passkeyOptions,
  passkeySignIn,
  type SignInRefusal,
  signIn,
  signInSecond,
  stepUpBy,
  stepUpOptions,
} from '../../../users/signIn.ts';
import { rightsByGrant, userDocument } from '../../../users/user.ts';
import { originFor } from '../../handler.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import { sessionCookie, sessionToken } from '../authorize.ts';
import { ownAccount, ownAccountCommand, type SignInResult, signInCommand } from '../command.ts';
import { approvalHandlers } from './approvals.ts';
import { countTasks, noticeHandlers, ownAccountHandlers } from './ownAccount.ts';
import {
  faulty,
  fromOf,
  isoText,
  NO_PASSKEYS,
  partyFor,
  shownUser,
  signedInReply,
  signInFailed,
  withHeaders,
} from './replies.ts';
import { roleHandlers } from './roles.ts';
import { userHandlers } from './users.ts';

/** Sign-in, sign-out, and the signed-in user. */

const signInRefusal = (services: Pick<Services, 'replies'>, refused: SignInRefusal): SignInResult => ({
  reply: signInFailed(services, refused),
  who: refused.userId ?? '',
  result: refused.refused,
  objectId: refused.userId,
});

/** The first step of a sign-in: password. */
const firstStep = signInCommand(
  'signIn',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { values }, request) => {
    const outcome = await signIn(services.users.needs, values, partyFor(services, request));
    if (!outcome.ok) return signInRefusal(services, outcome);
    const { userId, ticket, ways, passkey } = outcome;
    return {
      reply: services.replies.json(200, { ticket, ways, passkey } satisfies HalfSignedIn),
      who: userId,
      result: 'half',
      objectId: userId,
    };
  },
);

type SignInOutcome = Awaited<ReturnType<typeof signInSecond>>;

/** A sign-in ends the earlier session of the browser. */
async function openSession(
  services: Pick<Services, 'replies' | 'trust' | 'users'>,
  request: Request,
  outcome: SignInOutcome,
): Promise<SignInResult> {
  if (!outcome.ok) return signInRefusal(services, outcome);
  const before = sessionToken(services, request);
  const old = before === null ? null : await sessionOf(services.users.needs, before);
  if (old) await endSession(services.users.needs, old);
  return { reply: signedInReply(services, request, outcome), who: outcome.user.id, result: 'done', objectId: outcome.user.id };
}

/** The second step of a sign-in: code or passkey. */
const secondStep = signInCommand(
  'signInSecond',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { values, from }, request) => {
    const about = { party: partyFor(services, request), from: fromOf(request, from) };
    return openSession(services, request, await signInSecond(services.users.needs, values, about));
  },
);

/** Options to sign in with a passkey alone. */
const passkeyOptionsHandler = signInCommand(
  'passkeyOptions',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, _, request) => {
    const party = partyFor(services, request);
    if (!party) return services.replies.result('200.300.404', null, { remark: NO_PASSKEYS });
    return services.replies.json(
      200,
      (await passkeyOptions(services.users.needs, party)) satisfies AdminAnswer<'passkeyOptions'>,
    );
  },
);

/** Signs in with a passkey alone. */
const byPasskey = signInCommand(
  'passkeySignIn',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { values, from }, request) => {
    const about = { party: partyFor(services, request), from: fromOf(request, from) };
    return openSession(services, request, await passkeySignIn(services.users.needs, values, about));
  },
);

/** Of more entities, those furthest down are left out: they are found by lists and search. */
const SEEN_MAX = 20_000;

/** The nodes below those at which the user has a role, and the nodes above them. */
function seenBy({ directory }: Pick<Services, 'directory'>, grants: readonly GrantView[]): readonly EntityView[] {
  const nodes = grants.flatMap(({ entityId }) => directory.entity(entityId) ?? []);
  const above = nodes.flatMap(({ path }) => path.slice(1));
  const below = entityKinds.flatMap((kind) => nodes.flatMap(({ id }) => directory.idsBelow(id, kind)));
  const ids = [...new Set([...above, ...below])].slice(0, SEEN_MAX);
  return ids.flatMap((id) => directory.stored(id) ?? []).map(({ id, kind, name, parentId }) => ({ id, kind, name, parentId }));
}

/** The origin of the API, as seen from the back office. */
export function gatewayUrl(services: Pick<Services, 'publicUrl' | 'trust' | 'users'>, request: Request): string {
  const { gatewayPort } = services.users;
  const origin = originFor(services, request) ?? '';
  if (services.publicUrl !== null || gatewayPort === null || !URL.canParse(origin)) return origin;
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}:${gatewayPort}`;
}

/** The signed-in user. */
const readMe = ownAccount(
  'readMe',
  async (
    services: Pick<Services, 'directory' | 'environment' | 'publicUrl' | 'replies' | 'trust' | 'users'>,
    { signed },
    request,
  ) => {
    const { needs } = services.users;
    const session = await sessionOf(needs, sessionToken(services, request) ?? '');
    const user = (await userDocument(needs.store, signed.user.id))?.body;
    if (!session || !user) return services.replies.result('800.900.300', null, { status: 401, why: 'no session' });
    const grants = await rightsByGrant(needs, user.grants);
    const now = needs.clock.now();
    const me: Me = {
      user: shownUser(user),
      grants,
      entities: seenBy(services, grants),
      environment: services.environment,
      csrf: signed.csrf,
      idleUntil: isoText(idleUntil(session.body)),
      endsAt: isoText(session.body.endsAt),
      steppedUpUntil: now < signed.steppedUpUntil ? isoText(signed.steppedUpUntil) : null,
      gatewayUrl: gatewayUrl(services, request),
      now: isoText(now),
    };
    return services.replies.json(200, me satisfies AdminAnswer<'readMe'>);
  },
);

/** Signs out. */
const signOut = ownAccountCommand('signOut', async (services: Pick<Services, 'replies' | 'trust' | 'users'>, _, request) => {
  const token = sessionToken(services, request);
  const session = token === null ? null : await sessionOf(services.users.needs, token);
  if (session) await endSession(services.users.needs, session);
  return {
    reply: withHeaders(
      services.replies.json(200, { signedOut: true } satisfies AdminAnswer<'signOut'>),
      sessionCookie(services, request, null),
    ),
  };
});

/** Options for a step-up with a passkey. */
const stepUpOptionsHandler = ownAccount(
  'stepUpOptions',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { signed }, request) => {
    const options = await stepUpOptions(services.users.needs, signed.user.id, partyFor(services, request));
    return options
      ? services.replies.json(200, options satisfies AdminAnswer<'stepUpOptions'>)
      : services.replies.result('200.300.404', null, { remark: NO_PASSKEYS });
  },
);

/** Confirms the user's identity again. */
const stepUp = ownAccountCommand(
  'stepUp',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { signed, values }, request) => {
    if (values.code === undefined && values.credential === undefined)
      return { reply: faulty(services, 'code', 'may not be empty, unless a passkey is shown') };
    const holder = { userId: signed.user.id, token: sessionToken(services, request) ?? '' };
    const outcome = await stepUpBy(services.users.needs, holder, { ...values, party: partyFor(services, request) });
    if (!outcome.ok) {
      const reply = services.replies.result('800.900.300', null, { status: 403, remark: 'this code or passkey is not right' });
      return { reply, result: outcome.refused };
    }
    const body = { steppedUpUntil: isoText(outcome.until), now: isoText(services.users.needs.clock.now()) };
    return { reply: services.replies.json(200, body satisfies AdminAnswer<'stepUp'>) };
  },
);

const OVER = 'this link is not valid any more; ask for another one';

/** Reads an invitation. */
const readLink = signInCommand('readInvitation', async (services: Pick<Services, 'replies' | 'users'>, { values }) => {
  const invitation = await readInvitation(services.users.needs, values.token);
  return invitation
    ? services.replies.json(200, invitation satisfies AdminAnswer<'readInvitation'>)
    : services.replies.result('700.400.580', null, { status: 404, remark: OVER });
});

/** Accepts an invitation with a password. */
const acceptLink = signInCommand('acceptInvitation', async (services: Pick<Services, 'replies' | 'users'>, { values }) => {
  const accepted = await acceptInvitation(services.users.needs, values);
  if (accepted === null) return services.replies.result('700.400.580', null, { status: 404, remark: OVER });
  return accepted.ok
    ? services.replies.json(200, accepted.enrolment satisfies AdminAnswer<'acceptInvitation'>)
    : faulty(services, accepted.field, accepted.message);
});

/** Finishes an invitation with a first code, and signs in. */
const finishLink = signInCommand(
  'finishInvitation',
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, { values, from }, request) =>
    openSession(services, request, await finishInvitation(services.users.needs, values, fromOf(request, from))),
);

export const signInHandlers = {
  signIn: firstStep,
  signInSecond: secondStep,
  passkeyOptions: passkeyOptionsHandler,
  passkeySignIn: byPasskey,
  readInvitation: readLink,
  acceptInvitation: acceptLink,
  finishInvitation: finishLink,
  ...ownAccountHandlers,
  ...userHandlers,
  ...roleHandlers,
  ...approvalHandlers,
  readMe,
  countTasks,
  ...noticeHandlers,
  signOut,
  stepUpOptions: stepUpOptionsHandler,
  stepUp,
};
