import type { Settings } from '../merchants/settings.ts';
import { type Amount, amountOf } from '../money/amount.ts';
import type { DocumentChange } from './documents.ts';
import type { UserNeeds } from './ports.ts';
import { allUsers, type Grant, pathOf, rightsByGrant, rightsOfRole, type User } from './user.ts';

/** Finds approvers, and keeps a user from becoming the own approver. */

type ReadNeeds = Pick<UserNeeds, 'store' | 'directory'>;

const [GUARD, APPROVERS] = ['guard', 'approvers'];
/** One asks and another approves. */
const APPROVERS_MIN = 2;

/** The nodes at which these grants give the right to approve. */
async function approvesAt(needs: ReadNeeds, grants: readonly Grant[]): Promise<readonly string[]> {
  return (await rightsByGrant(needs, grants)).filter(({ rights }) => rights.includes('approve')).map(({ entityId }) => entityId);
}

/** Active users who may approve actions at a node, without the requester. */
export async function findApprovers(needs: ReadNeeds, entityId: string, butId: string | null): Promise<readonly User[]> {
  const path = pathOf(needs, entityId);
  const users = (await allUsers(needs.store)).filter(({ id, state }) => state === 'active' && id !== butId);
  const nodes = await Promise.all(users.map(({ grants }) => approvesAt(needs, grants)));
  return users.filter((_, at) => nodes[at]?.some((node) => path.includes(node)));
}

/** The nodes at or below one at which approvals are on. */
function protectedBelow({ directory }: ReadNeeds, nodeId: string): readonly string[] {
  const owners = directory.ownersOf('approvals').filter((id) => directory.entity(id)?.path.includes(nodeId));
  return [nodeId, ...owners].flatMap((id) => (hasLimits(directory.entity(id)?.settings.approvals) ? directory.idsBelow(id) : []));
}

export const hasApprovals = (needs: ReadNeeds, nodeId: string): boolean => protectedBelow(needs, nodeId).length > 0;

/** Whether a role would give the right to approve where approvals are on. */
export async function isApproverRole(needs: ReadNeeds, grant: Grant): Promise<boolean> {
  const rights = await rightsOfRole(needs, grant);
  return (rights?.includes('approve') ?? false) && hasApprovals(needs, grant.entityId);
}

/** Whether a user may approve where approvals are on. */
export async function isApprover(needs: ReadNeeds, { grants }: Pick<User, 'grants'>): Promise<boolean> {
  return (await Promise.all(grants.map((grant) => isApproverRole(needs, grant)))).includes(true);
}

/** Whether a change makes a user an approver where approvals are on. */
export async function becomesApprover(needs: ReadNeeds, before: User, after: User): Promise<boolean> {
  if (after.state === 'disabled') return false;
  const [had, has] = await Promise.all([
    before.state === 'disabled' ? [] : approvesAt(needs, before.grants),
    approvesAt(needs, after.grants),
  ]);
  const isCovered = (node: string) => had.some((above) => pathOf(needs, node).includes(above));
  return has.some((node) => !isCovered(node) && hasApprovals(needs, node));
}

/**
 * Whether a change of roles leaves a node at which approvals are on with fewer than two users who may approve. To disable a user is always
 * possible: actions above the limit then wait, and no money moves without a second approver.
 */
export async function leavesTooFew(needs: ReadNeeds, before: User, after: User): Promise<boolean> {
  if (after.state !== 'active' || before.state !== 'active') return false;
  const [had, has] = await Promise.all([approvesAt(needs, before.grants), approvesAt(needs, after.grants)]);
  const lost = had.filter((node) => !has.includes(node)).flatMap((node) => protectedBelow(needs, node));
  for (const node of new Set(lost)) {
    if (has.some((other) => pathOf(needs, node).includes(other))) continue;
    const others = await findApprovers(needs, node, before.id);
    if (others.length < APPROVERS_MIN) return true;
  }
  return false;
}

/** Belongs into the commit of a change by which a user approves no more: of two simultaneous changes one is decided again. */
export async function approverGuard({ store, clock }: UserNeeds): Promise<DocumentChange> {
  const revision = ((await store.document(GUARD, APPROVERS))?.revision ?? 0) + 1;
  return { collection: GUARD, id: APPROVERS, ownerId: '', at: clock.now(), revision, body: {} };
}

type Limits = NonNullable<Settings['approvals']>;

/**
 * How much one user may move alone in a currency, by the setting `approvals`; null: approvals are off. They are on as soon as one currency
 * has a limit; a currency without one then has the limit 0, so everything in it needs a second person.
 */
export function approvalLimit({ approvals = {} }: Pick<Settings, 'approvals'>, currency: string): Amount | null {
  if (!hasLimits(approvals)) return null;
  return (Object.hasOwn(approvals, currency) ? amountOf(approvals[currency] ?? '') : undefined) ?? 0n;
}

const hasLimits = (approvals: Settings['approvals']): boolean => Object.keys(approvals ?? {}).length > 0;

/** Represents every currency that neither side names. */
const ANY_OTHER = '';

/** Whether a user may move more alone after a change than before it, in any currency. */
export function isWeaker(before: Limits, after: Limits): boolean {
  return [...Object.keys(before), ...Object.keys(after), ANY_OTHER].some((currency) => {
    const [limitBefore, limitAfter] = [before, after].map((approvals) => approvalLimit({ approvals }, currency)) as [
      Amount | null,
      Amount | null,
    ];
    return limitBefore !== null && (limitAfter === null || limitAfter > limitBefore);
  });
}

type Node = { readonly id: string; readonly parentId: string | null; readonly settings: Readonly<Record<string, unknown>> };

/** The limits of a node with those above it merged in, as settings are inherited. */
function limitsAt(nodes: ReadonlyMap<string, Node>, id: string): Limits {
  const node = nodes.get(id);
  if (!node) return {};
  return { ...limitsAt(nodes, node.parentId ?? ''), ...((node.settings.approvals ?? {}) as Limits) };
}

/** Whether other settings of a node weaken the limits there or at any node below it. */
export function weakensLimits(rows: readonly Node[], id: string, settings: Node['settings']): boolean {
  const before = new Map(rows.map((row) => [row.id, row]));
  const after = new Map(rows.map((row) => [row.id, row.id === id ? { ...row, settings } : row]));
  return rows.some((row) => isWeaker(limitsAt(before, row.id), limitsAt(after, row.id)));
}
