import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { type PaymentType, paymentTypes, type TransactionType } from '../../spec/paymentTypes.ts';

/** The acquirer's record of one payment. */
export type AcquirerRecord = {
  readonly familyId: string;
  readonly paymentType: TransactionType;
  readonly amount: bigint;
  /** The answer from `decidedAt` on. */
  readonly answer: AcquirerAnswer;
  readonly decidedAt: number;
  /** The shopper's decision is scripted by directives. */
  readonly isScripted?: true;
};

/** The shopper has not decided. */
const UNDECIDED = Number.POSITIVE_INFINITY;

/**
 * The acquirer's own records, separate from ours, so that tests can compare both sides. An id is recorded once; a cancelled payment is
 * never booked afterwards.
 */
export interface AcquirerRecords {
  /** Adds a record and returns it, or returns the existing record of that id. */
  add(id: string, entry: AcquirerRecord, partition: 'open' | 'final'): AcquirerRecord;
  find(id: string): AcquirerRecord | null;
  /** Decides an undecided record, once; returns the record afterwards. */
  settle(id: string, answer: AcquirerAnswer, now: number): AcquirerRecord | null;
  /** Cancels a payment, also one that has not arrived yet. A decline is not changed. */
  cancel(payment: Payment): AcquirerRecord;
  /** The approved amounts of a family at this instant, by type. */
  totals(familyId: string, now: number): Readonly<Record<PaymentType, bigint>>;
}

/**
 * `keep`: how many of the newest records of each partition stay; null for all. Open payments have a partition of their own, so that a busy
 * shop does not evict them.
 */
export function createAcquirerRecords({ keep }: { readonly keep: number | null }): AcquirerRecords {
  const partitions = { open: createPartition(keep), final: createPartition(keep) };
  const find = (id: string): AcquirerRecord | null => partitions.open.entries.get(id) ?? partitions.final.entries.get(id) ?? null;
  return {
    find,
    settle(id, answer, now) {
      const known = find(id);
      if (!known || !isUndecided(known)) return known;
      return partitions.open.put(id, { ...known, answer, decidedAt: now });
    },
    add: (id, entry, partition) => find(id) ?? partitions[partition].put(id, entry),
    cancel(payment) {
      const known = find(payment.id);
      if (known?.answer.is === 'declined') return known;
      partitions.final.entries.delete(payment.id);
      const { familyId, paymentType, amount } = payment;
      return partitions.open.put(payment.id, { familyId, paymentType, amount, answer: { is: 'cancelled' }, decidedAt: 0 });
    },
    totals(familyId, now) {
      const totals = { PA: 0n, DB: 0n, CD: 0n, CP: 0n, RV: 0n, RF: 0n };
      for (const { entries } of Object.values(partitions)) {
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

/** Registrations are recorded too, but move no money. */
const movesMoney = (type: TransactionType): type is PaymentType => Object.hasOwn(paymentTypes, type);

/** A ring of ids gives the oldest one: finding it in a Map with constant deletions took 17 µs. */
function createPartition(keep: number | null) {
  const entries = new Map<string, AcquirerRecord>();
  const ring: string[] = [];
  let next = 0;

  function forgetOldest(capacity: number, newest: string): void {
    const oldest = ring[next];
    if (oldest !== undefined) entries.delete(oldest);
    ring[next] = newest;
    next = (next + 1) % capacity;
  }

  function put(id: string, entry: AcquirerRecord): AcquirerRecord {
    if (keep !== null && !entries.has(id)) forgetOldest(keep, id);
    entries.set(id, entry);
    return entry;
  }

  return { entries, put };
}

/** A record without a decision. */
export const undecided = ({
  familyId,
  paymentType,
  amount,
}: Pick<AcquirerRecord, 'familyId' | 'paymentType' | 'amount'>): AcquirerRecord => ({
  familyId,
  paymentType,
  amount,
  answer: { is: 'waiting' },
  decidedAt: UNDECIDED,
});

export const isUndecided = ({ decidedAt }: AcquirerRecord): boolean => decidedAt === UNDECIDED;

/** The acquirer's answer at this instant. */
export function answerAt({ answer, decidedAt }: AcquirerRecord, now: number): AcquirerAnswer {
  return now < decidedAt ? { is: 'waiting' } : answer;
}
