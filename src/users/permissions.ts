import type { Right } from '../spec/rights.ts';
import { rightsByGrant, rightsOfRole } from './grants.ts';
import type { UserNeeds } from './ports.ts';
import type { SignedInUser } from './service.ts';
import { type Grant, type User, userDocument } from './user.ts';

/** Who gives or takes: what he may do at a place, which is a node with those above it. */
export type Grantor = { readonly who: string; readonly may: (right: Right, path: readonly string[]) => boolean };

/** Somebody who has signed in has what his roles say; whoever shows the operator's own token has everything. */
export const grantorOf = (who: string, signed: SignedInUser | undefined): Grantor => ({
  who,
  may: (right, path) => (signed ? signed.nodesWith(right).some((node) => path.includes(node)) : true),
});

type Looking = Pick<UserNeeds, 'store' | 'directory'>;

/** Who asked for something that another has approved since, with what he may do now; null: he may not come in any more. */
export async function requesterOf(needs: Looking, who: string): Promise<Grantor | null> {
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

/** Nobody gives a right that he does not have himself, at a node that is not his. */
export const mayGrant = (giver: Grantor, rights: readonly Right[], path: readonly string[]): boolean =>
  giver.may('users', path) && rights.every((right) => giver.may(right, path));

/** Nobody takes what he could not give. A role that is gone gave nothing. */
export async function mayChangeGrant(needs: Looking, giver: Grantor, grant: Grant): Promise<boolean> {
  return mayGrant(giver, (await rightsOfRole(needs, grant)) ?? [], pathOf(needs, grant.entityId));
}

/** Whether all that somebody may do is the giver's too: only then may he be locked out, or be given a link. */
export async function mayManage(needs: Looking, giver: Grantor, { grants }: Pick<User, 'grants'>): Promise<boolean> {
  const each = await Promise.all(grants.map((grant) => mayChangeGrant(needs, giver, grant)));
  return grants.length > 0 && each.every(Boolean);
}
