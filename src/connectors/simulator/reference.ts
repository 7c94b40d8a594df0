import type { Payment } from '../../payments/payment.ts';
import { macOf } from './mac.ts';

/** What the simulated scheme calls an authorisation, and the agreement that begins with it. */
export type SchemeData = { readonly reference: string; readonly agreement: string };

/** The end of an id is random, and `decide` has no other chance: the same payment must be called the same. */
const RANDOM_LENGTH = 9;
const REFERENCE_MAC_LENGTH = 6;
const AGREEMENT_MAC_LENGTH = 16;

/** The names of a new authorisation. They tell by themselves for which card of which merchant they were given. */
export const schemeDataOf = ({ id, fingerprint }: Payment): SchemeData =>
  named(id.slice(-RANDOM_LENGTH).toUpperCase(), fingerprint);

/** Whether the scheme has given this reference to this card. */
export const isReferenceOf = (reference: string, { fingerprint }: Payment): boolean =>
  named(reference.slice(0, RANDOM_LENGTH), fingerprint).reference === reference;

/** Whether the scheme has given this name to an agreement about this card. */
export const isAgreementOf = (agreement: string, { fingerprint }: Payment): boolean =>
  named(agreement.slice(0, RANDOM_LENGTH), fingerprint).agreement === agreement;

/** One digest is enough for both: each takes a part of its own. */
function named(random: string, fingerprint: string | null): SchemeData {
  const mac = macOf('reference', `${fingerprint ?? ''}|${random}`)
    .slice(0, REFERENCE_MAC_LENGTH + AGREEMENT_MAC_LENGTH)
    .toUpperCase();
  return { reference: random + mac.slice(0, REFERENCE_MAC_LENGTH), agreement: random + mac.slice(REFERENCE_MAC_LENGTH) };
}
