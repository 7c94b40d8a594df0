import { digestOf } from './chain.ts';

/** Compares two sets of postings without storing them: those in both sets cancel out, part by part. */
export interface Tally {
  add(merchantId: string, line: string): void;
  subtract(merchantId: string, line: string): void;
  /** The parts in which the sets differ. */
  differing(): readonly number[];
}

const PARTS = 65_536;
const WORDS = 3;

/** The part of a posting. */
export const partOf = (merchantId: string, line: string): number => digestOf(merchantId, line).readUInt16LE(0);

/** Each part is the sum of 96 bits of the hashes in it. A single different posting shows in its part, and only that part is searched. */
export function createTally(): Tally {
  const sums = new Uint32Array(PARTS * WORDS);
  const count = (merchantId: string, line: string, sign: 1 | -1) => {
    const digest = digestOf(merchantId, line);
    const from = digest.readUInt16LE(0) * WORDS;
    for (let word = 0; word < WORDS; word += 1) {
      sums[from + word] = (sums[from + word] ?? 0) + sign * digest.readUInt32LE(2 + word * 4);
    }
  };
  return {
    add: (merchantId, line) => count(merchantId, line, 1),
    subtract: (merchantId, line) => count(merchantId, line, -1),
    differing: () => {
      const parts = new Set<number>();
      sums.forEach((sum, at) => {
        if (sum !== 0) parts.add(Math.floor(at / WORDS));
      });
      return [...parts];
    },
  };
}
