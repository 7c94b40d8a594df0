import type { SeenRole, SeenRoles } from '../../../spec/answers/users.ts';
import { type RoleName, roles } from '../../../spec/rights.ts';
import { type Role, rolePaper } from '../../../users/grants.ts';
import { askerOf, giverOf, mayGive, pathOf } from '../../../users/permissions.ts';
import { changeRole, makeRole, type RoleNotDone, removeRole, rolesAt } from '../../../users/roles.ts';
import type { Performer } from '../../api/performers.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, acting, enterEntity, enterThing, looking, noSuch } from '../authorize.ts';
import { faulty, tooMuch } from './replies.ts';
import { askSecond } from './requestApproval.ts';

/** The roles that are always there, and those that were made of rights. */

const list = looking('listRoles', enterEntity, async (rooms, { entity, who, signed }) => {
  const { needs } = rooms.people;
  const giver = giverOf(who, signed);
  const isGivable = (rights: SeenRole['rights']) => mayGive(giver, rights, pathOf(needs, entity.id));
  const builtIn = (Object.keys(roles) as RoleName[]).map((name): SeenRole => {
    const { rights } = roles[name];
    return { id: name, name, entityId: null, rights, isGivable: isGivable(rights) };
  });
  const made = (await rolesAt(needs, entity.id)).map((role): SeenRole => ({ ...role, isGivable: isGivable(role.rights) }));
  return rooms.respond.json(200, { roles: [...builtIn, ...made] } satisfies SeenRoles, { entityId: entity.id });
});

function notDone(rooms: Rooms, why: RoleNotDone['notDone']): Reply {
  if (why === 'gone') return noSuch(rooms, 'role');
  if (why === 'power') return tooMuch(rooms);
  if (why === 'named') return faulty(rooms, 'name', 'is the name of another role that can be given there');
  if (why === 'inUse') return faulty(rooms, 'id', 'is somebody’s role; give him another one first');
  return faulty(rooms, 'entityId', 'has as many roles as it can have; remove one first');
}

const told = (rooms: Rooms, came: Role | RoleNotDone, objectId: string | null): Acted =>
  'notDone' in came
    ? { reply: notDone(rooms, came.notDone), objectId }
    : { reply: rooms.respond.json(200, came, { entityId: came.entityId }), objectId: came.id };

const make = acting('makeRole', enterEntity, async (rooms, { entity, values, who, signed }): Promise<Acted> => {
  const { name, rights } = values;
  return told(rooms, await makeRole(rooms.people.needs, giverOf(who, signed), { entityId: entity.id, name, rights }), null);
});

const enterRole = <Name extends 'changeRole' | 'removeRole'>(rooms: Rooms, request: Request, endpoint: Name) =>
  enterThing(rooms, request, {
    endpoint,
    what: 'role',
    find: async (id) => (await rolePaper(rooms.people.needs.store, id))?.body ?? null,
    entityIdOf: ({ entityId }) => entityId,
  });

const change = acting('changeRole', enterRole, async (rooms, { thing, values, who, signed }): Promise<Acted> => {
  const { name, rights } = values;
  const wanted = { id: thing.id, ...(name !== undefined && { name }), ...(rights !== undefined && { rights }) };
  const came = await changeRole(rooms.people.needs, giverOf(who, signed), wanted);
  if ('notDone' in came && came.notDone === 'second')
    return askSecond(rooms, { what: 'changeRole', entityId: thing.entityId, objectId: thing.id, values: { name, rights }, who });
  return told(rooms, came, thing.id);
});

/** Changes a role as another has approved, with what the asker may do now. */
export const changeRolePerformer: Performer = async ({ people: { needs } }, { askedBy, objectId, values }) => {
  const giver = await askerOf(needs, askedBy);
  const { name, rights } = values as Partial<Pick<Role, 'name' | 'rights'>>;
  const wanted = { id: objectId ?? '', ...(name !== undefined && { name }), ...(rights !== undefined && { rights }) };
  const came = giver && (await changeRole(needs, giver, wanted, true));
  if (!came || 'notDone' in came) return { isDone: false, result: came ? '200.300.404' : '800.900.300', objectId };
  return { isDone: true, result: 'done', objectId };
};

const remove = acting('removeRole', enterRole, async (rooms, { thing, who, signed }): Promise<Acted> => {
  const came = await removeRole(rooms.people.needs, giverOf(who, signed), thing.id);
  if ('notDone' in came) return told(rooms, came, thing.id);
  return { reply: rooms.respond.json(200, { id: thing.id, removed: true }), objectId: thing.id };
});

export const roleHandlers = { listRoles: list, makeRole: make, changeRole: change, removeRole: remove };
