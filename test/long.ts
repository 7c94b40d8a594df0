/** Why a test is skipped in a normal run; false in `npm run assure` and `npm test -- --long`. */
export const onlyLong: string | false =
  process.env.LONG_TESTS === undefined && 'takes too long for every day: npm test -- --long';
