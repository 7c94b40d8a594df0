/** A module for the test of the mutator: its test (tiny.test.ts) leaves some of it untested. */
export function fee(amount: bigint, isFree: boolean): bigint {
  if (isFree) return 0n;
  return amount > 100n ? amount / 10n : 5n;
}

/** The test calls it and does not look at the result. */
export const untested = (amount: bigint): bigint => amount + 1n;
