import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ApprovalsView, ApprovalView, PersonView } from '../../../spec/answers/users.ts';
import {
  APPROVAL_MS,
  type Approval,
  decideApproval,
  isWaiting,
  listApprovals,
  type PerformAction,
  readApproval,
} from '../../../users/approvals.ts';
import { findApprovers } from '../../../users/approvers.ts';
import { type Role, roleDocument, userDocument } from '../../../users/user.ts';
import type { UserChange } from '../../../users/users.ts';
import type { Services } from '../../services.ts';
import { type AuthorizedAdmin, authorizeEntity, authorizeObject } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { changeLimitsPerformer } from '../entities/entity.ts';
import { paymentPerformers } from '../payments/actions.ts';
import { isoText } from './replies.ts';
import type { Performer } from './requestApproval.ts';
import { changeRolePerformer } from './roles.ts';
import { changeUserPerformer } from './users.ts';

/** Approvals: commands that wait for a second person. */

const LIMIT = 50;

async function person({ users }: Pick<Services, 'users'>, id: string): Promise<PersonView> {
  return { id, name: (await userDocument(users.needs.store, id))?.body.name ?? null };
}

/** Describes a change of the right to approve, for the approver. */
async function aboutOf(
  { users: { needs } }: Pick<Services, 'users'>,
  { what, objectId, values }: Approval,
): Promise<string | null> {
  const { grants = [], state, rights = [] } = values as Pick<UserChange, 'grants' | 'state'> & Partial<Pick<Role, 'rights'>>;
  if (what === 'changeUser') {
    const user = (await userDocument(needs.store, objectId ?? ''))?.body;
    const names = grants.map(async ({ role }) => (await roleDocument(needs.store, role))?.body.name ?? role);
    return [`${user?.name} <${user?.email}>`, ...(state ? [state] : []), ...(await Promise.all(names))].join(', ');
  }
  if (what !== 'changeRole') return null;
  return [(await roleDocument(needs.store, objectId ?? ''))?.body.name ?? objectId, ...rights].join(', ');
}

type Names = (approval: Approval) => Promise<readonly string[]>;

/** The users who may approve, each entity and requester looked up once. */
function approverNames({ users }: Pick<Services, 'users'>): Names {
  const known = new Map<string, Promise<readonly string[]>>();
  return ({ entityId, askedBy }) => {
    const key = `${entityId} ${askedBy}`;
    const names = known.get(key) ?? findApprovers(users.needs, entityId, askedBy).then((all) => all.map(({ name }) => name));
    known.set(key, names);
    return names;
  };
}

async function shown(
  services: Pick<Services, 'users'>,
  who: string,
  approval: Approval,
  names: Names = approverNames(services),
): Promise<ApprovalView> {
  const { id, what, entityId, objectId, amount, currency, values, state, askedAt, decidedBy, decidedAt, note, result } = approval;
  const isOver = state === 'waiting' && !isWaiting(approval, services.users.needs.clock.now());
  return {
    id,
    what,
    entityId,
    objectId,
    amount,
    currency,
    values,
    note,
    result,
    about: await aboutOf(services, approval),
    reason: approval.reason ?? null,
    approvers: state === 'waiting' ? await names(approval) : [],
    state: isOver ? 'expired' : state,
    askedBy: await person(services, approval.askedBy),
    askedAt: isoText(askedAt),
    expiresAt: isoText(askedAt + APPROVAL_MS),
    decidedBy: decidedBy === null ? null : await person(services, decidedBy),
    decidedAt: decidedAt === null ? null : isoText(decidedAt),
    isYours: approval.askedBy === who,
  };
}

const list = query(
  'listApprovals',
  authorizeEntity,
  async (services: Pick<Services, 'replies' | 'users'>, { entity, values, who }) => {
    const { state = 'waiting', limit = LIMIT, after } = values;
    const { needs } = services.users;
    const isSeen = (entityId: string) => needs.directory.entity(entityId)?.path.includes(entity.id) ?? false;
    const found = await listApprovals(needs, {
      isWaiting: state === 'waiting',
      isSeen,
      limit,
      ...(after !== undefined && { after }),
    });
    const names = approverNames(services);
    const approvals = await Promise.all(found.map((approval) => shown(services, who, approval, names)));
    return services.replies.json(200, { approvals } satisfies ApprovalsView, { entityId: entity.id });
  },
);

const authorizeApproval = authorizeObject({
  what: 'approval',
  find: ({ users }, id) => readApproval(users.needs, id),
  entityIdOf: ({ entityId }) => entityId,
});

/** The commands that can be approved, by their endpoints. */
export const performers: Readonly<Record<string, Performer>> = {
  ...paymentPerformers,
  changeEntity: changeLimitsPerformer,
  changeUser: changeUserPerformer,
  changeRole: changeRolePerformer,
};

/** Carries out an approved command under the merchant's clock. */
const performing =
  (services: Pick<Services, 'auditLog' | 'directory' | 'forMerchant'>): PerformAction =>
  async (approval) => {
    const performer = performers[approval.what];
    if (!performer) return { isDone: false, result: 'unknown', objectId: null };
    const { id, what, entityId, objectId, askedBy } = approval;
    const performed = await performer(services.forMerchant(services.directory.entity(entityId)?.merchantId ?? null), approval);
    // The command is the requester's: the log has it under both names, the requester's and the approver's.
    await services.auditLog.write({
      who: askedBy,
      what,
      entityId,
      objectId,
      result: performed.result,
      from: '',
      note: `approval ${id}`,
    });
    return performed;
  };

const refusals = {
  own: 'another must decide what you have asked for',
  over: 'this was decided already, or it has waited for too long',
} as const;

async function decided(
  services: Pick<Services, 'auditLog' | 'directory' | 'forMerchant' | 'replies' | 'users'>,
  { resource, who, values }: Pick<AuthorizedAdmin<'approve' | 'refuse', Approval>, 'resource' | 'who' | 'values'>,
  isApproved: boolean,
): Promise<CommandResult> {
  const decision = { id: resource.id, by: who, isApproved, note: values.note ?? null };
  const outcome = await decideApproval(services.users.needs, decision, performing(services));
  if (outcome.ok)
    return {
      reply: services.replies.json(200, (await shown(services, who, outcome.approval)) satisfies AdminAnswer<'approve'>),
      objectId: resource.id,
    };
  const status = outcome.refused === 'own' ? 403 : 409;
  const code = outcome.refused === 'own' ? '800.900.300' : '700.400.580';
  return {
    reply: services.replies.result(code, resource.entityId, { status, remark: refusals[outcome.refused] }),
    objectId: resource.id,
  };
}

export const approvalHandlers = {
  listApprovals: list,
  approve: command(
    'approve',
    authorizeApproval,
    (services: Pick<Services, 'auditLog' | 'directory' | 'forMerchant' | 'replies' | 'users'>, authorized) =>
      decided(services, authorized, true),
  ),
  refuse: command(
    'refuse',
    authorizeApproval,
    (services: Pick<Services, 'auditLog' | 'directory' | 'forMerchant' | 'replies' | 'users'>, authorized) =>
      decided(services, authorized, false),
  ),
};
