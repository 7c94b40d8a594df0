import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { RolesView, RoleView } from '../../../spec/answers/users.ts';
import { type RoleName, roles } from '../../../spec/rights.ts';
import { changeRole, makeRole, type RoleRefusal, type RoleResult, removeRole, rolesAt } from '../../../users/roles.ts';
import { grantorOf, mayGrant, pathOf, type Role, requesterOf, roleDocument } from '../../../users/user.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, authorizeObject, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { beyondOwnRights, faulty } from './replies.ts';
import { type Performer, requestApproval } from './requestApproval.ts';

/** The built-in roles, and roles that users have made. */

const list = query(
  'listRoles',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'users'>, { entity, who, signed }) => {
    const { needs } = services.users;
    const grantor = grantorOf(who, signed);
    const isGivable = (rights: RoleView['rights']) => mayGrant(grantor, rights, pathOf(needs, entity.id));
    const builtIn = (Object.keys(roles) as RoleName[]).map((name): RoleView => {
      const { rights } = roles[name];
      return { id: name, name, entityId: null, rights, isGivable: isGivable(rights) };
    });
    const made = (await rolesAt(needs, entity.id)).map((role): RoleView => ({ ...role, isGivable: isGivable(role.rights) }));
    return services.replies.json(200, { roles: [...builtIn, ...made] } satisfies RolesView, { entityId: entity.id });
  },
);

function refused(services: Pick<Services, 'replies'>, why: RoleRefusal['refused']): Reply {
  if (why === 'gone') return noSuch(services, 'role');
  if (why === 'power') return beyondOwnRights(services);
  if (why === 'named') return faulty(services, 'name', 'is the name of another role that can be given there');
  if (why === 'inUse') return faulty(services, 'id', 'is the role of a user; grant another role first');
  return faulty(services, 'entityId', 'has as many roles as it can have; remove one first');
}

const roleReply = (services: Pick<Services, 'replies'>, outcome: RoleResult, objectId: string | null): CommandResult =>
  outcome.ok
    ? {
        reply: services.replies.json(200, outcome.role satisfies AdminAnswer<'makeRole'>, { entityId: outcome.role.entityId }),
        objectId: outcome.role.id,
      }
    : { reply: refused(services, outcome.refused), objectId };

const make = command(
  'makeRole',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'users'>, { entity, values, who, signed }): Promise<CommandResult> => {
    const { name, rights } = values;
    return roleReply(
      services,
      await makeRole(services.users.needs, grantorOf(who, signed), { entityId: entity.id, name, rights }),
      null,
    );
  },
);

const authorizeRole = authorizeObject({
  what: 'role',
  find: async ({ users }, id) => (await roleDocument(users.needs.store, id))?.body ?? null,
  entityIdOf: ({ entityId }) => entityId,
});

const change = command(
  'changeRole',
  authorizeRole,
  async (services: Pick<Services, 'replies' | 'users'>, { resource, values, who, signed }): Promise<CommandResult> => {
    const { name, rights } = values;
    const wanted = { id: resource.id, ...(name !== undefined && { name }), ...(rights !== undefined && { rights }) };
    const outcome = await changeRole(services.users.needs, grantorOf(who, signed), wanted);
    if (!outcome.ok && outcome.refused === 'second')
      return requestApproval(services, {
        what: 'changeRole',
        entityId: resource.entityId,
        objectId: resource.id,
        values: { name, rights },
        who,
      });
    return roleReply(services, outcome, resource.id);
  },
);

/** Changes a role as approved, with the rights that the requester has now. */
export const changeRolePerformer: Performer = async (
  { users: { needs } }: Pick<Services, 'users'>,
  { askedBy, objectId, values },
) => {
  const grantor = await requesterOf(needs, askedBy);
  const { name, rights } = values as Partial<Pick<Role, 'name' | 'rights'>>;
  const wanted = { id: objectId ?? '', ...(name !== undefined && { name }), ...(rights !== undefined && { rights }) };
  const outcome = grantor && (await changeRole(needs, grantor, wanted, true));
  if (!outcome?.ok) return { isDone: false, result: outcome ? '200.300.404' : '800.900.300', objectId };
  return { isDone: true, result: 'done', objectId };
};

const remove = command(
  'removeRole',
  authorizeRole,
  async (services: Pick<Services, 'replies' | 'users'>, { resource, who, signed }): Promise<CommandResult> => {
    const outcome = await removeRole(services.users.needs, grantorOf(who, signed), resource.id);
    if (!outcome.ok) return roleReply(services, outcome, resource.id);
    return {
      reply: services.replies.json(200, { id: resource.id, removed: true } satisfies AdminAnswer<'removeRole'>),
      objectId: resource.id,
    };
  },
);

export const roleHandlers = { listRoles: list, makeRole: make, changeRole: change, removeRole: remove };
