import type { Clock } from '../spec/time.ts';
import { type Bucket, draw, type LocalThrottler } from './throttle.ts';

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
