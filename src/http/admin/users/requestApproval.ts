import type { AskedSecond } from '../../../spec/answers/users.ts';
import { type ActionResult, type Approval, createApproval } from '../../../users/approvals.ts';
import { findApprovers } from '../../../users/approvers.ts';
import type { Services } from '../../services.ts';
import type { CommandResult } from '../command.ts';

/** The result in the audit log: the command waits for a second person. */
export const APPROVAL_REQUESTED = 'asked';

const NO_APPROVER =
  'this weakens the approvals and needs a second person, and no other user may approve here: use the command line, with ' +
  'npx turnpike approvals or npx turnpike users';

/**
 * Carries out an approved command, by the name of its endpoint. The services run under the merchant's test clock. An approval must be
 * carried out once, however often it is asked for: its id is the idempotency key.
 */
export type Performer = (services: Services, approval: Approval) => Promise<ActionResult>;

type WeakeningChange = {
  /** The endpoint of the command. */
  readonly what: string;
  readonly entityId: string;
  readonly objectId: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly who: string;
};

/** A change that weakens approvals waits for a second person; where there is none, only the command line can make it. */
export async function requestApproval(
  services: Pick<Services, 'replies' | 'users'>,
  { who, ...change }: WeakeningChange,
): Promise<CommandResult> {
  const { users, replies } = services;
  const { entityId, objectId } = change;
  const approvers = await findApprovers(users.needs, entityId, who);
  if (approvers.length === 0) {
    return { reply: replies.result('800.900.300', entityId, { status: 403, remark: NO_APPROVER }), objectId };
  }
  const about = { ...change, amount: null, currency: null, askedBy: who, reason: null };
  const approval = await createApproval(users.needs, about, users.needs.ids.next());
  if (!approval) {
    const reply = replies.result('800.120.100', entityId, { remark: 'too much waits for approval: decide on that first' });
    return { reply, objectId };
  }
  const body: AskedSecond = { approval: { id: approval.id, approvers: approvers.map(({ name }) => name) } };
  return { reply: replies.json(200, body, { entityId }), objectId, result: APPROVAL_REQUESTED };
}
