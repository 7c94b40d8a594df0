import type { Approval, Performed } from '../../users/approvals.ts';
import type { Services } from '../services.ts';
import { changeLimitsPerformer } from './account/approvalLimits.ts';
import { paymentPerformers } from './payments/actions.ts';
import { changeRolePerformer } from './users/roles.ts';
import { changeUserPerformer } from './users/users.ts';

/**
 * Who carries out what was approved, by the name of the endpoint whose act it is. The rooms are those of the merchant's own time. The
 * act must be done once for an approval, however often it is asked for: use its id as the key of the act.
 */
export type Performer = (services: Services, approval: Approval) => Promise<Performed>;

export const performers: Readonly<Record<string, Performer>> = {
  ...paymentPerformers,
  changeEntity: changeLimitsPerformer,
  changeUser: changeUserPerformer,
  changeRole: changeRolePerformer,
};
