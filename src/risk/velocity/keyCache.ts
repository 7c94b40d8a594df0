import type { Key } from '../ports.ts';
import { addRow, type CounterCell, createCounterArena, moveRow } from './counterArena.ts';
import { hashOf } from './hashIndex.ts';

/**
 * The keys of one dimension, bounded in number: what was not touched for longest is forgotten. Two generations: new and touched keys
 * stand in the young one; when it holds half of the bound, it becomes the old one and the old one is dropped whole. No clock, no list
 * of ages, no work for each key that goes.
 */
export type KeyCache = {
  find(key: Key): CounterCell | null;
  /** The place of a key, made when there is none; it counts as touched. */
  touch(key: Key): CounterCell;
  size(): number;
};

export type KeyCacheShape = { readonly keysMax: number; readonly hasAmounts: boolean; readonly seed: number };

export function createKeyCache({ keysMax, hasAmounts, seed }: KeyCacheShape): KeyCache {
  const half = Math.max(1, Math.floor(keysMax / 2));
  let young = createCounterArena(hasAmounts);
  let old = createCounterArena(hasAmounts);
  let serial = 0;
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
      const hash = hashed(key);
      const known = young.rowOf.find(hash);
      if (known !== -1) return { arena: young, row: known };
      const former = old;
      const before = former.rowOf.find(hash);
      if (young.rowOf.size() >= half) {
        old = young;
        young = createCounterArena(hasAmounts, old);
      }
      // What moves leaves a row behind that nobody finds: the young ones are looked at first.
      if (before !== -1) return { arena: young, row: moveRow({ arena: former, row: before }, hash, young) };
      serial = (serial + 1) | 0;
      return { arena: young, row: addRow(young, hash, serial) };
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
