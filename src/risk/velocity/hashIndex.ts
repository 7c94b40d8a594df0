/** A hash table from 53-bit hashes to numbers in a typed array. A lookup touches one cache line, and no string is stored. */
export type HashIndex = {
  /** -1 when there is none. */
  find(hash: number): number;
  /** The hash must not be in the table. */
  put(hash: number, value: number): void;
  size(): number;
  capacity(): number;
};

const HIGH = 2 ** 21;

/**
 * The hash of a key. Among a million keys the chance of a collision is 1 in 18,000; colliding keys are counted as one. The secret seed
 * keeps an attacker from choosing keys that collide.
 */
export function hashOf(text: string, seed: number): number {
  let one = seed ^ text.length;
  let two = ~seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b) ^ (one >>> 15);
  }
  one = Math.imul(one ^ (two >>> 16), 0x7feb352d);
  two = Math.imul(two ^ (one >>> 15), 0x846ca68b);
  return ((one ^ (two >>> 13)) >>> 0) * HIGH + ((two ^ (one >>> 16)) >>> 11);
}

/** The hash of a pair, from the hashes of its members. */
export function mixed(left: number, right: number): number {
  let one = (left / HIGH) ^ Math.imul(right | 0, 0x9e3779b1);
  let two = (left | 0) ^ Math.imul((right / HIGH) | 0, 0x85ebca6b);
  one = Math.imul(one ^ (one >>> 16) ^ two, 0x7feb352d);
  two = Math.imul(two ^ (two >>> 15) ^ one, 0x846ca68b);
  one = Math.imul(one ^ (two >>> 13), 0x01000193);
  return ((one ^ (one >>> 15)) >>> 0) * HIGH + ((two ^ (one >>> 16)) >>> 11);
}

/**
 * A slot holds a hash and its value plus one, so that 0 means empty. They are adjacent because tables are larger than the processor's
 * caches: a lookup then costs one fetch from memory.
 */
export function createHashIndex(capacity = 64): HashIndex {
  let slots = new Float64Array(2 * capacity);
  let count = 0;
  const placeOf = (hash: number): number => {
    const mask = slots.length / 2 - 1;
    let at = 2 * ((hash / 64) & mask);
    while (slots[at + 1] !== 0 && slots[at] !== hash) at = (at + 2) & (2 * mask);
    return at;
  };
  const grow = (): void => {
    const old = slots;
    slots = new Float64Array(old.length * 2);
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      const place = placeOf(old[from] as number);
      slots[place] = old[from] as number;
      slots[place + 1] = old[from + 1] as number;
    }
  };
  return {
    find: (hash) => (slots[placeOf(hash) + 1] as number) - 1,
    put(hash, value) {
      if (count * 4 >= slots.length) grow();
      const place = placeOf(hash);
      slots[place] = hash;
      slots[place + 1] = value + 1;
      count += 1;
    },
    size: () => count,
    capacity: () => slots.length / 2,
  };
}
