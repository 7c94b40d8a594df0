/** A module for the test of the mutator: its test (tiny.test.ts) leaves some of it untested. */
export function fee(amount: bigint, isFree: boolean): bigint {
  if (isFree) return 0n;
  return amount > 100n ? amount / 10n : 5n;
}

/** The test calls it and does not look at the result. */
export const untested = (amount: bigint): bigint => amount + 1n;

/** One of its mutants never ends. */
export function countTo(last: number): number {
  let count = 0;
  while (count < last) count += 1;
  return count;
}

/** One of its mutants never answers. */
export const soon = (): Promise<void> =>
  new Promise((resolve) => {
    resolve();
  });
