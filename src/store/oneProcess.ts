import { type ClaimQuery, type ClaimRelease, SKEW_MS_MAX } from '../merchants/merchantFilter.ts';
import type { LeaseStore, RateStore } from '../merchants/ports.ts';
import type { Payment } from '../payments/payment.ts';

/** State that several nodes share in tables, and one process has in its memory: rate limits, leases and the claims of sweepers. */

/** Rate limits in the memory of one process, which has all leases. */
export function createRateBuckets(): RateStore & LeaseStore {
  const nodes = new Map<string, number>();
  const buckets = new Map<string, { readonly level: number; readonly at: number }>();
  return {
    async noteNode(id, now, since) {
      nodes.set(id, now);
      for (const [other, seenAt] of nodes) if (seenAt < since && other !== id) nodes.delete(other);
      return nodes.size;
    },
    peers: async () => [],
    async drawRequests({ key, requests, msPerRequest, wanted, now }) {
      const before = buckets.get(key) ?? { level: requests, at: now };
      const filled = Math.min(requests, before.level + Math.max(0, now - before.at) / msPerRequest);
      const granted = Math.min(wanted, Math.floor(filled));
      const level = Math.min(requests, filled - granted);
      buckets.set(key, { level, at: Math.max(before.at, now) });
      return { granted, level };
    },
    holdLeases: async ({ names }) => names,
    releaseLeases: async () => {},
    async deleteRates(before) {
      const old = [...buckets].filter(([, { at }]) => at < before);
      for (const [key] of old) buckets.delete(key);
      return old.length;
    },
  };
}

/** The claims of sweepers in one process: which open payments are being asked about. */
interface SweepClaims {
  /** How many claims there are. */
  readonly size: number;
  /** Claims the free ones of the payments, in their order, as many as the query asks for. */
  claim(payments: readonly Payment[], query: ClaimQuery): readonly Payment[];
  release(release: ClaimRelease): void;
  /** Forgets claims that ended before the instant; returns how many. */
  forget(before: number): number;
}

export function createSweepClaims(): SweepClaims {
  const claims = new Map<string, number>();
  const keyOf = ({ merchantId, id }: Pick<Payment, 'merchantId' | 'id'>): string => `${merchantId}.${id}`;
  return {
    get size() {
      return claims.size;
    },
    claim(payments, { now, until, limit }) {
      const free = payments.filter((payment) => {
        const held = claims.get(keyOf(payment));
        // A clock that was put back leaves claims too far ahead.
        return held === undefined || held <= now || held - SKEW_MS_MAX > until;
      });
      const claimed = free.slice(0, limit);
      for (const payment of claimed) claims.set(keyOf(payment), until);
      return claimed;
    },
    release({ payments, until }) {
      for (const key of payments.map(keyOf)) if (claims.get(key) === until) claims.delete(key);
    },
    forget(before) {
      const over = [...claims].filter(([, until]) => until < before);
      for (const [key] of over) claims.delete(key);
      return over.length;
    },
  };
}
