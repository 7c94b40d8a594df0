import { isApproved } from '../../src/payments/balance.ts';
import type { PaymentStore } from '../../src/payments/needs.ts';
import { isOpen, type Payment, type Phase } from '../../src/payments/payment.ts';
import type { ResultCode } from '../../src/spec/resultCodes.ts';
import { cards } from './shops.ts';
import { breaks, type Sim, START } from './sim.ts';

/** A message as it stands in the outbox, with the revision it tells of. */
export type Outgoing = { readonly id: string; readonly paymentId: string; readonly revision: number; readonly code: ResultCode };

/** What the store has kept, written down beside it by somebody who only watches. */
export type Chronicle = {
  readonly store: PaymentStore;
  /** The latest kept state of every payment, in the order of their first commits. */
  readonly payments: ReadonlyMap<string, Payment>;
  isAtRest(): boolean;
  /** When a payment last moved, in virtual time. */
  movedAt(): number;
};

type Watched = { readonly store: PaymentStore; settle(payment: Payment): void };

export function createChronicle(sim: Sim, { store, settle }: Watched): Chronicle {
  const payments = new Map<string, Payment>();
  const open = new Set<string>();
  let movedAt = START;
  const kept = (payment: Payment) => {
    checkMove(sim, payments.get(payment.id), payment);
    checkSecrets(sim, payment);
    payments.set(payment.id, payment);
    movedAt = sim.scheduler.now();
    if (isOpen(payment)) open.add(payment.id);
    else open.delete(payment.id);
    if (payment.revision === 1 && !isOpen(payment) && sim.weather.isInProcess) settle(payment);
  };
  return {
    payments,
    isAtRest: () => open.size === 0,
    movedAt: () => movedAt,
    store: {
      ...bound(store),
      async commit(change) {
        const outcome = await store.commit(change);
        if (outcome.is === 'kept') kept(change.payment);
        return outcome;
      },
    },
  };
}

/** The methods of a store as free functions, so that a wrapper can replace one of them. */
export function bound(store: PaymentStore): PaymentStore {
  return {
    family: (merchantId, paymentId) => store.family(merchantId, paymentId),
    payment: (merchantId, paymentId) => store.payment(merchantId, paymentId),
    sealed: (merchantId, paymentId) => store.sealed(merchantId, paymentId),
    claim: (entityId, key) => store.claim(entityId, key),
    commit: (change) => store.commit(change),
    due: (now, limit) => store.due(now, limit),
    forgetClaims: (before) => store.forgetClaims(before),
  };
}

/** Written from the picture of a payment's life, not from the table in the code. */
const FOLLOWS: Readonly<Record<Phase['at'], readonly Phase['at'][]>> = {
  acquirer: ['doubt', 'final'],
  doubt: ['doubt', 'cancelling', 'final'],
  cancelling: ['cancelling', 'final'],
  final: [],
};

const FIXED = ['merchantId', 'entityId', 'familyId', 'referencedId', 'paymentType', 'amount', 'currency', 'createdAt'] as const;

function checkMove(sim: Sim, before: Payment | undefined, after: Payment): void {
  const revision = (before?.revision ?? 0) + 1;
  if (after.revision !== revision) breaks(sim, 'I6', `${after.id} went to revision ${after.revision} instead of ${revision}`);
  if (!before) return;
  const from = before.phase.at;
  if (!FOLLOWS[from].includes(after.phase.at)) breaks(sim, 'I6', `${after.id} went from ${from} to ${after.phase.at}`);
  if (from === 'cancelling' && isApproved(after)) breaks(sim, 'I6', `${after.id} was approved while it was being cancelled`);
  const changed = FIXED.filter((name) => before[name] !== after[name]);
  if (changed.length > 0) breaks(sim, 'I6', `${after.id} changed its ${changed.join(', ')}`);
}

/** Whether a text holds what must never be written down in clear. */
export const holdsSecret = (text: string): boolean => text.includes('cvv') || cards.some(({ number }) => text.includes(number));

function checkSecrets(sim: Sim, payment: Payment): void {
  const { fields, details, instrument, descriptor } = payment;
  if (holdsSecret(JSON.stringify([fields, details, instrument, descriptor])))
    breaks(sim, 'I12', `${payment.id} holds a card number or security code`);
  if (typeof payment.amount !== 'bigint') breaks(sim, 'I13', `the amount of ${payment.id} is no integer of hundredths`);
}
