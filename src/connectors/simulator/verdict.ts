import type { Payment } from '../../payments/payment.ts';
import { type CodeThat, isApproval, isNegative, isResultCode, type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Steering } from './steering.ts';

export type Verdict =
  | { readonly is: 'approved'; readonly code?: CodeThat<'approved'> }
  | { readonly is: 'declined'; readonly code: NegativeCode }
  /** Approved, but only after a while. */
  | { readonly is: 'pending' };

const APPROVED: Verdict = { is: 'approved' };
const NOT_UNDERSTOOD: Verdict = { is: 'declined', code: '600.200.810' };

/** What the simulated acquirer thinks of a payment: yes, unless it was told otherwise. */
export function verdictOf(payment: Payment, steering: Steering): Verdict {
  if (steering.wrong !== undefined) return NOT_UNDERSTOOD;
  if (steering.code !== undefined) return forced(steering.code);
  return namedByHolder(payment) ?? APPROVED;
}

function forced(code: string): Verdict {
  if (!isResultCode(code)) return NOT_UNDERSTOOD;
  if (isApproval(code)) return { is: 'approved', code };
  if (isNegative(code)) return { is: 'declined', code };
  return resultCodes[code].means === 'pending' ? { is: 'pending' } : NOT_UNDERSTOOD;
}

function namedByHolder({ instrument, paymentType, mode }: Payment): Verdict | null {
  if (paymentType !== 'PA' && paymentType !== 'DB' && paymentType !== 'CD') return null;
  const holder = instrument && 'holder' in instrument ? instrument.holder : null;
  if (holder === null || mode === 'LIVE' || !isResultCode(holder) || !isNegative(holder)) return null;
  return { is: 'declined', code: holder };
}
