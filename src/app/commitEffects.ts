import { postingOf, undoes } from '../ledger/book.ts';
import type { Payment } from '../payments/payment.ts';
import type { DeriveEffects, PaymentStore } from '../payments/ports.ts';
import { type Digest, emailHashFor } from '../payments/search/emailHash.ts';
import { paymentLine } from '../reports/statistics/line.ts';

type Needs = { readonly store: Pick<PaymentStore, 'payment'>; readonly digest: Digest };

/** What the ledger, the statistics and the search keep of each commit. A refund or reversal reads the payment that it undoes. */
export function createCommitEffects({ store, digest }: Needs): DeriveEffects {
  const effectsOf = (payment: Payment, undone: Payment | null) => ({
    posting: postingOf(payment, undone?.paymentType ?? null),
    statisticsLine: paymentLine(payment),
    emailHash: emailHashFor(digest, payment),
  });
  return (payment) => {
    const { merchantId, referencedId } = payment;
    if (!undoes(payment) || referencedId === null) return effectsOf(payment, null);
    // The type of a payment never changes: it may be read at any time.
    return store.payment(merchantId, referencedId).then((undone) => effectsOf(payment, undone));
  };
}
