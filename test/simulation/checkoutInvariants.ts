import { type Payment, paymentIdIn } from '../../src/payments/payment.ts';
import type { Entry } from './acquirer.ts';
import { isSuccess } from './invariants.ts';
import { isAlive } from './laxCheckouts.ts';
import { breaks, type Sim } from './sim.ts';

/** A checkout as its merchant knows it: by the name of his order, which no other checkout and no other payment has. */
export type Ordered = {
  readonly merchantTransactionId: string;
  /** What he has asked for at one time or another. */
  readonly amounts: Set<bigint>;
  /** The ids under which the gateway knows it. */
  readonly ids: Set<string>;
};

/** What was seen of checkouts, commit by commit and answer by answer. */
export type CheckoutWatch = {
  /** The merchant is about to prepare one. */
  order(): Ordered;
  kept(payment: Payment): void;
  /** The merchant or his shopper was told that this stands for the checkout. */
  told(ordered: Ordered, payment: Payment): void;
  /** The shopper could not try again because of this one, which he was told was in his way when he clicked. */
  refused(payment: Payment, clickedAt: number): void;
  check(ledger: ReadonlyMap<string, Entry>): void;
};

/**
 * I10: of a checkout at most one payment is open or has succeeded, at any instant here and in the end at the acquirer, and nobody is told
 * of two successes. C1: what is paid is what the merchant has prepared. C2: what was declined is in nobody's way.
 */
export function createCheckoutWatch(sim: Sim): CheckoutWatch {
  const orders = new Map<string, Ordered>();
  const alive = new Map<string, Set<string>>();
  const latest = new Map<string, Payment>();
  const endedAt = new Map<string, number>();
  const successes = new Map<string, string>();
  return {
    order() {
      const merchantTransactionId = `checkout-${String(orders.size).padStart(4, '0')}`;
      const ordered: Ordered = { merchantTransactionId, amounts: new Set(), ids: new Set() };
      orders.set(merchantTransactionId, ordered);
      alive.set(merchantTransactionId, new Set());
      return ordered;
    },
    kept(payment) {
      const { id, merchantTransactionId, amount } = payment;
      const living = alive.get(merchantTransactionId ?? '');
      if (!living) return;
      latest.set(id, payment);
      if (payment.phase.at === 'final') endedAt.set(id, endedAt.get(id) ?? sim.scheduler.now());
      if (isAlive(payment)) living.add(id);
      else living.delete(id);
      if (living.size > 1) breaks(sim, 'I10', `${[...living].join(' and ')} are both paying for ${merchantTransactionId}`);
      if (!orders.get(merchantTransactionId ?? '')?.amounts.has(amount))
        breaks(sim, 'C1', `${id} pays ${amount} for ${merchantTransactionId}, which nobody has asked for`);
    },
    told({ merchantTransactionId }, payment) {
      if (payment.merchantTransactionId !== merchantTransactionId)
        breaks(sim, 'I11', `${payment.id} was shown as a payment for ${merchantTransactionId}`);
      if (!isSuccess(payment)) return;
      const before = successes.get(merchantTransactionId) ?? payment.id;
      if (before !== payment.id) breaks(sim, 'I10', `${merchantTransactionId} was paid by ${before} and by ${payment.id}`);
      successes.set(merchantTransactionId, before);
    },
    refused({ id, merchantTransactionId }, clickedAt) {
      const ended = endedAt.get(id);
      if (ended !== undefined && ended < clickedAt && !isSuccess(latest.get(id) as Payment))
        breaks(sim, 'C2', `${id} came to nothing and keeps ${merchantTransactionId} from being paid`);
    },
    check(ledger) {
      const booked = [...ledger.values()].filter(({ state }) => state === 'booked');
      for (const name of orders.keys()) {
        const ids = booked
          .filter(({ merchantTransactionId }) => merchantTransactionId === name)
          .map(({ id }) => paymentIdIn(id) ?? id);
        if (ids.length > 1) breaks(sim, 'I10', `the acquirer booked ${ids.join(' and ')} for ${name}`);
        const told = successes.get(name);
        if (told !== undefined && !ids.includes(told)) breaks(sim, 'I5', `${told} was told to have paid for ${name}`);
      }
    },
  };
}
