import type { Key } from '../ports.ts';
import { addRow, createSlab, moveRow, type Place } from './counterArena.ts';
import { hashOf } from './hashIndex.ts';

/**
 * The keys of one dimension, bounded in number: what was not touched for longest is forgotten. Two generations: new and touched keys
 * stand in the young one; when it holds half of the bound, it becomes the old one and the old one is dropped whole. No clock, no list
 * of ages, no work for each key that goes.
 */
export type Shelf = {
  find(key: Key): Place | null;
  /** The place of a key, made when there is none; it counts as touched. */
  touch(key: Key): Place;
  size(): number;
};

export type ShelfShape = { readonly keysMax: number; readonly hasAmounts: boolean; readonly seed: number };

export function createShelf({ keysMax, hasAmounts, seed }: ShelfShape): Shelf {
  const half = Math.max(1, Math.floor(keysMax / 2));
  let young = createSlab(hasAmounts);
  let old = createSlab(hasAmounts);
  let serial = 0;
  const hashed = (key: Key): number => (typeof key === 'number' ? key : hashOf(key, seed));
  return {
    find(key) {
      const hash = hashed(key);
      for (const slab of [young, old]) {
        const row = slab.rowOf.find(hash);
        if (row !== -1) return { slab, row };
      }
      return null;
    },
    touch(key) {
      const hash = hashed(key);
      const known = young.rowOf.find(hash);
      if (known !== -1) return { slab: young, row: known };
      const former = old;
      const before = former.rowOf.find(hash);
      if (young.rowOf.size() >= half) {
        old = young;
        young = createSlab(hasAmounts, old);
      }
      // What moves leaves a row behind that nobody finds: the young ones are looked at first.
      if (before !== -1) return { slab: young, row: moveRow({ slab: former, row: before }, hash, young) };
      serial = (serial + 1) | 0;
      return { slab: young, row: addRow(young, hash, serial) };
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
