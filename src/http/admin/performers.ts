import type { ActionResult, Approval } from '../../users/approvals.ts';
import type { Services } from '../services.ts';
import { changeLimitsPerformer } from './account/approvalLimits.ts';
import { paymentPerformers } from './payments/actions.ts';
import { changeRolePerformer } from './users/roles.ts';
import { changeUserPerformer } from './users/users.ts';

/**
 * Carries out an approved command, by the name of its endpoint. The services run under the merchant's test clock. An approval must be
 * carried out once, however often it is asked for: its id is the idempotency key.
 */
export type Performer = (services: Services, approval: Approval) => Promise<ActionResult>;

export const performers: Readonly<Record<string, Performer>> = {
  ...paymentPerformers,
  changeEntity: changeLimitsPerformer,
  changeUser: changeUserPerformer,
  changeRole: changeRolePerformer,
};
