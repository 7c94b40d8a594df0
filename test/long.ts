/** Why a test is left out every day; false where everything is asked for: by `npm run assure`, or by `npm test -- --long`. */
export const onlyLong: string | false =
  process.env.LONG_TESTS === undefined && 'takes too long for every day: npm test -- --long';
