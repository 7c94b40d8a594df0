import type { Format } from './row.ts';

/**
 * How clients write a flag: Python sends `True`, PHP `1`, check boxes `on`, configuration files `yes`. A lenient channel takes all of them,
 * and everything behind the form reads one spelling.
 */
const words: readonly (readonly [isSet: boolean, word: string])[] = [
  ...['true', '1', 'on', 'yes', 'y'].map((word) => [true, word] as const),
  ...['false', '0', 'off', 'no', 'n'].map((word) => [false, word] as const),
];

const spellingsOf = (word: string): readonly string[] => [
  word,
  word.toUpperCase(),
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
];

/** Every spelling, and what it says. */
export const flagSpellings: ReadonlyMap<string, boolean> = new Map(
  words.flatMap(([isSet, word]) => spellingsOf(word).map((spelling) => [spelling, isSet] as const)),
);

/** The two words of a flag's format, the positive one first; null for every other format. */
export function flagWords({ values }: Pick<Format<unknown>, 'values'>): readonly [yes: string, no: string] | null {
  if (values?.includes('true') && values.includes('false')) return ['true', 'false'];
  return values?.length === 2 && values[0] === 'Y' && values[1] === 'N' ? ['Y', 'N'] : null;
}
