import type { PaymentStore } from '../payments/ports.ts';
import { postingOf, undoes } from './book.ts';

/** A store that posts to the books what its commits do, in the same commit. */
export function keepingBooks<Store extends Pick<PaymentStore, 'commit' | 'payment'>>(store: Store): Store {
  const commit: PaymentStore['commit'] = async (change) => {
    const { payment } = change;
    const { merchantId, referencedId } = payment;
    // The type of a payment never changes: it may be read at any time.
    const undone = undoes(payment) && referencedId !== null ? await store.payment(merchantId, referencedId) : null;
    return store.commit({ ...change, posting: postingOf(payment, undone?.paymentType ?? null) });
  };
  return { ...store, commit };
}
