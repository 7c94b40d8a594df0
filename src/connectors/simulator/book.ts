import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { type PaymentType, paymentTypes, type TransactionType } from '../../spec/paymentTypes.ts';

/** What the far side knows of one payment. */
export type Entry = {
  readonly familyId: string;
  readonly paymentType: TransactionType;
  readonly amount: bigint;
  /** Its answer, once `decidedAt` has come. */
  readonly answer: AcquirerAnswer;
  readonly decidedAt: number;
  /** The shopper decides elsewhere, and by himself. */
  readonly isAlone?: true;
};

/** Nobody knows yet when: somebody has still to make up his mind. */
const UNDECIDED = Number.POSITIVE_INFINITY;

/**
 * The acquirer's own record of what it booked, apart from ours, so that a test can ask whether both sides tell the same story. An
 * id is written down once; a cancelled one is never booked afterwards.
 */
export interface Book {
  /** Writes the entry down, unless the id is in the book already: what stands there is the answer. */
  enter(id: string, entry: Entry, shelf: 'asked' | 'settled'): Entry;
  find(id: string): Entry | null;
  /** Decides what was left open, once; answers what stands in the book afterwards. */
  settle(id: string, answer: AcquirerAnswer, now: number): Entry | null;
  /** Takes a payment back, or makes sure that it is never booked if it comes later. A decline stays what it is. */
  cancel(payment: Payment): Entry;
  /** What of a family is booked at this instant, by type. */
  totals(familyId: string, now: number): Readonly<Record<PaymentType, bigint>>;
}

/**
 * `keep`: how many of the newest entries of a shelf stay; null for all. Payments that may still be asked about stand on a shelf
 * of their own, so that a busy shop does not push them out.
 */
export function createBook({ keep }: { readonly keep: number | null }): Book {
  const shelves = { asked: createShelf(keep), settled: createShelf(keep) };
  const find = (id: string): Entry | null => shelves.asked.entries.get(id) ?? shelves.settled.entries.get(id) ?? null;
  return {
    find,
    settle(id, answer, now) {
      const known = find(id);
      if (!known || !isUndecided(known)) return known;
      return shelves.asked.put(id, { ...known, answer, decidedAt: now });
    },
    enter: (id, entry, shelf) => find(id) ?? shelves[shelf].put(id, entry),
    cancel(payment) {
      const known = find(payment.id);
      if (known?.answer.is === 'declined') return known;
      shelves.settled.entries.delete(payment.id);
      const { familyId, paymentType, amount } = payment;
      return shelves.asked.put(payment.id, { familyId, paymentType, amount, answer: { is: 'cancelled' }, decidedAt: 0 });
    },
    totals(familyId, now) {
      const totals = { PA: 0n, DB: 0n, CD: 0n, CP: 0n, RV: 0n, RF: 0n };
      for (const { entries } of Object.values(shelves)) {
        for (const entry of entries.values()) {
          const { paymentType } = entry;
          if (entry.familyId !== familyId || !movesMoney(paymentType)) continue;
          if (answerAt(entry, now).is === 'approved') totals[paymentType] += entry.amount;
        }
      }
      return totals;
    },
  };
}

/** What is done to stored payment details has a line in the book too, but no sum. */
const movesMoney = (type: TransactionType): type is PaymentType => Object.hasOwn(paymentTypes, type);

/** The ids go round in a ring: to look for the oldest key of a Map that forgets all the time took 17 µs, this takes none. */
function createShelf(keep: number | null) {
  const entries = new Map<string, Entry>();
  const ring: string[] = [];
  let next = 0;

  function forgetOldest(service: number, newest: string): void {
    const oldest = ring[next];
    if (oldest !== undefined) entries.delete(oldest);
    ring[next] = newest;
    next = (next + 1) % service;
  }

  function put(id: string, entry: Entry): Entry {
    if (keep !== null && !entries.has(id)) forgetOldest(keep, id);
    entries.set(id, entry);
    return entry;
  }

  return { entries, put };
}

/** An entry of which nobody knows yet how it will end. */
export const undecided = ({ familyId, paymentType, amount }: Pick<Entry, 'familyId' | 'paymentType' | 'amount'>): Entry => ({
  familyId,
  paymentType,
  amount,
  answer: { is: 'waiting' },
  decidedAt: UNDECIDED,
});

export const isUndecided = ({ decidedAt }: Entry): boolean => decidedAt === UNDECIDED;

/** What the far side says of an entry at this instant. */
export function answerAt({ answer, decidedAt }: Entry, now: number): AcquirerAnswer {
  return now < decidedAt ? { is: 'waiting' } : answer;
}
