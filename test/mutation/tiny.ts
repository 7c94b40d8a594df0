/** A module for the test of the mutator: its test (tinyTests.ts) leaves some of it untested. */
export function fee(amount: bigint, isFree: boolean): bigint {
  if (isFree) return 0n;
  return amount > 100n ? amount / 10n : 5n;
}

/** No test knows it. */
export const untested = (amount: bigint): bigint => amount + 1n;
