import type { Right } from '../spec/rights.ts';
import { rightsByGrant, rightsOfRole } from './grants.ts';
import type { UserNeeds } from './ports.ts';
import type { SignedInUser } from './service.ts';
import { type Grant, type User, userDocument } from './user.ts';

/** A user who grants or revokes: the rights at a path, which is a node with its parents. */
export type Grantor = { readonly who: string; readonly may: (right: Right, path: readonly string[]) => boolean };

/** A signed-in user has the rights of the roles; the operator's token has all rights. */
export const grantorOf = (who: string, signed: SignedInUser | undefined): Grantor => ({
  who,
  may: (right, path) => (signed ? signed.nodesWith(right).some((node) => path.includes(node)) : true),
});

type ReadNeeds = Pick<UserNeeds, 'store' | 'directory'>;

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
