/** Why a test is left out every day; false where everything is asked for: by `npm run assure`, or by a word that selects its file. */
export const onlyLong: string | false = process.env.LONG_TESTS === undefined && 'takes too long for every day: npm run assure';
