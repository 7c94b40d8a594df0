import { type Right, type RoleName, rights, roles } from '../spec/rights.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';
import type { Grant } from './user.ts';

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
