import type { Payment } from '../../payments/payment.ts';
import type { SeenCause } from '../../spec/answers/developer.ts';
import { isApproval, isResultCode } from '../../spec/resultCodes.ts';

/** The step of 3D Secure at which it ended, for a payment that was not authenticated. */
function stepOf({ threeDS }: Payment): readonly SeenCause[] {
  const phase = threeDS?.state.phase;
  if (phase === undefined) return [];
  if (phase.at !== 'done') return [{ is: 'threeDS', step: phase.at, status: null, reason: null }];
  const { kind, flow, transStatus, transStatusReason } = phase.outcome;
  if (kind === 'authenticated') return [];
  return [{ is: 'threeDS', step: flow ? `${flow}: ${kind}` : kind, status: transStatus, reason: transStatusReason }];
}

/** What led to the result of a payment beyond its code: the rules that spoke, and where 3D Secure ended. */
export function causesOf(payment: Payment | null, code: string): readonly SeenCause[] {
  if (payment === null || !isResultCode(code) || isApproval(code)) return [];
  const rules = (payment.risk?.fired ?? [])
    .filter(({ verdict, score }) => verdict !== 'accept' || score !== 0)
    .map(({ rule, says, verdict, score }): SeenCause => ({ is: 'rule', rule, says, verdict, score }));
  return [...(payment.risk?.verdict.is === 'decline' ? rules : []), ...stepOf(payment)];
}
