import { postingsOf, undoneIn } from '../../src/ledger/book.ts';
import { balancesAt, sealBooks } from '../../src/ledger/chain.ts';
import { accounts, lineOf } from '../../src/ledger/entry.ts';
import type { LedgerStore } from '../../src/ledger/ports.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { isSuccess } from './invariants.ts';
import { breaks, type Sim } from './sim.ts';

const EVER = Number.MAX_SAFE_INTEGER;

const SIGN: Readonly<Record<string, bigint>> = { DB: 1n, CP: 1n, RB: 1n, RC: 1n, CR: 1n, CD: -1n, RF: -1n, CB: -1n };

/**
 * I13: every payment that was kept is in the books as it should be and nothing else is; what the merchants are owed is what was sold less
 * what was given back, added up here once more. A store without books is not asked.
 */
export async function checkBooks(sim: Sim, store: object, payments: ReadonlyMap<string, Payment>): Promise<void> {
  if (!('unsealed' in store)) return;
  const books = store as LedgerStore;
  const typeOf = ({ referencedId }: Payment) => payments.get(referencedId ?? '')?.paymentType ?? null;
  const owed = new Map<string, bigint>();
  for (const [merchantId, own] of Map.groupBy(payments.values(), (payment) => payment.merchantId)) {
    const posted = new Set(await books.unsealed(merchantId, EVER));
    for (const line of own.flatMap((payment) =>
      postingsOf(
        payment,
        undoneIn(payment, (id) => payments.get(id)),
      ).map(lineOf),
    )) {
      if (!posted.delete(line)) breaks(sim, 'I13', `${line} is not in the books`);
    }
    for (const line of posted) breaks(sim, 'I13', `${line} is in the books without its payment`);
  }
  for (const payment of payments.values()) {
    // A reversal does the opposite of its payment: of an authorisation there is no money to reverse. A chargeback of a refund is one that came back.
    const opposes = payment.paymentType === 'RV' || (payment.paymentType === 'CB' && typeOf(payment) === 'RF');
    const sign = opposes ? -(SIGN[typeOf(payment) ?? ''] ?? 0n) : (SIGN[payment.paymentType] ?? 0n);
    const name = `${payment.merchantId} ${payment.mode} ${payment.currency}`;
    if (isSuccess(payment)) owed.set(name, (owed.get(name) ?? 0n) + sign * payment.amount);
  }
  await sealBooks(books, 7);
  for (const merchantId of new Set([...payments.values()].map((payment) => payment.merchantId))) {
    for (const { mode, currency, accounts: sums } of await balancesAt(books, merchantId, EVER)) {
      const rest = accounts.reduce((sum, account) => sum + sums[account], 0n);
      if (rest !== 0n) breaks(sim, 'I13', `the books of ${merchantId} add up to ${rest} ${currency}`);
      if (sums.shopper !== 0n) breaks(sim, 'I13', `${sums.shopper} ${currency} of ${merchantId} are still in flight`);
      const expected = owed.get(`${merchantId} ${mode} ${currency}`) ?? 0n;
      if (sums.merchant !== expected)
        breaks(sim, 'I13', `the books owe ${merchantId} ${sums.merchant} ${currency} instead of ${expected}`);
    }
  }
}
