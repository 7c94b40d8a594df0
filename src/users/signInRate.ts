import { type Bucket, draw } from '../merchants/throttle.ts';
import type { Clock } from '../spec/time.ts';

/** Everybody behind one address together: enough for an office on Monday morning, too little to guess or to flood. */
const LIMIT = { requests: 120, perSeconds: 60 };
const ADDRESSES_MAX = 10_000;

/** 0: go ahead. Otherwise how many milliseconds to wait. */
export type RateLimit = (address: string) => number;

/** How fast an address may knock, in the memory of this node. Of too many addresses the one that came first is forgotten. */
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
