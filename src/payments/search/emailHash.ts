import type { PaymentStore } from '../ports.ts';
import { emailOf } from './search.ts';

/** Enough that no two addresses of an installation are taken for each other, and short in an index. */
const LENGTH = 16;

/** The address as it is looked for: hashed by the vault, which alone has the key. */
export const emailHashOf = (digest: Digest, address: string): string =>
  digest('email', address.trim().toLowerCase()).slice(0, LENGTH);

export type Digest = (entityId: string, text: string) => string;

/** A store that keeps with a new payment what it can be found by and nobody should read. */
export function keepingSearch<Store extends Pick<PaymentStore, 'commit'>>(store: Store, digest: Digest): Store {
  const commit: PaymentStore['commit'] = async (change) => {
    const address = change.payment.revision === 1 ? emailOf(change.payment) : null;
    return store.commit(address === null ? change : { ...change, emailHash: emailHashOf(digest, address) });
  };
  return { ...store, commit };
}
