import type { Right } from '../spec/rights.ts';
import { hasApprovals } from './approvers.ts';
import type { UserNeeds } from './ports.ts';
import { allUsers, type Grantor, mayGrant, pathOf, ROLE_COLLECTION, type Role, type RoleDocument, roleDocument } from './user.ts';

/** The most roles of one node. */
const ROLES_MAX = 50;

/** Why a command was refused. `power`: the role exceeds the rights of the caller. */
export type RoleRefusal = {
  readonly ok: false;
  readonly refused: 'power' | 'tooMany' | 'inUse' | 'gone' | 'named' | 'second';
};
export type RoleResult = RoleRefusal | { readonly ok: true; readonly role: Role };
const refuse = (refused: RoleRefusal['refused']): RoleRefusal => ({ ok: false, refused });

const rolesOf = async ({ store }: UserNeeds, nodeId: string): Promise<readonly Role[]> =>
  ((await store.documents({ collection: ROLE_COLLECTION, ownerId: nodeId, limit: ROLES_MAX })) as readonly RoleDocument[]).map(
    ({ body }) => body,
  );

/** The custom roles that can be given at a node: its own and the roles of the nodes above it. */
export async function rolesAt(needs: UserNeeds, nodeId: string): Promise<readonly Role[]> {
  const each = await Promise.all(pathOf(needs, nodeId).map((node) => rolesOf(needs, node)));
  return each.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

const isNamed = (name: string) => (role: Role) => role.name.toLowerCase() === name.toLowerCase();

type RoleRequest = { readonly name: string; readonly rights: readonly Right[]; readonly entityId: string };

/** Creates a role. Its rights are a subset of the grantor's. */
export async function makeRole(needs: UserNeeds, giver: Grantor, asked: RoleRequest): Promise<RoleResult> {
  if (!mayGrant(giver, asked.rights, pathOf(needs, asked.entityId))) return refuse('power');
  const own = await rolesOf(needs, asked.entityId);
  if (own.length >= ROLES_MAX) return refuse('tooMany');
  if ((await rolesAt(needs, asked.entityId)).some(isNamed(asked.name))) return refuse('named');
  const role: Role = { ...asked, id: needs.ids.next() };
  await needs.store.saveDocuments([
    { collection: ROLE_COLLECTION, id: role.id, ownerId: role.entityId, at: needs.clock.now(), revision: 1, body: role },
  ]);
  return { ok: true, role };
}

/** Changes a role for all its users together. Neither its old nor its new rights may exceed the caller's. */
export async function changeRole(
  needs: UserNeeds,
  giver: Grantor,
  { id, ...change }: Pick<Role, 'id'> & Partial<Pick<RoleRequest, 'name' | 'rights'>>,
  isApproved = false,
): Promise<RoleResult> {
  const document = await roleDocument(needs.store, id);
  if (!document) return refuse('gone');
  const { body } = document;
  const role: Role = { ...body, ...change };
  if (!mayGrant(giver, [...body.rights, ...role.rights], pathOf(needs, role.entityId))) return refuse('power');
  const others = (await rolesAt(needs, role.entityId)).filter((other) => other.id !== id);
  if (others.some(isNamed(role.name))) return refuse('named');
  // The change makes users of the role approvers, or ends that.
  const isMoved = body.rights.includes('approve') !== role.rights.includes('approve');
  if (isMoved && !isApproved && hasApprovals(needs, role.entityId) && (await isHeld(needs, id))) return refuse('second');
  return (await needs.store.saveDocuments([{ ...document, revision: document.revision + 1, body: role }]))
    ? { ok: true, role }
    : refuse('gone');
}

const isHeld = async ({ store }: UserNeeds, id: string): Promise<boolean> =>
  (await allUsers(store)).some(({ grants }) => grants.some(({ role }) => role === id));

/** Removes a role without users. */
export async function removeRole(needs: UserNeeds, giver: Grantor, id: string): Promise<RoleResult> {
  const document = await roleDocument(needs.store, id);
  if (!document) return refuse('gone');
  if (!mayGrant(giver, document.body.rights, pathOf(needs, document.body.entityId))) return refuse('power');
  if (await isHeld(needs, id)) return refuse('inUse');
  const { collection, revision } = document;
  return (await needs.store.saveDocuments([{ collection, id, revision, isDeleted: true }]))
    ? { ok: true, role: document.body }
    : refuse('gone');
}
