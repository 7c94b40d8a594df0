import type { Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { isCard, isStandalone } from './series.ts';

/** Whether an issuer of the test environment gave the proof of an attempt; null when the proof is not of the test environment. */
export type IsProof = (attempt: Attempt) => boolean | null;

/** The proof is not the keyed hash of the issuer. */
const WRONG_SIGNATURE = '100.390.103';

/** Why a scheme rejects the claimed authentication; null when it accepts it or cannot verify it. */
export function objectionToProof(attempt: Attempt, isProof: IsProof | undefined): NegativeCode | null {
  const { payment, secrets } = attempt;
  const isClaimed = secrets.verificationId !== undefined || payment.fields['threeDSecure.eci'] !== undefined;
  if (!isProof || !isClaimed || !isCard(payment) || !isStandalone(payment)) return null;
  return isProof(attempt) === false ? WRONG_SIGNATURE : null;
}
