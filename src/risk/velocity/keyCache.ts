import type { Key } from '../ports.ts';
import { addRow, type CounterRow, createCounterArena, moveRow } from './counterArena.ts';
import { hashOf } from './hashIndex.ts';

/**
 * The keys of one dimension with their counters, bounded in number: the least recently used ones are evicted. There are two generations.
 * New and touched keys are in the young one; when it holds half of the bound it becomes the old one, and the former old one is dropped
 * as a whole. This needs no clock, no list of ages and no work per evicted key.
 */
export type KeyCache = {
  find(key: Key): CounterRow | null;
  /** The row of a key, created when there is none; the same object each time. The key counts as used. */
  touch(key: Key): CounterRow;
  size(): number;
};

export type KeyCacheOptions = { readonly keysMax: number; readonly hasAmounts: boolean; readonly seed: number };

export function createKeyCache({ keysMax, hasAmounts, seed }: KeyCacheOptions): KeyCache {
  const half = Math.max(1, Math.floor(keysMax / 2));
  let young = createCounterArena(hasAmounts);
  let old = createCounterArena(hasAmounts);
  let serial = 0;
  const touched = { arena: young, row: 0 };
  const rowOf = (hash: number): number => {
    const known = young.rowOf.find(hash);
    if (known !== -1) return known;
    const former = old;
    const before = former.rowOf.find(hash);
    if (young.rowOf.size() >= half) {
      old = young;
      young = createCounterArena(hasAmounts, old);
    }
    // The row in the old arena stays behind and is never found: the young arena is searched first.
    if (before !== -1) return moveRow({ arena: former, row: before }, hash, young);
    serial = (serial + 1) | 0;
    return addRow(young, hash, serial);
  };
  const hashed = (key: Key): number => (typeof key === 'number' ? key : hashOf(key, seed));
  return {
    find(key) {
      const hash = hashed(key);
      for (const arena of [young, old]) {
        const row = arena.rowOf.find(hash);
        if (row !== -1) return { arena, row };
      }
      return null;
    },
    touch(key) {
      touched.row = rowOf(hashed(key));
      touched.arena = young;
      return touched;
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
