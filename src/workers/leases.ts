import type { LeaseStore } from '../merchants/ports.ts';
import { SECOND_MS } from '../spec/time.ts';
import type { Job, JobLeases } from './loop.ts';
import { isLeased } from './sharing.ts';

/** A node that vanishes leaves its jobs to another after this time. */
export const LEASE_MS = 5 * SECOND_MS;
const RENEW_MS = SECOND_MS;
/** A node on which a job keeps failing leaves it to others for so long. */
const REFUSED_MS = 30 * SECOND_MS;

/** Which jobs this node runs for all nodes. */
export interface Leases extends JobLeases {
  /** Takes the leases that are free, and renews those of this node. */
  renew(): Promise<void>;
  /** Ends all leases of this node for good. */
  release(): Promise<void>;
}

export type LeaseNeeds = {
  readonly store: LeaseStore;
  readonly nodeId: string;
  /** The jobs of this node. */
  readonly names: readonly string[];
  /** A monotonic clock. */
  readonly now: () => number;
  /** How many nodes there are. */
  readonly nodes: () => number;
};

/** Leases of jobs. They save work and prove nothing: a node that was frozen may still be running what another has begun by now. */
export function createLeases({ store, nodeId, names, now, nodes }: LeaseNeeds): Leases {
  const leased = names.filter(isLeased);
  const refusedUntil = new Map<string, number>();
  let held: { readonly names: ReadonlySet<string>; readonly until: number } = { names: new Set(), until: 0 };
  let isOver = false;
  return {
    isHeld: (name) => !isLeased(name) || (held.names.has(name) && now() < held.until),
    hasOthers: () => nodes() > 1,
    refuse(name) {
      // Alone there is no other node to leave it to.
      if (nodes() > 1) refusedUntil.set(name, now() + REFUSED_MS);
    },
    async renew() {
      if (isOver) return;
      const askedAt = now();
      const wanted = leased.filter((name) => (refusedUntil.get(name) ?? 0) <= askedAt);
      const got = await store.holdLeases({ names: wanted, holder: nodeId, forMs: LEASE_MS });
      // Counted from before the question: the lease of the store ends later.
      held = { names: new Set(isOver ? [] : got), until: askedAt + LEASE_MS };
    },
    async release() {
      isOver = true;
      held = { names: new Set(), until: 0 };
      await store.releaseLeases(nodeId);
    },
  };
}

/** Takes and renews leases. */
export const leaseJob = ({ renew }: Pick<Leases, 'renew'>): Job => ({
  name: 'hold leases',
  everyMs: RENEW_MS,
  isPrompt: true,
  run: renew,
});
