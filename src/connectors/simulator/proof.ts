import type { Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { isCard, standsAlone } from './series.ts';

/** Whether an issuer of the test environment gave the proof that an attempt brings; null: it says nothing of any of them. */
export type IsProof = (attempt: Attempt) => boolean | null;

/** The proof is a keyed hash of the issuer's, and this is not it. */
const WRONG_SIGNATURE = '100.390.103';

/** Why a scheme does not believe that the cardholder was authenticated; null when it does, or cannot tell. */
export function objectionToProof(attempt: Attempt, isProof: IsProof | undefined): NegativeCode | null {
  const { payment, secrets } = attempt;
  const claims = secrets.verificationId !== undefined || payment.fields['threeDSecure.eci'] !== undefined;
  if (!isProof || !claims || !isCard(payment) || !standsAlone(payment)) return null;
  return isProof(attempt) === false ? WRONG_SIGNATURE : null;
}
