import { type Right, type RoleName, rights, roles } from '../spec/rights.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';
import type { SignedInUser } from './service.ts';
import { type Grant, type User, userDocument } from './user.ts';

/** A custom role: a set of rights for a node and everything below it. */
export type Role = { readonly id: string; readonly entityId: string; readonly name: string; readonly rights: readonly Right[] };

export type RoleDocument = StoredDocument<Role>;

/** The rights of each grant, at its node and below. */
export type HeldRights = readonly { readonly entityId: string; readonly role: string; readonly rights: readonly Right[] }[];

export const ROLE_COLLECTION = 'role';

const isRoleName = (role: string): role is RoleName => Object.hasOwn(roles, role);
const isRight = (right: string): right is Right => Object.hasOwn(rights, right);

export const roleDocument = async (store: DocumentStore, id: string): Promise<RoleDocument | null> =>
  (await store.document(ROLE_COLLECTION, id)) as RoleDocument | null;

type ReadNeeds = Pick<UserNeeds, 'store' | 'directory'>;

/** The rights of a role at a node; null when the role does not exist there. A custom role exists at its node and below. */
export async function rightsOfRole({ store, directory }: ReadNeeds, { entityId, role }: Grant): Promise<readonly Right[] | null> {
  if (isRoleName(role)) return roles[role].rights;
  const custom = (await roleDocument(store, role))?.body;
  const isThere = custom !== undefined && (directory.entity(entityId)?.path.includes(custom.entityId) ?? false);
  return isThere ? custom.rights.filter(isRight) : null;
}

/** The rights of grants. A grant of a deleted role has none. */
export const rightsByGrant = (needs: ReadNeeds, grants: readonly Grant[]): Promise<HeldRights> =>
  Promise.all(grants.map(async (grant) => ({ ...grant, rights: (await rightsOfRole(needs, grant)) ?? [] })));

/** A user who grants or revokes: the rights at a path, which is a node with its parents. */
export type Grantor = { readonly who: string; readonly may: (right: Right, path: readonly string[]) => boolean };

/** A signed-in user has the rights of the roles; the operator's token has all rights. */
export const grantorOf = (who: string, signed: SignedInUser | undefined): Grantor => ({
  who,
  may: (right, path) => (signed ? signed.nodesWith(right).some((node) => path.includes(node)) : true),
});

/** The requester of an approved action, with the present rights; null: the user can no longer sign in. */
export async function requesterOf(needs: ReadNeeds, who: string): Promise<Grantor | null> {
  if (who === 'operator') return grantorOf(who, undefined);
  const user = (await userDocument(needs.store, who))?.body;
  if (user?.state !== 'active') return null;
  const held = await rightsByGrant(needs, user.grants);
  const may: Grantor['may'] = (right, path) =>
    held.some(({ entityId, rights }) => rights.includes(right) && path.includes(entityId));
  return { who, may };
}

export const pathOf = ({ directory }: Pick<UserNeeds, 'directory'>, entityId: string): readonly string[] =>
  directory.entity(entityId)?.path ?? [entityId];

/** A user can only grant rights of its own, at nodes of its own. */
export const mayGrant = (giver: Grantor, rights: readonly Right[], path: readonly string[]): boolean =>
  giver.may('users', path) && rights.every((right) => giver.may(right, path));

/** A user can only revoke what it could grant. A deleted role has no rights. */
export async function mayChangeGrant(needs: ReadNeeds, giver: Grantor, grant: Grant): Promise<boolean> {
  return mayGrant(giver, (await rightsOfRole(needs, grant)) ?? [], pathOf(needs, grant.entityId));
}

/** Whether the grantor has all rights of the user: only then can it lock the user or issue a link. */
export async function mayManage(needs: ReadNeeds, giver: Grantor, { grants }: Pick<User, 'grants'>): Promise<boolean> {
  const each = await Promise.all(grants.map((grant) => mayChangeGrant(needs, giver, grant)));
  return grants.length > 0 && each.every(Boolean);
}
