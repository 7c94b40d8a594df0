import type { Attempt } from '../../payments/needs.ts';
import type { Payment } from '../../payments/payment.ts';
import { type CodeThat, isApproval, isNegative, isResultCode, type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import { objectionToGiftCard } from './giftCards.ts';
import { objectionToToken } from './networkTokens.ts';
import { type IsProof, objectionToProof } from './proof.ts';
import { objectionToMandate, objectionToReference, standsAlone } from './series.ts';
import type { Steering } from './steering.ts';

export type Verdict =
  | { readonly is: 'approved'; readonly code?: CodeThat<'approved'> }
  | { readonly is: 'declined'; readonly code: NegativeCode }
  /** Approved, but only after a while. */
  | { readonly is: 'pending' };

const APPROVED: Verdict = { is: 'approved' };
const NOT_UNDERSTOOD: Verdict = { is: 'declined', code: '600.200.810' };

/** What the simulated acquirer thinks of a payment: yes, unless it was told otherwise or the card's scheme objects. */
export function verdictOf(attempt: Attempt, steering: Steering, isProof?: IsProof): Verdict {
  const told = toldVerdict(attempt.payment, steering);
  if (told) return told;
  const objection = objectionToMandate(attempt, steering) ?? objectionToReference(attempt) ?? objectionToToken(attempt);
  return declinedBy(objection ?? objectionToGiftCard(attempt) ?? objectionToProof(attempt, isProof));
}

/** The same of a payment that came before, when only its record is left: what it proved then is believed. */
export function verdictRecalled(attempt: Attempt, steering: Steering): Verdict {
  return (
    toldVerdict(attempt.payment, steering) ?? declinedBy(objectionToMandate(attempt, steering) ?? objectionToGiftCard(attempt))
  );
}

const declinedBy = (code: NegativeCode | null): Verdict => (code === null ? APPROVED : { is: 'declined', code });

function toldVerdict(payment: Payment, steering: Steering): Verdict | null {
  if (steering.wrong !== undefined) return NOT_UNDERSTOOD;
  if (steering.code !== undefined) return forced(steering.code);
  return namedByHolder(payment);
}

function forced(code: string): Verdict {
  if (!isResultCode(code)) return NOT_UNDERSTOOD;
  if (isApproval(code)) return { is: 'approved', code };
  if (isNegative(code)) return { is: 'declined', code };
  return resultCodes[code].means === 'pending' ? { is: 'pending' } : NOT_UNDERSTOOD;
}

function namedByHolder(payment: Payment): Verdict | null {
  if (!standsAlone(payment)) return null;
  const { instrument, mode } = payment;
  const holder = instrument && 'holder' in instrument ? instrument.holder : null;
  if (holder === null || mode === 'LIVE' || !isResultCode(holder) || !isNegative(holder)) return null;
  return { is: 'declined', code: holder };
}
