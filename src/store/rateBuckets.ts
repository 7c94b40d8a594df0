import type { LeaseStore, RateStore } from '../merchants/ports.ts';

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
