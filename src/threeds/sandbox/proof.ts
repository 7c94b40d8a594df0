import { timingSafeEqual } from 'node:crypto';
import { type Amount, minorUnits } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';
import { authenticatedAmount } from '../authenticationNeed.ts';
import { networkOf, networks } from '../networks.ts';
import { macOf, SANDBOX_KEY } from './seal.ts';

/** The authenticated amount in minor units. */
export type Money = { readonly minor: bigint; readonly currency: string };

type ProofContents = {
  readonly dsTransactionId: string;
  /** First six and last four digits: the key is public, so a proof over more digits would reveal the number. */
  readonly card: string;
  readonly eci: string;
  /** Null: the authentication had no payment, and the proof is bound to no amount. */
  readonly money: Money | null;
  readonly key?: string;
};

/** The claim of a payment that its cardholder was authenticated. */
type ProofClaim = Pick<ProofContents, 'dsTransactionId' | 'eci' | 'key'> & {
  readonly number: string;
  readonly amount: Amount;
  readonly currency: string;
};

const VERSION = 2;
const AMOUNT_AT = 2;
const MAC_AT = 10;
const BYTES = 20;
/** Marks the absence of an amount. */
const NO_AMOUNT = 2n ** 64n - 1n;

export const cardOf = (number: string): string => number.slice(0, 6) + number.slice(-4);

/** The proof (CAVV) of the test environment: 20 bytes, bound to one card, one authentication and its amount. */
export function proofFor({ dsTransactionId, card, eci, money, key = SANDBOX_KEY }: ProofContents): string {
  const most = money?.minor ?? NO_AMOUNT;
  const bytes = Buffer.alloc(BYTES);
  bytes[0] = VERSION;
  bytes[1] = Number.parseInt(eci, 10);
  bytes.writeBigUInt64BE(most, AMOUNT_AT);
  const text = [dsTransactionId.toLowerCase(), card, eci, most, money?.currency ?? ''].join('|');
  macOf(key, 'proof', text).copy(bytes, MAC_AT, 0, BYTES - MAC_AT);
  return bytes.toString('base64');
}

/**
 * Whether an issuer of the test environment gave this proof for this card, authentication and ECI, and for at least this amount.
 */
export function isProofOf(verificationId: string, claimed: ProofClaim): boolean {
  const { dsTransactionId, number, eci, amount, currency, key = SANDBOX_KEY } = claimed;
  const bytes = Buffer.from(verificationId, 'base64');
  if (bytes.length !== BYTES) return false;
  const minor = bytes.readBigUInt64BE(AMOUNT_AT);
  const money = minor === NO_AMOUNT ? null : { minor, currency };
  const asked = minorUnits(amount, digitsOf(currency) ?? 2);
  const isEnough = money === null || (asked !== undefined && asked <= minor);
  const given = Buffer.from(verificationId);
  const right = Buffer.from(proofFor({ dsTransactionId, card: cardOf(number), eci, money, key }));
  return given.length === right.length && timingSafeEqual(given, right) && isEnough;
}

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
