import type { RightEndpointName } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { LinkView, UsersView, UserView } from '../../../spec/answers/users.ts';
import { lockedUntil } from '../../../users/failedAttempts.ts';
import { grantorOf, mayManage, requesterOf, type User, userDocument } from '../../../users/user.ts';
import {
  changeUser,
  createInvitation,
  endSessionsOf,
  hasRoleAt,
  type InvitationLink,
  resetSignIn,
  type UserChange,
  type UserRefusal,
  usersAt,
} from '../../../users/users.ts';
import { originFor } from '../../handler.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { beyondOwnRights, faulty, isoText } from './replies.ts';
import { type Performer, requestApproval } from './requestApproval.ts';

/** Users, with their roles at entities. */

type Caller = Pick<AuthorizedAdmin<RightEndpointName, null>, 'who' | 'signed' | 'sees'>;

const LIMIT = 50;

async function shown(
  { users: { needs } }: Pick<Services, 'users'>,
  { who, signed, sees }: Caller,
  user: User,
): Promise<UserView> {
  const { id, email, name, state, totp, passkeys, createdAt, signedInAt } = user;
  const until = await lockedUntil(needs, email);
  const pathOf = (entityId: string) => needs.directory.entity(entityId)?.path ?? [entityId];
  return {
    id,
    email,
    name,
    state,
    hasTotp: totp !== null,
    passkeys: passkeys.length,
    grants: user.grants.filter(({ entityId }) => sees(pathOf(entityId))),
    isManageable: await mayManage(needs, grantorOf(who, signed), user),
    lockedUntil: until === 0 ? null : isoText(until),
    createdAt: isoText(createdAt),
    signedInAt: signedInAt === null ? null : isoText(signedInAt),
  };
}

const APPROVER_LINK =
  'may approve while approvals are on: a link for such a user is made on the machine, with npx turnpike users. Or invite with a role ' +
  'without that right and give the other one afterwards, which a second person approves';

/** The refusal in words. A user whom the caller may not see does not exist for the caller. */
function refused(services: Pick<Services, 'replies'>, why: UserRefusal['refused']): Reply {
  if (why === 'gone') return noSuch(services, 'user');
  if (why === 'power') return beyondOwnRights(services);
  if (why === 'noRole') return faulty(services, 'role', 'is no role that can be given there');
  if (why === 'inUse') return faulty(services, 'email', 'is in use already; an operator can grant it another role');
  if (why === 'notBelow') return faulty(services, 'grants', 'must all be at this entity or below it');
  if (why === 'approverLink') return faulty(services, 'role', APPROVER_LINK);
  if (why === 'disabled') return faulty(services, 'id', 'is disabled; enable the user first');
  return faulty(services, 'grants', 'this is the last operator: one must stay');
}

const listUsers = query('listUsers', authorizeEntity, async (services: Pick<Services, 'replies' | 'users'>, authorized) => {
  const { limit = LIMIT, after } = authorized.values;
  const found = await usersAt(services.users.needs, authorized.entity.id, { limit, after });
  const users = await Promise.all(found.map((user) => shown(services, authorized, user)));
  return services.replies.json(200, { users } satisfies UsersView, { entityId: authorized.entity.id });
});

const readUser = query('readUser', authorizeEntity, async (services: Pick<Services, 'replies' | 'users'>, authorized, { id }) => {
  const { needs } = services.users;
  const user = (await userDocument(needs.store, id ?? ''))?.body;
  if (!user || !hasRoleAt(needs, user, authorized.entity.id)) return noSuch(services, 'user');
  return services.replies.json(200, (await shown(services, authorized, user)) satisfies AdminAnswer<'readUser'>, {
    entityId: authorized.entity.id,
  });
});

/** The link to an invitation, at the origin at which the caller has the back office open. */
async function linked(
  services: Pick<Services, 'replies' | 'trust' | 'users'>,
  authorized: Caller,
  { request, made }: { request: Request; made: InvitationLink & { user: User } },
): Promise<CommandResult> {
  const origin = originFor({ ...services, publicUrl: null }, request) ?? '';
  const link: LinkView = {
    user: await shown(services, authorized, made.user),
    link: `${origin}/welcome#${made.token}`,
    until: isoText(made.until),
  };
  return { reply: services.replies.json(200, link satisfies AdminAnswer<'inviteUser'>), objectId: made.user.id };
}

const inviteUser = command(
  'inviteUser',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, authorized, request): Promise<CommandResult> => {
    const { email, name, role } = authorized.values;
    const inviting = { email, name, role, entityId: authorized.entity.id };
    const made = await createInvitation(services.users.needs, grantorOf(authorized.who, authorized.signed), inviting);
    if (!made.ok) return { reply: refused(services, made.refused), objectId: null };
    return linked(services, authorized, { request, made });
  },
);

const change = command(
  'changeUser',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'users'>, authorized, { id }): Promise<CommandResult> => {
    const { grants, state, name } = authorized.values;
    const wanted = { userId: id ?? '', nodeId: authorized.entity.id, grants, state, name };
    const changed = await changeUser(services.users.needs, grantorOf(authorized.who, authorized.signed), wanted);
    if (!changed.ok && changed.refused === 'second') {
      return requestApproval(services, {
        what: 'changeUser',
        entityId: authorized.entity.id,
        objectId: id,
        values: { grants, state, name },
        who: authorized.who,
      });
    }
    if (!changed.ok) return { reply: refused(services, changed.refused), objectId: id };
    return {
      reply: services.replies.json(200, (await shown(services, authorized, changed.user)) satisfies AdminAnswer<'readUser'>),
      objectId: id,
    };
  },
);

const resetUser = command(
  'resetUser',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'trust' | 'users'>, authorized, request): Promise<CommandResult> => {
    const named = { userId: request.id ?? '', nodeId: authorized.entity.id };
    const made = await resetSignIn(services.users.needs, grantorOf(authorized.who, authorized.signed), named);
    if (!made.ok) return { reply: refused(services, made.refused), objectId: request.id };
    return linked(services, authorized, { request, made });
  },
);

const endSessions = command(
  'endUserSessions',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'users'>, authorized, { id }): Promise<CommandResult> => {
    const named = { userId: id ?? '', nodeId: authorized.entity.id };
    const outcome = await endSessionsOf(services.users.needs, grantorOf(authorized.who, authorized.signed), named);
    if (!outcome.ok) return { reply: refused(services, outcome.refused), objectId: id };
    return { reply: services.replies.json(200, { ended: outcome.ended } satisfies AdminAnswer<'endUserSessions'>), objectId: id };
  },
);

/** Changes a user as approved, with the rights that the requester has now. */
export const changeUserPerformer: Performer = async (
  { users: { needs } }: Pick<Services, 'users'>,
  { askedBy, entityId, objectId, values },
) => {
  const grantor = await requesterOf(needs, askedBy);
  const { grants, state, name } = values as Pick<UserChange, 'grants' | 'state' | 'name'>;
  const wanted = { userId: objectId ?? '', nodeId: entityId, grants, state, name };
  const changed = grantor && (await changeUser(needs, grantor, wanted, true));
  if (!changed?.ok) return { isDone: false, result: changed ? '200.300.404' : '800.900.300', objectId };
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
