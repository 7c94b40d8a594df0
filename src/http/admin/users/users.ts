import type { RightEndpointName } from '../../../spec/admin/admin.ts';
import type { SeenLink, SeenUser, SeenUsers } from '../../../spec/answers/users.ts';
import { lockedUntil } from '../../../users/failedAttempts.ts';
import { askerOf, giverOf, mayManage } from '../../../users/permissions.ts';
import { type User, userPaper } from '../../../users/user.ts';
import {
  changeUser,
  endSessionsOf,
  invite,
  isAt,
  type Link,
  type NotDone,
  reset,
  type UserChange,
  usersAt,
} from '../../../users/users.ts';
import type { Performer } from '../../api/performers.ts';
import { originFor } from '../../server/origin.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, type Administered, acting, enterEntity, looking, noSuch } from '../authorize.ts';
import { faulty, isoText, tooMuch } from './replies.ts';
import { askSecond } from './requestApproval.ts';

/** Those who look after people: who works where, with which roles. */

type Asking = Pick<Administered<RightEndpointName, null>, 'who' | 'signed' | 'sees'>;

const LIMIT = 50;

async function shown({ people: { needs } }: Rooms, { who, signed, sees }: Asking, user: User): Promise<SeenUser> {
  const { id, email, name, state, totp, passkeys, createdAt, signedInAt } = user;
  const until = await lockedUntil(needs, email);
  const pathOf = (entityId: string) => needs.directory.entity(entityId)?.path ?? [entityId];
  return {
    ...{ id, email, name, state, hasTotp: totp !== null, passkeys: passkeys.length },
    grants: user.grants.filter(({ entityId }) => sees(pathOf(entityId))),
    isManageable: await mayManage(needs, giverOf(who, signed), user),
    lockedUntil: until === 0 ? null : isoText(until),
    createdAt: isoText(createdAt),
    signedInAt: signedInAt === null ? null : isoText(signedInAt),
  };
}

const APPROVER_LINK =
  'may approve while approvals are on: a link for such a user is made on the machine, with npx turnpike users. Or invite with a role ' +
  'without that right and give the other one afterwards, which a second person approves';

/** Why nothing was done, in words. Whoever is not seen is not there. */
function notDone(rooms: Rooms, why: NotDone['notDone']): Reply {
  if (why === 'gone') return noSuch(rooms, 'user');
  if (why === 'power') return tooMuch(rooms);
  if (why === 'noRole') return faulty(rooms, 'role', 'is no role that can be given there');
  if (why === 'inUse')
    return faulty(rooms, 'email', 'is in use already; whoever runs the installation can give another role to it');
  if (why === 'notBelow') return faulty(rooms, 'grants', 'must all be at this entity or below it');
  if (why === 'approverLink') return faulty(rooms, 'role', APPROVER_LINK);
  if (why === 'disabled') return faulty(rooms, 'id', 'is disabled; let him in again first');
  return faulty(rooms, 'grants', 'somebody must stay who runs everything: this is the last operator');
}

const listUsers = looking('listUsers', enterEntity, async (rooms, asked) => {
  const { limit = LIMIT, after } = asked.values;
  const found = await usersAt(rooms.people.needs, asked.entity.id, { limit, after });
  const users = await Promise.all(found.map((user) => shown(rooms, asked, user)));
  return rooms.respond.json(200, { users } satisfies SeenUsers, { entityId: asked.entity.id });
});

const readUser = looking('readUser', enterEntity, async (rooms, asked, { id }) => {
  const { needs } = rooms.people;
  const user = (await userPaper(needs.store, id ?? ''))?.body;
  if (!user || !isAt(needs, user, asked.entity.id)) return noSuch(rooms, 'user');
  return rooms.respond.json(200, await shown(rooms, asked, user), { entityId: asked.entity.id });
});

/** The link is of the pages of the back office: where whoever asks has them open. */
async function linked(
  rooms: Rooms,
  asked: Asking,
  { request, made }: { request: Request; made: Link & { user: User } },
): Promise<Acted> {
  const origin = originFor({ ...rooms, publicUrl: null }, request) ?? '';
  const link: SeenLink = {
    user: await shown(rooms, asked, made.user),
    link: `${origin}/welcome#${made.token}`,
    until: isoText(made.until),
  };
  return { reply: rooms.respond.json(200, link), objectId: made.user.id };
}

const inviteUser = acting('inviteUser', enterEntity, async (rooms, asked, request): Promise<Acted> => {
  const { email, name, role } = asked.values;
  const inviting = { email, name, role, entityId: asked.entity.id };
  const made = await invite(rooms.people.needs, giverOf(asked.who, asked.signed), inviting);
  if ('notDone' in made) return { reply: notDone(rooms, made.notDone), objectId: null };
  return linked(rooms, asked, { request, made });
});

const change = acting('changeUser', enterEntity, async (rooms, asked, { id }): Promise<Acted> => {
  const { grants, state, name } = asked.values;
  const wanted = { userId: id ?? '', nodeId: asked.entity.id, grants, state, name };
  const user = await changeUser(rooms.people.needs, giverOf(asked.who, asked.signed), wanted);
  if ('notDone' in user && user.notDone === 'second') {
    return askSecond(rooms, {
      what: 'changeUser',
      entityId: asked.entity.id,
      objectId: id,
      values: { grants, state, name },
      who: asked.who,
    });
  }
  if ('notDone' in user) return { reply: notDone(rooms, user.notDone), objectId: id };
  return { reply: rooms.respond.json(200, await shown(rooms, asked, user)), objectId: id };
});

const resetUser = acting('resetUser', enterEntity, async (rooms, asked, request): Promise<Acted> => {
  const named = { userId: request.id ?? '', nodeId: asked.entity.id };
  const made = await reset(rooms.people.needs, giverOf(asked.who, asked.signed), named);
  if ('notDone' in made) return { reply: notDone(rooms, made.notDone), objectId: request.id };
  return linked(rooms, asked, { request, made });
});

const endSessions = acting('endUserSessions', enterEntity, async (rooms, asked, { id }): Promise<Acted> => {
  const named = { userId: id ?? '', nodeId: asked.entity.id };
  const ended = await endSessionsOf(rooms.people.needs, giverOf(asked.who, asked.signed), named);
  if ('notDone' in ended) return { reply: notDone(rooms, ended.notDone), objectId: id };
  return { reply: rooms.respond.json(200, ended), objectId: id };
});

/** Changes a user as another has approved, with what the asker may do now. */
export const changeUserPerformer: Performer = async ({ people: { needs } }, { askedBy, entityId, objectId, values }) => {
  const giver = await askerOf(needs, askedBy);
  const { grants, state, name } = values as Pick<UserChange, 'grants' | 'state' | 'name'>;
  const wanted = { userId: objectId ?? '', nodeId: entityId, grants, state, name };
  const came = giver && (await changeUser(needs, giver, wanted, true));
  if (!came || 'notDone' in came) return { isDone: false, result: came ? '200.300.404' : '800.900.300', objectId };
  return { isDone: true, result: 'done', objectId };
};

export const userHandlers = {
  listUsers,
  inviteUser,
  readUser,
  changeUser: change,
  resetUser,
  endUserSessions: endSessions,
};
