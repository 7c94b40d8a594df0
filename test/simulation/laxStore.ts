import { isApproved } from '../../src/payments/balance.ts';
import { isMisdated, isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Commit, CommitOutcome, RegistrationChange } from '../../src/payments/ports.ts';
import { releaseAtOf } from '../../src/payments/validity.ts';
import type { RegistrationStore, StoredRegistration } from '../../src/registrations/ports.ts';
import { createSweepClaims } from '../../src/store/oneProcess.ts';
import type { Outgoing, Store } from './chronicle.ts';
import { anyAlive, type Busy, type Claims, checkoutsIn, isAlive, triedIn } from './laxCheckouts.ts';
import { createLaxFurther, type LaxFurther } from './laxFurther.ts';

/** The store for the planted bugs. `put` writes stored details beside any commit. */
export type LaxStore = Store &
  Pick<LaxFurther, 'tables'> & { readonly outbox: Outgoing[]; put(change: RegistrationChange): void };

/**
 * A store that keeps the contract and guards nothing beyond it: no sums, no legal moves, no message that must be there. The planted
 * bugs live on this one, because the real stores would stop some of them before the invariants could be seen to.
 */
export function createLaxStore(isBusy: Busy = anyAlive): LaxStore {
  const payments = new Map<string, Payment>();
  const families = new Map<string, { version: number; readonly ids: string[] }>();
  const claims: Claims = new Map();
  const registrations = new Map<string, StoredRegistration>();
  const spent = new Map<string, number>();
  const outbox: Outgoing[] = [];
  const marks = new Map<string, number>();
  const further = createLaxFurther();
  const find = (merchantId: string, id: string): Payment | null => {
    const payment = payments.get(id);
    return payment?.merchantId === merchantId ? payment : null;
  };
  const dueAt = ({ phase }: Payment) => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);
  const sweepClaims = createSweepClaims();
  const overdue = (now: number): readonly Payment[] =>
    [...payments.values()]
      .filter((payment) => isOpen(payment) && dueAt(payment) <= now)
      .sort((one, other) => dueAt(one) - dueAt(other));
  const put = ({ registration, sealed, event }: RegistrationChange, transactionId: string | null = null) => {
    const { id, revision } = registration;
    registrations.set(id, { registration, sealed: sealed === 'kept' ? (registrations.get(id)?.sealed ?? null) : sealed });
    if (event) outbox.push({ ...event, subjectId: id, revision, about: 'registration', transactionId });
  };

  const commit = (whole: Commit): CommitOutcome => {
    const { payment, version, idempotencyKey, event, registration: change, tokenUse } = whole;
    const claimed = idempotencyKey && claims.get(`${idempotencyKey.entityId} ${idempotencyKey.key}`);
    if (claimed) return { is: 'keyUsed', ...claimed };
    const family = families.get(payment.familyId) ?? { version: 0, ids: [] };
    const stored = change && registrations.get(change.registration.id)?.registration;
    const isStale = change && change.registration.revision !== (stored?.revision ?? 0) + 1;
    if (family.version !== version || isStale || further.isOvertaken(whole)) return { is: 'moved' };
    const isTried = payment.checkoutId !== null && payment.revision === 1 && isAlive(payment);
    if (isTried && isBusy(triedIn(payments, payment.merchantId, payment.checkoutId))) return { is: 'busy' };
    const token = tokenUse && `${payment.merchantId} ${tokenUse.wallet} ${tokenUse.tokenId}`;
    if (token && spent.has(token)) return { is: 'tokenUsed' };
    if (!family.ids.includes(payment.id)) family.ids.push(payment.id);
    family.version += 1;
    families.set(payment.familyId, family);
    payments.set(payment.id, payment);
    if (idempotencyKey)
      claims.set(`${idempotencyKey.entityId} ${idempotencyKey.key}`, {
        paymentId: payment.id,
        bodyHash: idempotencyKey.bodyHash,
      });
    if (token) spent.set(token, tokenUse.until);
    if (change) put(change, payment.id);
    if (event)
      outbox.push({ ...event, subjectId: payment.id, revision: payment.revision, about: 'payment', transactionId: null });
    const { schedule } = whole;
    if (schedule?.event) {
      const { id: subjectId, revision } = schedule.schedule;
      outbox.push({ ...schedule.event, subjectId, revision, about: 'schedule', transactionId: payment.id });
    }
    further.write(whole);
    return { is: 'kept' };
  };

  return {
    ...further.methods,
    tables: further.tables,
    outbox,
    put,
    async family(merchantId, paymentId) {
      const family = families.get(find(merchantId, paymentId)?.familyId ?? '');
      return family ? { version: family.version, payments: family.ids.map((id) => payments.get(id) as Payment) } : null;
    },
    familyVersion: async (_merchantId, familyId) => families.get(familyId)?.version ?? null,
    payment: async (merchantId, paymentId) => find(merchantId, paymentId),
    sealed: async () => null,
    idempotencyKey: async (_merchantId, entityId, key) => claims.get(`${entityId} ${key}`) ?? null,
    commit: async (change) => commit(change),
    due: async ({ now, limit }) => overdue(now).slice(0, limit),
    claimDue: async (query) => sweepClaims.claim(overdue(query.now), query),
    releaseSwept: async (release) => sweepClaims.release(release),
    deleteClaims: async (before) => sweepClaims.forget(before),
    async misdated({ now, limit }) {
      const found = [...payments.values()].filter(
        (payment) => isOpen(payment) && dueAt(payment) > now && isMisdated(payment, now),
      );
      return found.sort((one, other) => dueAt(one) - dueAt(other)).slice(0, limit);
    },
    async releasesDue({ now, limit }) {
      const found = [...payments.values()].flatMap((payment) => {
        const at = marks.has(payment.id) ? (marks.get(payment.id) ?? null) : releaseAtOf(payment);
        const isCounted = payment.paymentType === 'PA' && isApproved(payment) && (at ?? 0) >= 0 && (at ?? 0) <= now;
        return isCounted ? [{ merchantId: payment.merchantId, id: payment.id, releaseAt: at }] : [];
      });
      return found.slice(0, limit);
    },
    async markReleases(given) {
      for (const { id, next } of given) marks.set(id, next);
    },
    deleteIdempotencyKeys: async () => 0,
    ...registrationsIn(registrations, spent),
    ...checkoutsIn(payments, claims),
  };
}

function registrationsIn(registrations: Map<string, StoredRegistration>, spent: Map<string, number>): RegistrationStore {
  const activeBy = (now: number, at: (registered: StoredRegistration) => number | null, limit: number) => {
    const time = (registered: StoredRegistration) => at(registered) ?? Number.POSITIVE_INFINITY;
    const due = [...registrations.values()].filter((one) => one.registration.state === 'active' && time(one) <= now);
    return due.sort((one, other) => time(one) - time(other)).slice(0, limit);
  };
  return {
    async registration(merchantId, id) {
      const registered = registrations.get(id);
      return registered?.registration.merchantId === merchantId ? registered : null;
    },
    async touch(_merchantId, id, times) {
      const registered = registrations.get(id);
      if (registered) registrations.set(id, { ...registered, registration: { ...registered.registration, ...times } });
    },
    outlived: async ({ now, limit }) =>
      activeBy(now, ({ registration }) => registration.expiresAt, limit).map(({ registration }) => registration),
    awaitingToken: async ({ now, limit }) => activeBy(now, ({ registration }) => registration.tokenDueAt, limit),
    async deleteTokenUses(now) {
      const old = [...spent].filter(([, until]) => until <= now);
      for (const [token] of old) spent.delete(token);
      return old.length;
    },
  };
}
