import type { Approval, Performed } from '../people/approvals.ts';
import { changeLimitsPerformer } from './handlers/accountLimits.ts';
import { paymentPerformers } from './handlers/office/paymentActs.ts';
import { changeRolePerformer } from './handlers/peopleRoles.ts';
import { changeUserPerformer } from './handlers/peopleUsers.ts';
import type { Rooms } from './rooms.ts';

/**
 * Who carries out what was approved, by the name of the endpoint whose act it is. The rooms are those of the merchant's own time. The
 * act must be done once for an approval, however often it is asked for: use its id as the key of the act.
 */
export type Performer = (rooms: Rooms, approval: Approval) => Promise<Performed>;

export const performers: Readonly<Record<string, Performer>> = {
  ...paymentPerformers,
  changeEntity: changeLimitsPerformer,
  changeUser: changeUserPerformer,
  changeRole: changeRolePerformer,
};
