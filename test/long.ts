/** Whether this is `npm run assure` or `npm test -- --long`; the runner itself knows it only after it has loaded this. */
export const isLongRun = (): boolean => process.env.LONG_TESTS !== undefined;
const isAssured = isLongRun();
export const isReliability = process.env.FAULTS === 'long';

/** Why a test is skipped in a normal run; false in `npm run assure` and `npm test -- --long`. */
export const onlyLong: string | false = !isAssured && 'takes too long for every day: npm test -- --long';

/**
 * How much work a test does: `quick` in `npm test`, `assure` in `npm run assure` and with `--long`, and with `FAULTS=long` the numbers of the
 * reliability page. Every size makes the same assertions.
 */
export function sized<T>(sizes: { readonly quick: T; readonly assure: T; readonly reliability: T }): T {
  if (isReliability) return sizes.reliability;
  return isAssured ? sizes.assure : sizes.quick;
}
