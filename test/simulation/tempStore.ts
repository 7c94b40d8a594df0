import type { Commit, Outcome, PaymentStore } from '../../src/payments/needs.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
export function createMemoryStore(): PaymentStore {
  const payments = new Map<string, Payment>();
  const families = new Map<string, { version: number; ids: string[] }>();
  const claims = new Map<string, { paymentId: string; bodyHash: string }>();
  const of = (m: string, id: string) => { const p = payments.get(id); return p && p.merchantId === m ? p : null; };
  return {
    async family(m, id) { const p = of(m, id); if (!p) return null; const f = families.get(p.familyId)!; return { version: f.version, payments: f.ids.map((i) => payments.get(i)!) }; },
    async payment(m, id) { return of(m, id); },
    async sealed() { return null; },
    async claim(e, k) { return claims.get(e + k) ?? null; },
    async commit({ payment, version, claim }: Commit): Promise<Outcome> {
      if (claim) { const c = claims.get(claim.entityId + claim.key); if (c) return { is: 'claimed', ...c }; }
      const f = families.get(payment.familyId);
      if ((f?.version ?? 0) !== version) return { is: 'moved' };
      if (f) { f.version += 1; if (payment.revision === 1) f.ids.push(payment.id); } else families.set(payment.familyId, { version: 1, ids: [payment.id] });
      payments.set(payment.id, payment);
      if (claim) claims.set(claim.entityId + claim.key, { paymentId: payment.id, bodyHash: claim.bodyHash });
      return { is: 'kept' };
    },
    async due(now, limit) { return [...payments.values()].filter((p) => isOpen(p) && (p.phase as { dueAt: number }).dueAt <= now).sort((a, b) => (a.phase as { dueAt: number }).dueAt - (b.phase as { dueAt: number }).dueAt).slice(0, limit); },
    async forgetClaims() { return 0; },
  };
}
