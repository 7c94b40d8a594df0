import { createHashIndex, type HashIndex, hashOf } from '../../risk/velocity/hashIndex.ts';

/**
 * Some flags for each of the ids that were seen last, in typed arrays: a quarter of a million texts and objects would be tens of megabytes
 * that the garbage collector walks. There are two generations, as of the keys of velocity counters (keyCache.ts). New ids are in the young
 * one; when it holds half of the bound it becomes the old one, and the former old one is dropped as a whole. An id without flags is one
 * that was not seen.
 */
export type RecentFlags = {
  /** 0 for an id that was not seen, or not lately. */
  get(id: string): number;
  set(id: string, flags: number, now: number): void;
  /** Drops the generations that had no new id since the instant. */
  forget(before: number): void;
  /** How many ids are kept, with those whose flags are 0. */
  size(): number;
};

type Generation = { readonly rowOf: HashIndex; flags: Uint8Array; newest: number };

const emptyGeneration = (): Generation => ({
  rowOf: createHashIndex(),
  flags: new Uint8Array(64),
  newest: Number.NEGATIVE_INFINITY,
});

/** The gateway makes the ids itself: no sender can choose some that collide. */
const SEED = 0x1b873593;

export function createRecentFlags(idsMax: number): RecentFlags {
  const half = Math.max(1, Math.floor(idsMax / 2));
  let young = emptyGeneration();
  let old = emptyGeneration();
  const add = (hash: number, flags: number, now: number): void => {
    if (young.rowOf.size() >= half) {
      old = young;
      young = emptyGeneration();
    }
    const row = young.rowOf.size();
    if (row === young.flags.length) {
      const larger = new Uint8Array(2 * row);
      larger.set(young.flags);
      young.flags = larger;
    }
    young.rowOf.put(hash, row);
    young.flags[row] = flags;
    young.newest = Math.max(young.newest, now);
  };
  return {
    get(id) {
      const hash = hashOf(id, SEED);
      const row = young.rowOf.find(hash);
      if (row !== -1) return young.flags[row] as number;
      const before = old.rowOf.find(hash);
      return before === -1 ? 0 : (old.flags[before] as number);
    },
    set(id, flags, now) {
      const hash = hashOf(id, SEED);
      const row = young.rowOf.find(hash);
      if (row !== -1) {
        young.flags[row] = flags;
        return;
      }
      const before = old.rowOf.find(hash);
      const known = before === -1 ? 0 : (old.flags[before] as number);
      if (known !== 0) old.flags[before] = flags;
      // One without flags is as good as new: where it stood before it might be dropped with the next one.
      else if (flags !== 0) add(hash, flags, now);
    },
    forget(before) {
      if (old.rowOf.size() > 0 && old.newest < before) old = emptyGeneration();
      if (young.rowOf.size() > 0 && young.newest < before) young = emptyGeneration();
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
