import type { Payment } from '../payment.ts';
import { emailOf } from './search.ts';

/** Enough that no two addresses of an installation are taken for each other, and short in an index. */
const LENGTH = 16;

/** The address as it is looked for: hashed by the vault, which alone has the key. */
export const emailHashOf = (digest: Digest, address: string): string =>
  digest('email', address.trim().toLowerCase()).slice(0, LENGTH);

export type Digest = (entityId: string, text: string) => string;

/** The hash that is kept with the first revision of a payment; null without an address, and for later revisions. */
export function emailHashFor(digest: Digest, payment: Payment): string | null {
  const address = payment.revision === 1 ? emailOf(payment) : null;
  return address === null ? null : emailHashOf(digest, address);
}
