import type { Amount } from '../../money/amount.ts';
import { authenticatedAmount } from '../authenticationNeed.ts';
import { networkOf, networks } from '../networks.ts';
import { isProofOf } from './proof.ts';

/** The parts of an attempt that claim an authentication. */
type PresentedProof = {
  readonly payment: {
    readonly paymentBrand: string | null;
    readonly amount: Amount;
    readonly currency: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly secrets: { readonly number?: string; readonly verificationId?: string };
};

/** Ids of the test environment are UUIDs of version 8, derived from a keyed hash. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/i;

/**
 * Whether an issuer of the test environment gave the proof for this card and the amount that was authenticated. Null: the authentication
 * is not of the test environment, or there was none.
 */
export function isProof({ payment, secrets }: PresentedProof): boolean | null {
  const { paymentBrand, fields } = payment;
  const { number, verificationId } = secrets;
  const { 'threeDSecure.dsTransactionId': dsTransactionId = '', 'threeDSecure.eci': eci } = fields;
  const network = networkOf(paymentBrand);
  if (!OURS.test(dsTransactionId) || network === null || number === undefined) return null;
  const { none, informational } = networks[network].eci;
  // An ECI without authentication claims nothing.
  if (verificationId === undefined) return eci === undefined || eci === none || eci === informational ? null : false;
  const { amount, currency } = authenticatedAmount({ ...payment, read: (name) => fields[name] });
  return isProofOf(verificationId, { dsTransactionId, number, eci: eci ?? '', amount, currency });
}
