import { timingSafeEqual } from 'node:crypto';
import { macOf, SANDBOX_KEY } from './seal.ts';

export type Proven = {
  readonly dsTransactionId: string;
  readonly number: string;
  readonly eci: string;
  readonly key?: string;
};

const VERSION = 1;
const BYTES = 20;

/** What of a card may be shown: with a key that everybody knows, a proof made of more digits would tell the number. */
const shownPart = (number: string): string => number.slice(0, 6) + number.slice(-4);

/** The proof of an authentication by an issuer of the test environment: 20 bytes, of one card and one authentication. */
export function proofOf({ dsTransactionId, number, eci, key = SANDBOX_KEY }: Proven): string {
  return proofFor({ dsTransactionId, card: shownPart(number), eci, key });
}

/** The same for somebody who has kept no more of the number than may be shown. */
export function proofFor({
  dsTransactionId,
  card,
  eci,
  key,
}: Omit<Required<Proven>, 'number'> & { readonly card: string }): string {
  const mac = macOf(key, 'proof', `${dsTransactionId.toLowerCase()}|${card}|${eci}`).subarray(0, BYTES - 2);
  return Buffer.concat([Buffer.from([VERSION, Number.parseInt(eci, 10)]), mac]).toString('base64');
}

export const cardOf = shownPart;

/** Whether an issuer of the test environment gave this proof for this card, in this authentication, with this indicator. */
export function isProofOf(value: string, proven: Proven): boolean {
  const given = Buffer.from(value);
  const right = Buffer.from(proofOf(proven));
  return given.length === right.length && timingSafeEqual(given, right);
}
