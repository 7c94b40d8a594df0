import { findUndone, postingOf, type Undone, undoes } from '../ledger/book.ts';
import type { Payment } from '../payments/payment.ts';
import type { DeriveEffects, PaymentStore } from '../payments/ports.ts';
import { type Digest, emailHashFor } from '../payments/search/emailHash.ts';
import { paymentLine } from '../reports/statistics/line.ts';

type Needs = { readonly store: Pick<PaymentStore, 'payment'>; readonly digest: Digest };

/** What the ledger, the statistics and the search keep of each commit. A reversal and the record of a chargeback read what they undo. */
export function createCommitEffects({ store, digest }: Needs): DeriveEffects {
  const effectsOf = (payment: Payment, undone: Undone) => ({
    posting: postingOf(payment, undone),
    statisticsLine: paymentLine(payment),
    emailHash: emailHashFor(digest, payment),
  });
  return (payment) => {
    const { merchantId } = payment;
    if (!undoes(payment)) return effectsOf(payment, null);
    return findUndone(payment, (id) => store.payment(merchantId, id)).then((undone) => effectsOf(payment, undone));
  };
}
