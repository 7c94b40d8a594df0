import type { Clock } from '../spec/time.ts';
import type { RateStore } from './ports.ts';
import type { Limit } from './settings.ts';
import type { LocalThrottler, Throttler } from './throttle.ts';

/** A node draws this part of a limit at once: what four nodes hold unused is at most a tenth of it. */
const LEASES = 40;
/** What a node has not used for so long goes back. */
const UNUSED_MS = 1_000;

/** Requests that a node has drawn and may let pass. */
type Lease = { left: number; drawnAt: number; refusedUntil: number; drawing: Promise<void> | null; limit: Limit };

export interface NodeThrottler extends Throttler {
  /** Gives back what was drawn and is not used. */
  giveBack(): Promise<void>;
}

export type NodeThrottlerParts = {
  readonly local: LocalThrottler;
  readonly store: Pick<RateStore, 'drawRequests'>;
  readonly clock: Clock;
  /** How many nodes there are. A node that is alone keeps its limits in memory. */
  readonly nodes: () => number;
};

/**
 * Rate limits that hold for all nodes together: the store has the buckets, and a node draws from them in portions. Most requests find
 * one that is drawn already, or a refusal that still holds; only the others wait for the store. When it fails, this node's limits hold.
 */
export function createNodeThrottler({ local, store, clock, nodes }: NodeThrottlerParts): NodeThrottler {
  const leases = new Map<string, Lease>();
  const leaseFor = (key: string, limit: Limit): Lease => {
    const known = leases.get(key);
    if (known) {
      known.limit = limit;
      return known;
    }
    const lease: Lease = { left: 0, drawnAt: 0, refusedUntil: 0, drawing: null, limit };
    leases.set(key, lease);
    return lease;
  };
  const draw = async (key: string, lease: Lease): Promise<void> => {
    const { requests, perSeconds } = lease.limit;
    const now = clock.now();
    const msPerRequest = (perSeconds * 1000) / requests;
    const wanted = Math.max(1, Math.floor(requests / LEASES));
    const { granted, level } = await store.drawRequests({ key, requests, msPerRequest, wanted, now });
    lease.left += granted;
    lease.drawnAt = now;
    if (granted === 0) lease.refusedUntil = now + Math.max(1, Math.ceil((1 - level) * msPerRequest));
  };
  /** 0: passes; a number: the refusal holds so long; null: the store must be asked. */
  const known = (lease: Lease): number | null => {
    if (lease.left >= 1) {
      lease.left -= 1;
      return 0;
    }
    const waitMs = lease.refusedUntil - clock.now();
    return waitMs > 0 ? waitMs : null;
  };
  const wait = async (key: string, lease: Lease): Promise<number> => {
    for (;;) {
      lease.drawing ??= draw(key, lease).finally(() => {
        lease.drawing = null;
      });
      await lease.drawing;
      const waitMs = known(lease);
      if (waitMs !== null) return waitMs;
    }
  };
  return {
    waitMs(entityId, operation, limit) {
      if (limit === undefined) return 0;
      if (nodes() <= 1) return local.waitMs(entityId, operation, limit);
      const key = entityId + operation;
      const lease = leaseFor(key, limit);
      return known(lease) ?? wait(key, lease).catch(() => local.waitMs(entityId, operation, limit));
    },
    async giveBack() {
      const now = clock.now();
      for (const [key, lease] of leases) {
        const { left, limit, drawnAt } = lease;
        if (now - drawnAt < UNUSED_MS || lease.drawing !== null) continue;
        if (left === 0) {
          if (lease.refusedUntil <= now) leases.delete(key);
          continue;
        }
        lease.left = 0;
        const msPerRequest = (limit.perSeconds * 1000) / limit.requests;
        await store.drawRequests({ key, requests: limit.requests, msPerRequest, wanted: -left, now });
      }
    },
  };
}
