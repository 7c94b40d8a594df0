import { type Bucket, draw } from '../merchants/throttle.ts';
import type { Clock } from '../spec/time.ts';

/** For all users behind one address: enough for an office on Monday morning, too little to guess or to flood. */
const LIMIT = { requests: 120, perSeconds: 60 };
const ADDRESSES_MAX = 10_000;

/** 0: go ahead. Otherwise how many milliseconds to wait. */
export type RateLimit = (address: string) => number;

/** The rate limit by address, in the memory of this node. Beyond the maximum the oldest address is dropped. */
export function createRateLimit(clock: Clock): RateLimit {
  const buckets = new Map<string, Bucket>();
  return (address) => {
    const bucket = draw(buckets.get(address), LIMIT, clock.now());
    buckets.delete(address);
    buckets.set(address, bucket);
    const [oldest] = buckets.size > ADDRESSES_MAX ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    return bucket.waitMs;
  };
}
