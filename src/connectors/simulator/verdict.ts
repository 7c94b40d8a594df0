import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { type CodeThat, isApproval, isNegative, isResultCode, type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Directives } from './directives.ts';
import { objectionToGiftCard } from './giftCards.ts';
import { objectionToToken } from './networkTokens.ts';
import { type IsProof, objectionToProof } from './proof.ts';
import { isCard, isMerchants, objectionToMandate, objectionToReference, standsAlone } from './series.ts';

type Decided =
  | { readonly is: 'approved'; readonly code?: CodeThat<'approved'> }
  | { readonly is: 'declined'; readonly code: NegativeCode };

export type Verdict =
  | Decided
  /** Decided, but only after a while. */
  | { readonly is: 'pending'; readonly ending: Decided };

const APPROVED: Decided = { is: 'approved' };
const NOT_UNDERSTOOD: Decided = { is: 'declined', code: '600.200.810' };

/** What the simulated acquirer thinks of a payment: yes, unless it was told otherwise or the card's scheme objects. */
export function verdictOf(attempt: Attempt, directives: Directives, isProof?: IsProof): Verdict {
  const told = toldVerdict(attempt.payment, directives) ?? softDecline(attempt, directives);
  if (told) return told;
  const objection = objectionToMandate(attempt, directives) ?? objectionToReference(attempt) ?? objectionToToken(attempt);
  return declinedBy(objection ?? objectionToGiftCard(attempt) ?? objectionToProof(attempt, isProof));
}

/** The same of a payment that came before, when only its record is left: what it proved then is believed. */
export function verdictRecalled(attempt: Attempt, directives: Directives): Verdict {
  return (
    toldVerdict(attempt.payment, directives) ??
    softDecline(attempt, directives) ??
    declinedBy(objectionToMandate(attempt, directives) ?? objectionToGiftCard(attempt))
  );
}

const declinedBy = (code: NegativeCode | null): Verdict => (code === null ? APPROVED : { is: 'declined', code });

function toldVerdict(payment: Payment, directives: Directives): Verdict | null {
  if (directives.wrong !== undefined) return NOT_UNDERSTOOD;
  if (directives.code !== undefined) return forced(directives.code, directives.ending);
  return namedByHolder(payment);
}

function forced(code: string, ending: string | undefined): Verdict {
  if (!isResultCode(code) || resultCodes[code].means !== 'pending') return decidedBy(code);
  return { is: 'pending', ending: ending === undefined ? APPROVED : decidedBy(ending) };
}

function decidedBy(code: string): Decided {
  if (!isResultCode(code)) return NOT_UNDERSTOOD;
  if (isApproval(code)) return { is: 'approved', code };
  return isNegative(code) ? { is: 'declined', code } : NOT_UNDERSTOOD;
}

/** ECI of an authentication or an attempt, with which the issuer stands for the cardholder. */
const VOUCHED: ReadonlySet<string> = new Set(['05', '06', '02', '01']);

/** The issuer wants the cardholder authenticated; a code that is none declines as one that nobody understands. */
function softDecline({ payment, series }: Attempt, { unauthenticated }: Directives): Verdict | null {
  const isAsked = unauthenticated !== undefined && isCard(payment) && standsAlone(payment) && payment.paymentType !== 'RG';
  if (!isAsked || isMerchants(series) || VOUCHED.has(payment.fields['threeDSecure.eci'] ?? '')) return null;
  return isResultCode(unauthenticated) && isNegative(unauthenticated)
    ? { is: 'declined', code: unauthenticated }
    : NOT_UNDERSTOOD;
}

function namedByHolder(payment: Payment): Verdict | null {
  if (!standsAlone(payment)) return null;
  const { instrument, mode } = payment;
  const holder = instrument && 'holder' in instrument ? instrument.holder : null;
  if (holder === null || mode === 'LIVE' || !isResultCode(holder) || !isNegative(holder)) return null;
  return { is: 'declined', code: holder };
}
