import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { holderOf } from '../../registrations/instrument.ts';
import { type CodeThat, isApproval, isNegative, isResultCode, type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Directives } from './directives.ts';
import { objectionToToken } from './networkTokens.ts';
import { isCard, isMerchantInitiated, isStandalone, objectionToMandate, objectionToReference } from './series.ts';

type FinalVerdict =
  | { readonly is: 'approved'; readonly code?: CodeThat<'approved'> }
  | { readonly is: 'declined'; readonly code: NegativeCode };

export type Verdict =
  | FinalVerdict
  /** Decided later. */
  | { readonly is: 'pending'; readonly ending: FinalVerdict };

const APPROVED: FinalVerdict = { is: 'approved' };
const NOT_UNDERSTOOD: FinalVerdict = { is: 'declined', code: '600.200.810' };

/** The verdict of the simulated acquirer: approved, unless directives or the card's scheme object. */
export function decideVerdict(attempt: Attempt, directives: Directives, isProof?: IsProof): Verdict {
  const directed = directedVerdict(attempt.payment, directives) ?? softDecline(attempt, directives);
  if (directed) return directed;
  const objection = objectionToMandate(attempt, directives) ?? objectionToReference(attempt) ?? objectionToToken(attempt);
  return declinedBy(objection ?? objectionToGiftCard(attempt) ?? objectionToProof(attempt, isProof));
}

/** The verdict of a stored payment: tokens, references and proofs are not checked again. */
export function recallVerdict(attempt: Attempt, directives: Directives): Verdict {
  return (
    directedVerdict(attempt.payment, directives) ??
    softDecline(attempt, directives) ??
    declinedBy(objectionToMandate(attempt, directives) ?? objectionToGiftCard(attempt))
  );
}

const declinedBy = (code: NegativeCode | null): Verdict => (code === null ? APPROVED : { is: 'declined', code });

function directedVerdict(payment: Payment, directives: Directives): Verdict | null {
  if (directives.wrong !== undefined) return NOT_UNDERSTOOD;
  if (directives.code !== undefined) return forced(directives.code, directives.ending);
  return verdictFromHolder(payment);
}

function forced(code: string, ending: string | undefined): Verdict {
  if (!isResultCode(code) || resultCodes[code].means !== 'pending') return decidedBy(code);
  return { is: 'pending', ending: ending === undefined ? APPROVED : decidedBy(ending) };
}

function decidedBy(code: string): FinalVerdict {
  if (!isResultCode(code)) return NOT_UNDERSTOOD;
  if (isApproval(code)) return { is: 'approved', code };
  return isNegative(code) ? { is: 'declined', code } : NOT_UNDERSTOOD;
}

/** ECI values with liability shift: authenticated or attempted. */
const AUTHENTICATED_ECI: ReadonlySet<string> = new Set(['05', '06', '02', '01']);

/** A soft decline: the issuer requires authentication. An invalid code declines as not understood. */
function softDecline({ payment, series }: Attempt, { unauthenticated }: Directives): Verdict | null {
  const isAsked = unauthenticated !== undefined && isCard(payment) && isStandalone(payment) && payment.paymentType !== 'RG';
  if (!isAsked || isMerchantInitiated(series) || AUTHENTICATED_ECI.has(payment.fields['threeDSecure.eci'] ?? '')) return null;
  return isResultCode(unauthenticated) && isNegative(unauthenticated)
    ? { is: 'declined', code: unauthenticated }
    : NOT_UNDERSTOOD;
}

function verdictFromHolder(payment: Payment): Verdict | null {
  if (!isStandalone(payment)) return null;
  const { instrument, mode } = payment;
  const holder = holderOf(instrument);
  if (holder === null || mode === 'LIVE' || !isResultCode(holder) || !isNegative(holder)) return null;
  return { is: 'declined', code: holder };
}

/** The behaviour of the sandbox's gift cards. The documentation prints this table. */
export const giftCards = {
  '`giftCard.pin` is all zeros': 'declined with 800.100.166',
  'amount above the balance, which is the last four digits of `giftCard.number`: 6035 7100 0000 0050 holds 50.00':
    'declined with 800.100.203',
  'anything else': 'approved',
} as const;

/** Why a gift card is declined; null when it is accepted or is none. The last four digits of its number are its balance. */
function objectionToGiftCard({ payment, secrets }: Attempt): NegativeCode | null {
  const { instrument, paymentType, amount } = payment;
  if (instrument?.kind !== 'giftCard' || !['PA', 'DB'].includes(paymentType)) return null;
  if (secrets.pin !== undefined && /^0+$/.test(secrets.pin)) return '800.100.166';
  const holds = instrument.last4Digits ?? '';
  return /^\d{4}$/.test(holds) && amount > BigInt(holds) * 100n ? '800.100.203' : null;
}

/** Whether an issuer of the test environment gave the proof of an attempt; null when the proof is not of the test environment. */
export type IsProof = (attempt: Attempt) => boolean | null;

/** The proof is not the keyed hash of the issuer. */
const WRONG_SIGNATURE = '100.390.103';

/** Why a scheme rejects the claimed authentication; null when it accepts it or cannot verify it. */
function objectionToProof(attempt: Attempt, isProof: IsProof | undefined): NegativeCode | null {
  const { payment, secrets } = attempt;
  const isClaimed = secrets.verificationId !== undefined || payment.fields['threeDSecure.eci'] !== undefined;
  if (!isProof || !isClaimed || !isCard(payment) || !isStandalone(payment)) return null;
  return isProof(attempt) === false ? WRONG_SIGNATURE : null;
}
