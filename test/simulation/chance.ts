import type { RandomBytes } from '../../src/vault/randomBytes.ts';

/** All the chance of a run, from one seed: the same seed draws the same numbers in the same order. */
export type Chance = {
  /** A whole number from 0 up to, not including, the bound. */
  below(bound: number): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  hits(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  hex(length: number): string;
  digits(length: number): string;
};

/** A small fast counter generator (sfc32). Its first draws are thrown away, because neighbouring seeds begin alike. */
export function createChance(seed: number): Chance {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9;
  let counter = 1;
  const draw = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warming = 0; warming < 15; warming += 1) draw();
  const below = (bound: number) => Math.floor((draw() / 2 ** 32) * bound);
  const hex = (length: number): string =>
    length <= 8 ? draw().toString(16).padStart(8, '0').slice(-length) : hex(8) + hex(length - 8);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    hits: (probability) => draw() < probability * 2 ** 32,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    hex,
    digits: (length) => String(below(10 ** length)).padStart(length, '0'),
  };
}

/** Random bytes for the production code, four for each draw. */
export function bytesFrom({ below }: Chance): RandomBytes {
  return (into) => {
    for (let at = 0; at < into.length; at += 4) {
      const drawn = below(2 ** 32);
      for (let byte = 0; byte < 4; byte += 1) into[at + byte] = drawn >>> (8 * byte);
    }
  };
}
