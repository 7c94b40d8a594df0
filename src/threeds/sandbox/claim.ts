import type { Amount } from '../../money/amount.ts';
import { networkOf, networks } from '../networks.ts';
import { isProofOf } from './proof.ts';

/** An attempt as an acquirer gets it, as far as it says that the cardholder was authenticated. */
type Brought = {
  readonly payment: {
    readonly paymentBrand: string | null;
    readonly amount: Amount;
    readonly currency: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly secrets: { readonly number?: string; readonly verificationId?: string };
};

/** Ids of the test environment follow from a keyed hash, and a UUID of that kind says so: version 8. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/i;

/**
 * Whether an issuer of the test environment gave the proof that an attempt brings, for this card and this much money. Null: it speaks of
 * none of them, because somebody else's 3D Secure server was at work, or nobody's.
 */
export function isProof({ payment, secrets }: Brought): boolean | null {
  const { paymentBrand, amount, currency, fields } = payment;
  const { number, verificationId } = secrets;
  const { 'threeDSecure.dsTransactionId': dsTransactionId = '', 'threeDSecure.eci': eci } = fields;
  const network = networkOf(paymentBrand);
  if (!OURS.test(dsTransactionId) || network === null || number === undefined) return null;
  const { none, informational } = networks[network].eci;
  // Whoever goes on without an authentication says so, and claims nothing.
  if (verificationId === undefined) return eci === undefined || eci === none || eci === informational ? null : false;
  return isProofOf(verificationId, { dsTransactionId, number, eci: eci ?? '', amount, currency });
}
