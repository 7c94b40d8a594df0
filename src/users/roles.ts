import type { Right } from '../spec/rights.ts';
import { hasApprovals } from './approvers.ts';
import { ROLE_DRAWER, type Role, type RolePaper, rolePaper } from './grants.ts';
import { type Giver, mayGive, pathOf } from './permissions.ts';
import type { PeopleNeeds } from './ports.ts';
import { allUsers } from './user.ts';

/** Of one node. */
const ROLES_MAX = 50;

/** Why nothing was done. `power`: it is more than whoever asks has himself. */
export type RoleNotDone = { readonly notDone: 'power' | 'tooMany' | 'inUse' | 'gone' | 'named' | 'second' };

const rolesOf = async ({ store }: PeopleNeeds, nodeId: string): Promise<readonly Role[]> =>
  ((await store.papers({ drawer: ROLE_DRAWER, ownerId: nodeId, limit: ROLES_MAX })) as readonly RolePaper[]).map(
    ({ body }) => body,
  );

/** The roles that were made and can be given at a node: its own and those of the nodes above it. */
export async function rolesAt(needs: PeopleNeeds, nodeId: string): Promise<readonly Role[]> {
  const each = await Promise.all(pathOf(needs, nodeId).map((node) => rolesOf(needs, node)));
  return each.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

const isNamed = (name: string) => (role: Role) => role.name.toLowerCase() === name.toLowerCase();

export type RoleAsked = { readonly name: string; readonly rights: readonly Right[]; readonly entityId: string };

/** Makes a role of rights that its maker has himself. */
export async function makeRole(needs: PeopleNeeds, giver: Giver, asked: RoleAsked): Promise<Role | RoleNotDone> {
  if (!mayGive(giver, asked.rights, pathOf(needs, asked.entityId))) return { notDone: 'power' };
  const own = await rolesOf(needs, asked.entityId);
  if (own.length >= ROLES_MAX) return { notDone: 'tooMany' };
  if ((await rolesAt(needs, asked.entityId)).some(isNamed(asked.name))) return { notDone: 'named' };
  const role: Role = { ...asked, id: needs.ids.next() };
  await needs.store.filePapers([
    { drawer: ROLE_DRAWER, id: role.id, ownerId: role.entityId, at: needs.clock.now(), revision: 1, body: role },
  ]);
  return role;
}

/** Changes a role, at once for everybody who has it. Neither what it was nor what it will be may be more than its changer has. */
export async function changeRole(
  needs: PeopleNeeds,
  giver: Giver,
  { id, ...change }: Pick<Role, 'id'> & Partial<Pick<RoleAsked, 'name' | 'rights'>>,
  isApproved = false,
): Promise<Role | RoleNotDone> {
  const paper = await rolePaper(needs.store, id);
  if (!paper) return { notDone: 'gone' };
  const { body } = paper;
  const role: Role = { ...body, ...change };
  if (!mayGive(giver, [...body.rights, ...role.rights], pathOf(needs, role.entityId))) return { notDone: 'power' };
  const others = (await rolesAt(needs, role.entityId)).filter((other) => other.id !== id);
  if (others.some(isNamed(role.name))) return { notDone: 'named' };
  // Whoever has the role would approve from then on, or no more.
  const isMoved = body.rights.includes('approve') !== role.rights.includes('approve');
  if (isMoved && !isApproved && hasApprovals(needs, role.entityId) && (await isHeld(needs, id))) return { notDone: 'second' };
  return (await needs.store.filePapers([{ ...paper, revision: paper.revision + 1, body: role }])) ? role : { notDone: 'gone' };
}

const isHeld = async ({ store }: PeopleNeeds, id: string): Promise<boolean> =>
  (await allUsers(store)).some(({ grants }) => grants.some(({ role }) => role === id));

/** Removes a role that nobody has any more. */
export async function removeRole(needs: PeopleNeeds, giver: Giver, id: string): Promise<Role | RoleNotDone> {
  const paper = await rolePaper(needs.store, id);
  if (!paper) return { notDone: 'gone' };
  if (!mayGive(giver, paper.body.rights, pathOf(needs, paper.body.entityId))) return { notDone: 'power' };
  if (await isHeld(needs, id)) return { notDone: 'inUse' };
  const { drawer, revision } = paper;
  return (await needs.store.filePapers([{ drawer, id, revision, isGone: true }])) ? paper.body : { notDone: 'gone' };
}
