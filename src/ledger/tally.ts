import { digestOf } from './chain.ts';

/** Compares two heaps of postings without keeping them: what is in both cancels out, part by part. */
export interface Tally {
  add(merchantId: string, line: string): void;
  take(merchantId: string, line: string): void;
  /** The parts in which the heaps differ. */
  differing(): readonly number[];
}

const PARTS = 65_536;
const LANES = 3;

/** In which of the parts a posting lies. */
export const partOf = (merchantId: string, line: string): number => digestOf(merchantId, line).readUInt16LE(0);

/**
 * Each part is the sum of the hashes that lie in it, 96 bits of each: one posting that is different is seen, in its part, and only that
 * part has to be looked through to name it.
 */
export function createTally(): Tally {
  const sums = new Uint32Array(PARTS * LANES);
  const count = (merchantId: string, line: string, sign: 1 | -1) => {
    const digest = digestOf(merchantId, line);
    const from = digest.readUInt16LE(0) * LANES;
    for (let lane = 0; lane < LANES; lane += 1) {
      sums[from + lane] = (sums[from + lane] ?? 0) + sign * digest.readUInt32LE(2 + lane * 4);
    }
  };
  return {
    add: (merchantId, line) => count(merchantId, line, 1),
    take: (merchantId, line) => count(merchantId, line, -1),
    differing: () =>
      Array.from({ length: PARTS }, (_, part) => part).filter((part) =>
        sums.subarray(part * LANES, (part + 1) * LANES).some((sum) => sum !== 0),
      ),
  };
}
