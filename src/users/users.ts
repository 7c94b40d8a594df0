import { approverGuard, becomesApprover, isApprover, isApproverRole, leavesTooFew } from './approvers.ts';
import type { DocumentChange } from './documents.ts';
import { invitedUser, isEmailFree, newInvitation } from './invitations.ts';
import type { UserNeeds } from './ports.ts';
import { endSessions } from './sessions.ts';
import {
  allUsers,
  type Grant,
  type Grantor,
  mayChangeGrant,
  mayGrant,
  mayManage,
  newUserDocuments,
  pathOf,
  reviseUser,
  rightsOfRole,
  type User,
  userByEmail,
  userDocument,
} from './user.ts';

const [GUARD, OPERATORS] = ['guard', 'operators'];

const isTop = ({ directory }: Pick<UserNeeds, 'directory'>, entityId: string): boolean =>
  directory.entity(entityId)?.path.length === 1;

/** The top nodes at which a user is operator. */
const topsOf = (needs: Pick<UserNeeds, 'directory'>, { state, grants }: User): readonly string[] =>
  state === 'active'
    ? grants.filter(({ entityId, role }) => role === 'operator' && isTop(needs, entityId)).map(({ entityId }) => entityId)
    : [];

/**
 * Keeps an operator at every top node: null when the change would leave one without. Otherwise a change that belongs into
 * the same commit, so that of two operators who take each other's role only one can.
 */
async function operatorGuard(needs: UserNeeds, before: User, after: User): Promise<readonly DocumentChange[] | null> {
  const lost = topsOf(needs, before).filter((top) => !topsOf(needs, after).includes(top));
  if (lost.length === 0) return [];
  const guard = await needs.store.document(GUARD, OPERATORS);
  const others = (await allUsers(needs.store)).filter(({ id }) => id !== before.id);
  if (!lost.every((top) => others.some((other) => topsOf(needs, other).includes(top)))) return null;
  const at = needs.clock.now();
  return [{ collection: GUARD, id: OPERATORS, ownerId: '', at, revision: (guard?.revision ?? 0) + 1, body: {} }];
}

/** Why a command was refused. `power`: it exceeds the rights of the grantor. */
export type UserRefusal = {
  readonly ok: false;
  /**
   * `second`: a second person must approve it. `approverLink`: a link would let its holder approve where approvals are on, and its
   * creator could follow it.
   */
  readonly refused: 'power' | 'noRole' | 'inUse' | 'lastOperator' | 'gone' | 'notBelow' | 'disabled' | 'second' | 'approverLink';
};
const refuse = (refused: UserRefusal['refused']): UserRefusal => ({ ok: false, refused });

type UserResult = UserRefusal | { readonly ok: true; readonly user: User };
export type InvitationLink = { readonly token: string; readonly until: number };
export type InvitationResult = UserRefusal | (InvitationLink & { readonly ok: true; readonly user: User });

const RACES_MAX = 8;

/** Whether a user has a role at a node or below it. */
export const hasRoleAt = (needs: Pick<UserNeeds, 'directory'>, { grants }: Pick<User, 'grants'>, nodeId: string): boolean =>
  grants.some(({ entityId }) => pathOf(needs, entityId).includes(nodeId));

/** The users at a node or below it, in the order of creation, after a given one. */
export async function usersAt(
  needs: UserNeeds,
  nodeId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<readonly User[]> {
  const there = (await allUsers(needs.store)).filter((user) => hasRoleAt(needs, user, nodeId));
  const from = after === undefined ? 0 : there.findIndex(({ id }) => id === after) + 1;
  return there.slice(from, from + limit);
}

export type InvitationRequest = Pick<User, 'email' | 'name'> & Grant;

/** Invites a user: creates the user and the link to choose credentials. */
export async function createInvitation(
  needs: UserNeeds,
  giver: Grantor,
  { email, name, entityId, role }: InvitationRequest,
): Promise<InvitationResult> {
  const rights = await rightsOfRole(needs, { entityId, role });
  if (!rights) return refuse('noRole');
  if (!mayGrant(giver, rights, pathOf(needs, entityId))) return refuse('power');
  if (await isApproverRole(needs, { entityId, role })) return refuse('approverLink');
  if (!(await isEmailFree(needs, email))) return refuse('inUse');
  const before = await userByEmail(needs.store, email);
  const fresh = invitedUser(needs, { email, name, grants: [{ entityId, role }] });
  // A user without roles is created anew under the same address.
  const user: User = before ? { ...before.body, name, state: 'invited', grants: fresh.grants } : fresh;
  const { token, until, changes } = await newInvitation(needs, user.id);
  const own = before ? [reviseUser(before, user)] : newUserDocuments(user);
  if (!(await needs.store.saveDocuments([...own, ...changes]))) return refuse('inUse');
  return { ok: true, user, token, until };
}

export type UserChange = {
  readonly userId: string;
  /** Grants at other nodes do not change. */
  readonly nodeId: string;
  readonly grants?: readonly Grant[] | undefined;
  readonly state?: 'active' | 'disabled' | undefined;
  readonly name?: string | undefined;
};

const isSame = (one: Grant, other: Grant): boolean => one.entityId === other.entityId && one.role === other.role;

/** The grants after the change, or the refusal. */
async function changedGrants(
  needs: UserNeeds,
  giver: Grantor,
  user: User,
  change: UserChange,
): Promise<UserRefusal | { readonly ok: true; readonly grants: readonly Grant[] }> {
  const { nodeId, grants } = change;
  if (!grants) return { ok: true, grants: user.grants };
  if (!grants.every(({ entityId }) => pathOf(needs, entityId).includes(nodeId))) return refuse('notBelow');
  const [here, elsewhere] = [true, false].map((isHere) =>
    user.grants.filter(({ entityId }) => pathOf(needs, entityId).includes(nodeId) === isHere),
  ) as [Grant[], Grant[]];
  const given = grants.filter((grant) => !here.some((one) => isSame(one, grant)));
  const taken = here.filter((grant) => !grants.some((one) => isSame(one, grant)));
  for (const grant of given) if ((await rightsOfRole(needs, grant)) === null) return refuse('noRole');
  for (const grant of [...given, ...taken]) if (!(await mayChangeGrant(needs, giver, grant))) return refuse('power');
  return { ok: true, grants: [...elsewhere, ...grants] };
}

/** The user after the change, or the refusal. */
async function changedUser(needs: UserNeeds, giver: Grantor, user: User, change: UserChange): Promise<UserResult> {
  const isWhole = change.state !== undefined || change.name !== undefined;
  if (isWhole && !(await mayManage(needs, giver, user))) return refuse('power');
  const changed = await changedGrants(needs, giver, user, change);
  if (!changed.ok) return changed;
  // A user without a password needs a link to become active.
  const state = change.state === 'active' && user.passwords.length === 0 ? 'invited' : (change.state ?? user.state);
  return { ok: true, user: { ...user, grants: changed.grants, state, name: change.name ?? user.name } };
}

/** Changes the roles of a user below a node, or locks the user. Sessions without rights end immediately. */
export async function changeUser(needs: UserNeeds, giver: Grantor, change: UserChange, isApproved = false): Promise<UserResult> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await userDocument(needs.store, change.userId);
    if (!document || !hasRoleAt(needs, document.body, change.nodeId)) return refuse('gone');
    const changed = await changedUser(needs, giver, document.body, change);
    if (!changed.ok) return changed;
    const { user } = changed;
    const guard = await operatorGuard(needs, document.body, user);
    if (!guard) return refuse('lastOperator');
    // Read before the remaining approvers are counted, so a concurrent change makes this commit fail.
    const approvers = await approverGuard(needs);
    const isTooFew = await leavesTooFew(needs, document.body, user);
    if (!isApproved && (isTooFew || (await becomesApprover(needs, document.body, user)))) return refuse('second');
    const isFewer =
      user.grants.length < document.body.grants.length || user.grants.some((one) => !document.body.grants.includes(one));
    if (!(await needs.store.saveDocuments([reviseUser(document, user), ...guard, ...(isFewer ? [approvers] : [])]))) continue;
    if (user.state === 'disabled') await endSessions(needs, user.id);
    return changed;
  }
  return refuse('gone');
}

type UserLocation = { readonly userId: string; readonly nodeId: string };

async function loadManaged(needs: UserNeeds, giver: Grantor, { userId, nodeId }: UserLocation): Promise<UserResult> {
  const user = (await userDocument(needs.store, userId))?.body;
  if (!user || !hasRoleAt(needs, user, nodeId)) return refuse('gone');
  return (await mayManage(needs, giver, user)) ? { ok: true, user } : refuse('power');
}

/** A link to choose a new password and set up a new app. The present credentials stay valid until then. */
export async function resetSignIn(needs: UserNeeds, giver: Grantor, location: UserLocation): Promise<InvitationResult> {
  const managed = await loadManaged(needs, giver, location);
  if (!managed.ok) return managed;
  const { user } = managed;
  if (user.state === 'disabled') return refuse('disabled');
  if (user.id !== giver.who && (await isApprover(needs, user))) return refuse('approverLink');
  const { token, until, changes } = await newInvitation(needs, user.id);
  if (!(await needs.store.saveDocuments(changes))) return refuse('gone');
  return { ok: true, user, token, until };
}

/** Ends all sessions of a user; returns their number. */
export async function endSessionsOf(
  needs: UserNeeds,
  giver: Grantor,
  location: UserLocation,
): Promise<UserRefusal | { readonly ok: true; readonly ended: number }> {
  const managed = await loadManaged(needs, giver, location);
  return managed.ok ? { ok: true, ended: await endSessions(needs, managed.user.id) } : managed;
}
