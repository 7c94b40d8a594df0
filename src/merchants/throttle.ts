import type { EndpointName } from '../spec/endpoints.ts';
import type { Clock } from '../spec/time.ts';
import type { RateStore, Throttler } from './ports.ts';
import type { Limit } from './settings.ts';

/** The level of a limit at an instant. `waitMs` is 0 when the last request passed, else the time until the next one can. */
export type Bucket = { readonly level: number; readonly at: number; readonly waitMs: number };

/** One request more: the bucket fills evenly with time and a request takes one from it. A clock that goes back fills nothing. */
export function draw(bucket: Bucket | undefined, limit: Limit, now: number): Bucket {
  const msPerRequest = (limit.perSeconds * 1000) / limit.requests;
  const elapsed = bucket ? Math.max(0, now - bucket.at) : 0;
  const level = bucket ? Math.min(limit.requests, bucket.level + elapsed / msPerRequest) : limit.requests;
  if (level >= 1) return { level: level - 1, at: now, waitMs: 0 };
  return { level, at: now, waitMs: Math.ceil((1 - level) * msPerRequest) };
}

/** Limits in the memory of one process. */
export interface LocalThrottler extends Throttler {
  waitMs(entityId: string, operation: EndpointName, limit: Limit | undefined): number;
}

/**
 * Counts per entity and operation, in the memory of this node; `createNodeThrottler` has limits for several. Only admitted
 * requests are counted, so the number of buckets is bounded by the directory.
 */
export function createThrottler(clock: Clock): LocalThrottler {
  const buckets = new Map<string, Bucket>();
  return {
    waitMs(entityId, operation, limit) {
      if (limit === undefined) return 0;
      const key = entityId + operation;
      const bucket = draw(buckets.get(key), limit, clock.now());
      buckets.set(key, bucket);
      return bucket.waitMs;
    },
  };
}

/**
 * Rate limits in memory that all threads of the process see: a limit holds for all of them together. A bucket is found by the hash of its
 * entity and operation; the few that share a place are told apart by the rest of the hash.
 */
const PLACES = 16_384;
/** How many places after its own a bucket may stand. When all are taken, the one that was drawn from longest ago makes way. */
const PROBES = 16;
const HEAD_INTS = 2;
const LOCK = 0;
const SEED = 1;
/** Two halves of a hash; 0 and 0: the place is free. */
const INTS = 2;
/** Level and instant. */
const FLOATS = 2;
const LOCKED_MS_MAX = 1;
const SPINS = 200;

export type ThrottleMemory = {
  readonly ints: Int32Array<SharedArrayBuffer>;
  readonly floats: Float64Array<SharedArrayBuffer>;
};

/** `seed`: a number that no client knows, so that none chooses which buckets share a place. */
export function createThrottleMemory(seed: number): ThrottleMemory {
  const ints = new Int32Array(new SharedArrayBuffer(4 * (HEAD_INTS + INTS * PLACES)));
  ints[SEED] = seed;
  return { ints, floats: new Float64Array(new SharedArrayBuffer(8 * FLOATS * PLACES)) };
}

/** Runs a few steps that no other thread may run at the same time. */
function locked<Result>(ints: Int32Array<SharedArrayBuffer>, steps: () => Result): Result {
  for (let tries = 0; Atomics.compareExchange(ints, LOCK, 0, 1) !== 0; tries += 1)
    if (tries >= SPINS) Atomics.wait(ints, LOCK, 1, LOCKED_MS_MAX);
  try {
    return steps();
  } finally {
    Atomics.store(ints, LOCK, 0);
    Atomics.notify(ints, LOCK, 1);
  }
}

type Hash = { readonly one: number; readonly two: number };

function hashOf(text: string, seed: number): Hash {
  let one = seed;
  let two = ~seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b) ^ (one >>> 15);
  }
  return { one: Math.imul(one ^ (two >>> 16), 0x7feb352d) | 0, two: Math.imul(two ^ (one >>> 15), 0x846ca68b) | 1 };
}

/** The place of a bucket, which is taken for it when it is new. */
function placeOf({ ints, floats }: ThrottleMemory, { one, two }: Hash): { readonly place: number; readonly isNew: boolean } {
  let oldest = -1;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const place = ((one >>> 0) + probe) % PLACES;
    const at = HEAD_INTS + INTS * place;
    if (ints[at] === one && ints[at + 1] === two) return { place, isNew: false };
    if (ints[at + 1] === 0) return { place: take(ints, place, { one, two }), isNew: true };
    const age = floats[FLOATS * place + 1] as number;
    if (oldest < 0 || age < (floats[FLOATS * oldest + 1] as number)) oldest = place;
  }
  return { place: take(ints, oldest, { one, two }), isNew: true };
}

function take(ints: Int32Array, place: number, { one, two }: Hash): number {
  ints[HEAD_INTS + INTS * place] = one;
  ints[HEAD_INTS + INTS * place + 1] = two;
  return place;
}

export function createSharedThrottler(memory: ThrottleMemory, clock: Clock): LocalThrottler {
  const { ints, floats } = memory;
  const seed = ints[SEED] as number;
  return {
    waitMs(entityId, operation, limit) {
      if (limit === undefined) return 0;
      const hash = hashOf(entityId + operation, seed);
      return locked(ints, () => {
        const { place, isNew } = placeOf(memory, hash);
        const [level, at] = [FLOATS * place, FLOATS * place + 1];
        const before: Bucket | undefined = isNew
          ? undefined
          : { level: floats[level] as number, at: floats[at] as number, waitMs: 0 };
        const bucket = draw(before, limit, clock.now());
        floats[level] = bucket.level;
        floats[at] = bucket.at;
        return bucket.waitMs;
      });
    },
  };
}

/** A node draws this part of a limit in one step: four nodes hold at most a tenth of it unused. */
const LEASES = 40;
/** Budget that a node has not used for so long goes back. */
const UNUSED_MS = 1_000;

/** Requests that a node has drawn and may let pass. */
type Lease = { left: number; drawnAt: number; refusedUntil: number; drawing: Promise<void> | null; limit: Limit };

export interface NodeThrottler extends Throttler {
  /** Gives back budget that was drawn and is not used. */
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
 * Rate limits that hold for all nodes together: the store has the buckets, and a node draws from them in batches. Most requests find
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
