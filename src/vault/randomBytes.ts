import { randomFillSync } from 'node:crypto';

/** Fills a buffer with cryptographically random bytes. */
export type RandomBytes = (into: Uint8Array) => void;

export const systemRandom: RandomBytes = (into) => {
  randomFillSync(into);
};

const POOL_PIECES = 512;

/** Random pieces of one size from a pool: one system call for many of them. */
export function createPieces(bytes: number, random: RandomBytes): () => Buffer {
  const pool = Buffer.alloc(bytes * POOL_PIECES);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      random(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
