import type { EndpointName } from '../spec/endpoints.ts';
import type { Clock } from '../spec/time.ts';
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

export interface Throttler {
  /** 0: go ahead. Otherwise the milliseconds after which the caller may try again. */
  waitMs(entityId: string, operation: EndpointName, limit: Limit | undefined): number | Promise<number>;
}

/** Limits in the memory of one process. */
export interface LocalThrottler extends Throttler {
  waitMs(entityId: string, operation: EndpointName, limit: Limit | undefined): number;
}

/**
 * Counts per entity and operation, in the memory of this node; `nodeThrottle.ts` has limits for several. Only admitted
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
