import type { Commit, Outcome, PaymentStore } from '../../src/payments/needs.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Outgoing } from './chronicle.ts';

/**
 * A store that keeps the contract and guards nothing beyond it: no sums, no legal moves, no message that must be there. The planted
 * bugs live on this one, because the real stores would stop some of them before the invariants could be seen to.
 */
export function createLaxStore(): PaymentStore & { readonly outbox: Outgoing[] } {
  const payments = new Map<string, Payment>();
  const families = new Map<string, { version: number; readonly ids: string[] }>();
  const claims = new Map<string, { readonly paymentId: string; readonly bodyHash: string }>();
  const outbox: Outgoing[] = [];
  const find = (merchantId: string, id: string): Payment | null => {
    const payment = payments.get(id);
    return payment?.merchantId === merchantId ? payment : null;
  };
  const dueAt = ({ phase }: Payment) => (phase.at === 'final' ? Number.POSITIVE_INFINITY : phase.dueAt);

  const commit = ({ payment, version, claim, message }: Commit): Outcome => {
    const claimed = claim && claims.get(`${claim.entityId} ${claim.key}`);
    if (claimed) return { is: 'claimed', ...claimed };
    const family = families.get(payment.familyId) ?? { version: 0, ids: [] };
    if (family.version !== version) return { is: 'moved' };
    if (!family.ids.includes(payment.id)) family.ids.push(payment.id);
    family.version += 1;
    families.set(payment.familyId, family);
    payments.set(payment.id, payment);
    if (claim) claims.set(`${claim.entityId} ${claim.key}`, { paymentId: payment.id, bodyHash: claim.bodyHash });
    if (message) outbox.push({ id: message.id, paymentId: payment.id, revision: payment.revision, code: message.code });
    return { is: 'kept' };
  };

  return {
    outbox,
    async family(merchantId, paymentId) {
      const family = families.get(find(merchantId, paymentId)?.familyId ?? '');
      return family ? { version: family.version, payments: family.ids.map((id) => payments.get(id) as Payment) } : null;
    },
    payment: async (merchantId, paymentId) => find(merchantId, paymentId),
    sealed: async () => null,
    claim: async (entityId, key) => claims.get(`${entityId} ${key}`) ?? null,
    commit: async (change) => commit(change),
    async due(now, limit) {
      const overdue = [...payments.values()].filter((payment) => isOpen(payment) && dueAt(payment) <= now);
      return overdue.sort((one, other) => dueAt(one) - dueAt(other)).slice(0, limit);
    },
    forgetClaims: async () => 0,
  };
}
