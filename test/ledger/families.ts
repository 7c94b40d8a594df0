import fc from 'fast-check';
import { postingOf, undoneIn } from '../../src/ledger/book.ts';
import type { Posting } from '../../src/ledger/entry.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Store } from '../../src/store/store.ts';
import {
  APPROVED,
  child,
  commit,
  commitWithEffects,
  DECLINED,
  moved,
  NOW,
  nextId,
  OPEN,
  payment,
} from '../contract/storeFixtures.ts';

/** One step of a random life of families, as numbers from which a change is made. */
export type Step = readonly [kind: number, of: number, amount: number, state: number, ms: number];
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(fc.nat(15), fc.nat(12), fc.nat(150), fc.nat(3), fc.integer({ min: -3, max: 10 })),
  { minLength: 12, maxLength: 40, size: 'max' },
);

const kinds = ['PA', 'DB', 'CD', 'CP', 'CP', 'RF', 'RV', 'IN', 'CB', 'CR', 'RB', 'RC', 'RG', 'move', 'move', 'move'] as const;

/** What each kind is done to. */
const carriers: Readonly<Record<string, readonly string[]>> = {
  CP: ['PA'],
  IN: ['PA'],
  RC: ['PA'],
  RF: ['DB', 'CP', 'CD', 'RB', 'RC'],
  RV: ['PA', 'DB', 'CP', 'CD'],
  CB: ['DB', 'CP', 'RB', 'RF', 'CR'],
  CR: ['CB'],
  RB: ['DB'],
};

const fits = (kind: string, payment: Payment): boolean =>
  kind === 'move' ? isOpen(payment) : isApproved(payment) && (carriers[kind] ?? []).includes(payment.paymentType);

export type FamilyOutcome = {
  /** As they are in the end. */
  readonly payments: readonly Payment[];
  /** What was posted, worked out commit by commit. */
  readonly postings: readonly Posting[];
};

/** Tells a store a random life of families; what it refuses is left out. Clocks differ, so time sometimes goes back. */
export async function tell(store: Store, merchantId: string, steps: readonly Step[]): Promise<FamilyOutcome> {
  const payments = new Map<string, Payment>();
  const postings: Posting[] = [];
  let now = NOW;
  for (const [kind, of, amount, state, ms] of steps) {
    now += ms * 1_000;
    const word = kinds[kind] ?? 'PA';
    // Now and then one that does not carry it: the store has to say no.
    const fitting = [...payments.values()].filter((one) => fits(word, one) || of === 12);
    const carrier = fitting[of % (fitting.length || 1)];
    const phase = [APPROVED, OPEN, DECLINED, APPROVED][state] ?? OPEN;
    const change = changeOf(word, carrier, { merchantId, amount: BigInt(carrier ? amount % 50 : amount), phase }, now);
    const version = (await store.family(merchantId, change.familyId))?.version ?? 0;
    const outcome = await commitWithEffects(store, commit(change, version)).catch(() => null);
    if (outcome?.is !== 'kept') continue;
    payments.set(change.id, change);
    const posting = postingOf(
      change,
      undoneIn(change, (id) => payments.get(id)),
    );
    if (posting) postings.push(posting);
  }
  return { payments: [...payments.values()], postings };
}

function changeOf(kind: (typeof kinds)[number], of: Payment | undefined, changes: Partial<Payment>, now: number): Payment {
  const times = { createdAt: now, movedAt: now, currency: of?.currency ?? 'EUR', mode: of?.mode ?? 'INTERNAL' } as const;
  if (kind === 'move' && of) return moved(of, { phase: changes.phase ?? OPEN, movedAt: now });
  if (kind === 'IN' && of) return child(of, { ...changes, ...times, paymentType: 'PA', industryPractice: 'INCREMENTAL_AUTH' });
  // What a bank did is never open.
  const isRecord = kind === 'CB' || kind === 'CR' || kind === 'RB' || kind === 'RC';
  if (isRecord && of) return child(of, { ...changes, ...times, paymentType: kind, phase: APPROVED });
  if ((kind === 'CP' || kind === 'RF' || kind === 'RV') && of) return child(of, { ...changes, ...times, paymentType: kind });
  const paymentType = kind === 'DB' || kind === 'CD' || kind === 'RG' ? kind : 'PA';
  const even = (changes.amount ?? 0n) % 2n === 0n;
  return payment({
    ...changes,
    ...times,
    id: nextId(),
    paymentType,
    currency: even ? 'EUR' : 'USD',
    mode: even ? 'INTERNAL' : 'EXTERNAL',
  });
}
