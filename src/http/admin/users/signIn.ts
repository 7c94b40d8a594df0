import type { HalfSignedIn, Me, SeenEntity, SeenGrant } from '../../../spec/answers/users.ts';
import { heldBy } from '../../../users/grants.ts';
import { acceptInvitation, finishInvitation, readInvitation } from '../../../users/invitations.ts';
import { endSession, idleUntil, sessionOf } from '../../../users/sessions.ts';
import {
  passkeyOptions,
  passkeySignIn,
  type Refused,
  signIn,
  signInSecond,
  stepUpBy,
  stepUpOptions,
} from '../../../users/signIn.ts';
import { userPaper } from '../../../users/user.ts';
import { originFor } from '../../server/origin.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { ofOneself } from '../authorize.ts';
import { sessionCookie, sessionToken } from '../session.ts';
import { oneselfHandlers } from './account.ts';
import { approvalHandlers } from './approvals.ts';
import {
  changingOneself,
  faulty,
  fromOf,
  isoText,
  knocking,
  NO_PASSKEYS,
  type Noted,
  partyFor,
  shownUser,
  turnedAway,
  welcomed,
  withHeaders,
} from './replies.ts';
import { roleHandlers } from './roles.ts';
import { userHandlers } from './users.ts';

/** How people come in and go, and who they are. */

const outside = (rooms: Rooms, refused: Refused): Noted => ({
  reply: turnedAway(rooms, refused),
  who: refused.userId ?? '',
  result: refused.refused,
  objectId: refused.userId,
});

/** Begins to sign in. */
const signInFirst = knocking('signIn', async (rooms, { values }, request) => {
  const came = await signIn(rooms.people.needs, values, partyFor(rooms, request));
  if ('refused' in came) return outside(rooms, came);
  const { userId, ...half } = came;
  return { reply: rooms.respond.json(200, half satisfies HalfSignedIn), who: userId, result: 'half', objectId: userId };
});

type CameIn = Awaited<ReturnType<typeof signInSecond>>;

/** Whatever session the browser had before is not the one that goes on. */
async function enter(rooms: Rooms, request: Request, came: CameIn): Promise<Noted> {
  if ('refused' in came) return outside(rooms, came);
  const before = sessionToken(rooms, request);
  const old = before === null ? null : await sessionOf(rooms.people.needs, before);
  if (old) await endSession(rooms.people.needs, old);
  return { reply: welcomed(rooms, request, came), who: came.user.id, result: 'done', objectId: came.user.id };
}

/** Ends a sign-in with the second factor. */
const second = knocking('signInSecond', async (rooms, { values, from }, request) => {
  const about = { party: partyFor(rooms, request), from: fromOf(request, from) };
  return enter(rooms, request, await signInSecond(rooms.people.needs, values, about));
});

/** Begins to sign in with a passkey alone. */
const askAnyPasskey = knocking('passkeyOptions', async (rooms, _, request) => {
  const party = partyFor(rooms, request);
  if (!party) return rooms.respond.result('200.300.404', null, { remark: NO_PASSKEYS });
  return rooms.respond.json(200, await passkeyOptions(rooms.people.needs, party));
});

/** Signs in with a passkey alone. */
const byPasskey = knocking('passkeySignIn', async (rooms, { values, from }, request) => {
  const about = { party: partyFor(rooms, request), from: fromOf(request, from) };
  return enter(rooms, request, await passkeySignIn(rooms.people.needs, values, about));
});

/** Everything below the nodes at which somebody has a role, and what is above them. */
function seenBy({ directory }: Rooms, grants: readonly SeenGrant[]): readonly SeenEntity[] {
  const nodes = grants.flatMap(({ entityId }) => directory.entity(entityId) ?? []);
  const above = nodes.flatMap(({ path }) => path.slice(1).flatMap((id) => directory.entity(id) ?? []));
  const all = [...above, ...nodes.flatMap(({ id }) => directory.below(id))];
  const once = new Map(all.map((entity) => [entity.id, entity]));
  return [...once.values()].map(({ id, kind, name, path }) => ({ id, kind, name, parentId: path[1] ?? null }));
}

/** Where the API is, as somebody sees it who has come to the back office. */
export function gatewayUrl(rooms: Rooms, request: Request): string {
  const { gatewayPort } = rooms.people;
  const origin = originFor(rooms, request) ?? '';
  if (rooms.publicUrl !== null || gatewayPort === null || !URL.canParse(origin)) return origin;
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}:${gatewayPort}`;
}

/** Who is signed in. */
const readMe = ofOneself('readMe', async (rooms, { signed }, request) => {
  const { needs } = rooms.people;
  const session = await sessionOf(needs, sessionToken(rooms, request) ?? '');
  const user = (await userPaper(needs.store, signed.user.id))?.body;
  if (!session || !user) return rooms.respond.result('800.900.300', null, { status: 401, why: 'no session' });
  const grants = await heldBy(needs, user.grants);
  const now = needs.clock.now();
  const me: Me = {
    user: shownUser(user),
    grants,
    entities: seenBy(rooms, grants),
    environment: rooms.environment,
    csrf: signed.csrf,
    idleUntil: isoText(idleUntil(session.body)),
    endsAt: isoText(session.body.endsAt),
    steppedUpUntil: now < signed.steppedUpUntil ? isoText(signed.steppedUpUntil) : null,
    gatewayUrl: gatewayUrl(rooms, request),
    now: isoText(now),
  };
  return rooms.respond.json(200, me);
});

/** Signs out. */
const signOut = changingOneself('signOut', async (rooms, _, request) => {
  const token = sessionToken(rooms, request);
  const session = token === null ? null : await sessionOf(rooms.people.needs, token);
  if (session) await endSession(rooms.people.needs, session);
  return { reply: withHeaders(rooms.respond.json(200, { signedOut: true }), sessionCookie(rooms, request, null)) };
});

/** Begins a step-up with a passkey. */
const askOwnPasskey = ofOneself('stepUpOptions', async (rooms, { signed }, request) => {
  const asked = await stepUpOptions(rooms.people.needs, signed.user.id, partyFor(rooms, request));
  return asked ? rooms.respond.json(200, asked) : rooms.respond.result('200.300.404', null, { remark: NO_PASSKEYS });
});

/** Shows again that it is the same person. */
const stepUp = changingOneself('stepUp', async (rooms, { signed, values }, request) => {
  if (values.code === undefined && values.credential === undefined)
    return { reply: faulty(rooms, 'code', 'may not be empty, unless a passkey is shown') };
  const holder = { userId: signed.user.id, token: sessionToken(rooms, request) ?? '' };
  const came = await stepUpBy(rooms.people.needs, holder, { ...values, party: partyFor(rooms, request) });
  if ('refused' in came) {
    const reply = rooms.respond.result('800.900.300', null, { status: 403, remark: 'this code or passkey is not right' });
    return { reply, result: came.refused };
  }
  return { reply: rooms.respond.json(200, { steppedUpUntil: isoText(came.until) }) };
});

const OVER = 'this link is not good any more; ask whoever gave it to you for another';

/** Whom a link is for. */
const readLink = knocking('readInvitation', async (rooms, { values }) => {
  const invitation = await readInvitation(rooms.people.needs, values.token);
  return invitation
    ? rooms.respond.json(200, invitation)
    : rooms.respond.result('700.400.580', null, { status: 404, remark: OVER });
});

/** Chooses a password. */
const acceptLink = knocking('acceptInvitation', async (rooms, { values }) => {
  const accepted = await acceptInvitation(rooms.people.needs, values);
  if (accepted === null) return rooms.respond.result('700.400.580', null, { status: 404, remark: OVER });
  return 'field' in accepted ? faulty(rooms, accepted.field, accepted.says) : rooms.respond.json(200, accepted);
});

/** Shows a first code, and is in. */
const finishLink = knocking('finishInvitation', async (rooms, { values, from }, request) =>
  enter(rooms, request, await finishInvitation(rooms.people.needs, values, fromOf(request, from))),
);

export const peopleHandlers = {
  signIn: signInFirst,
  signInSecond: second,
  passkeyOptions: askAnyPasskey,
  passkeySignIn: byPasskey,
  readInvitation: readLink,
  acceptInvitation: acceptLink,
  finishInvitation: finishLink,
  ...oneselfHandlers,
  ...userHandlers,
  ...roleHandlers,
  ...approvalHandlers,
  readMe,
  signOut,
  stepUpOptions: askOwnPasskey,
  stepUp,
};
