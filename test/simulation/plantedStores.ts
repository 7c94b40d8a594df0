import { codeOf } from '../../src/payments/commitPayment.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Commit, Timers } from '../../src/payments/ports.ts';
import type { Tables } from '../../src/store/memory/tables.ts';
import { bound, type Outgoing, type Store } from './chronicle.ts';
import { isOver, type Life, operationOf } from './machine.ts';
import { channels } from './shops.ts';
import type { Sim } from './sim.ts';

/** What a planted bug may lay its hands on. */
export type Tools = {
  readonly sim: Sim;
  readonly life: Life;
  readonly timers: Timers;
  /** Writes a message into the outbox, beside any commit. */
  post(message: Outgoing): void;
  /** What the lax store keeps of plans and webhooks. */
  readonly tables: Tables;
  /** Writes what a commit does to stored details, beside it. */
  put(change: Commit): void;
};

type Committer = (change: Commit, keep: Store['commit'], store: Store) => ReturnType<Store['commit']>;

export const committing = (commit: Committer) => (store: Store) => ({
  ...bound(store),
  commit: (change: Commit) => commit(change, (kept) => store.commit(kept), store),
});

/** A family that is read otherwise than it is, but for the payment that is being driven: the drive finds it as it is. */
const reading = (see: (payment: Payment) => Payment | null) => (store: Store) => ({
  ...bound(store),
  family: async (merchantId: string, paymentId: string) => {
    const family = await store.family(merchantId, paymentId);
    const seen = (payment: Payment) => (payment.id === paymentId && isOpen(payment) ? payment : see(payment));
    return family && { ...family, payments: family.payments.map(seen).filter((payment) => payment !== null) };
  },
});

/** The sums are made as if none of this operation were open. */
export const forgetOpen = (operation: string) =>
  reading((payment) => (isOpen(payment) && operationOf(payment) === operation ? null : payment));

/** What a clock that was a day ahead has dated is due when that clock said. */
export const trustAnyClock = (store: Store): Store => ({ ...bound(store), misdated: async () => [] });

/** The same of plans. */
export const trustAnyClockOfSchedules = (store: Store): Store => ({ ...bound(store), misdatedSchedules: async () => [] });

/** Nothing is claimed: every sweeper gets what is due. */
export const unclaimed = (store: Store): Store => ({ ...bound(store), claimDue: (query) => store.due(query) });

/** A claim never ends: what a node that died had claimed is never asked about. */
export const claimedForever = (store: Store): Store => {
  const ever = Number.MAX_SAFE_INTEGER;
  return { ...bound(store), claimDue: (query) => store.claimDue({ ...query, until: ever }) };
};

export const forgetLast = reading((payment) => ({ ...payment, isLast: false }));

/** What the acquirer says by itself finds a payment whose request may not go on to another account. */
export const forgetOthers = (store: Store): Store => ({
  ...bound(store),
  family: async (merchantId, paymentId) => {
    const family = await store.family(merchantId, paymentId);
    return family && { ...family, payments: family.payments.map(withoutOthers) };
  },
});

function withoutOthers(payment: Payment): Payment {
  const { phase } = payment;
  return phase.at === 'acquirer' ? { ...payment, phase: { at: 'acquirer', dueAt: phase.dueAt } } : payment;
}

export const forgetNumberOfCaptures = reading((payment) => ({ ...payment, numberOfCaptures: null }));

const APPROVED = { at: 'final', code: '000.100.110' } as const;

export const believeIncrements = reading((payment) =>
  isOpen(payment) && operationOf(payment) === 'INC' ? { ...payment, phase: APPROVED } : payment,
);

/** What the simulation found in the code itself: an increment could be captured and then reversed. */
export function ownReversalsOnly(store: Store): Store {
  return {
    ...bound(store),
    async family(merchantId, paymentId) {
      const family = await store.family(merchantId, paymentId);
      const increments = new Set(family?.payments.filter((one) => operationOf(one) === 'INC').map(({ id }) => id));
      const isHidden = ({ id, referencedId }: Payment) => id !== paymentId && increments.has(referencedId ?? '');
      // Seen from the increment itself, nothing was ever captured of it.
      const isCapture = (one: Payment) => increments.has(paymentId) && one.paymentType === 'CP';
      return family && { ...family, payments: family.payments.filter((one) => !isHidden(one) && !isCapture(one)) };
    },
  };
}

export const ignoringVersions = committing(async (change, keep, store) => {
  const outcome = await keep(change);
  if (outcome.is !== 'moved' || change.payment.revision > 1) return outcome;
  const family = await store.family(change.payment.merchantId, change.payment.familyId);
  return keep({ ...change, version: family?.version ?? 0 });
});

export const withoutFence = committing(async (change, keep, store) => {
  const outcome = await keep(change);
  const { payment } = change;
  if (outcome.is !== 'moved' || payment.revision === 1) return outcome;
  const family = await store.family(payment.merchantId, payment.id);
  const current = family?.payments.find(({ id }) => id === payment.id);
  return keep({ ...change, version: family?.version ?? 0, payment: { ...payment, revision: (current?.revision ?? 0) + 1 } });
});

export const anyBody = committing(async (change, keep) => {
  const outcome = await keep(change);
  return outcome.is === 'keyUsed' ? { ...outcome, bodyHash: change.idempotencyKey?.bodyHash ?? '' } : outcome;
});

export function keysInMemory(store: Store): Store {
  const claims = new Map<string, { readonly paymentId: string; readonly bodyHash: string }>();
  return {
    ...bound(store),
    async commit(change) {
      const { idempotencyKey, payment } = change;
      if (!idempotencyKey) return store.commit(change);
      const name = `${idempotencyKey.entityId} ${idempotencyKey.key}`;
      const claimed = claims.get(name);
      if (claimed) return { is: 'keyUsed', ...claimed };
      const outcome = await store.commit({ ...change, idempotencyKey: null });
      if (outcome.is === 'kept') claims.set(name, { paymentId: payment.id, bodyHash: idempotencyKey.bodyHash });
      return outcome;
    },
  };
}

export function intentAfter(store: Store): Store {
  const held = new Map<string, Commit>();
  return {
    ...bound(store),
    async commit(change) {
      const { payment } = change;
      const intent = held.get(payment.id);
      if (payment.revision === 1 && isOpen(payment)) {
        held.set(payment.id, change);
        return { is: 'kept' };
      }
      if (!intent) return store.commit(change);
      held.delete(payment.id);
      return store.commit({ ...intent, payment: { ...payment, revision: 1 }, event: change.event });
    },
  };
}

export const acknowledgedTooEarly = (store: Store, { sim }: Tools) =>
  committing(async (change, keep) => (!sim.isHealed && sim.chance.hits(0.03) ? { is: 'kept' } : keep(change)))(store);

/** A commit without its message. */
const unheard = (change: Commit): Commit => ({ ...change, event: null });

const outgoing = ({ payment, event }: Commit): readonly Outgoing[] =>
  event ? [{ ...event, subjectId: payment.id, revision: payment.revision, about: 'payment', transactionId: null }] : [];

export const eventDropped = committing((change, keep) => keep(change.payment.revision > 2 ? unheard(change) : change));

/** Every question to the acquirer sends a message, whatever it has learnt. */
export const eventPerInquiry = (store: Store, { sim }: Tools) =>
  committing((change, keep) => {
    const { payment, event, registration, schedule } = change;
    if (event || registration?.event || schedule?.event || !isMoney(payment)) return keep(change);
    return keep({ ...change, event: { id: sim.chance.hex(32), type: 'PAYMENT', action: null, code: codeOf(payment) } });
  })(store);

const isMoney = ({ paymentType }: Payment): boolean => !['RG', 'DR', 'TE', 'TK', 'SD', 'RS', 'DS', 'RI'].includes(paymentType);

export function eventAfter(store: Store, { sim, life, post }: Tools): Store {
  return committing(async (change, keep) => {
    const outcome = await keep(unheard(change));
    if (outcome.is !== 'kept') return outcome;
    await sim.scheduler.sleep(20);
    if (!isOver(life)) for (const message of outgoing(change)) post(message);
    return outcome;
  })(store);
}

export function eventBefore(store: Store, { post }: Tools): Store {
  return committing((change, keep) => {
    for (const message of outgoing(change)) post(message);
    return keep(unheard(change));
  })(store);
}

export function anybodys(store: Store): Store {
  const merchants = [...new Set(channels.map(({ merchantId }) => merchantId))];
  const first = async <T>(read: (merchantId: string) => Promise<T | null>): Promise<T | null> => {
    for (const merchantId of merchants) {
      const found = await read(merchantId);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    ...bound(store),
    family: (_merchantId, paymentId) => first((merchantId) => store.family(merchantId, paymentId)),
    payment: (_merchantId, paymentId) => first((merchantId) => store.payment(merchantId, paymentId)),
  };
}
