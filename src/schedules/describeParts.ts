/** What sentences about expressions are made of, in every language. */

/** So many instants of a day are named one by one. */
export const TIMES_MAX = 6;

export const two = (value: number): string => String(value).padStart(2, '0');

/** As many words as there are, with the language's own before the last. */
export const joinedBy =
  (and: string) =>
  (words: readonly string[]): string =>
    words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`;

/** Neighbours are drawn together: `1 to 5 and 9`. */
export const rangesBy =
  (and: string, to: string) =>
  (values: readonly number[], word: (value: number) => string = String): string => {
    const runs: [number, number][] = [];
    for (const value of values) {
      const last = runs.at(-1);
      if (last && last[1] === value - 1) last[1] = value;
      else runs.push([value, value]);
    }
    return joinedBy(and)(
      runs.flatMap(([from, end]) =>
        end === from ? [word(from)] : end === from + 1 ? [word(from), word(end)] : [`${word(from)} ${to} ${word(end)}`],
      ),
    );
  };

/** The step of values that go round evenly from 0, such as 5 for 0, 5, 10 … 55; 0 for others. */
export function stepOf(values: readonly number[], size: number): number {
  const step = size / values.length;
  return values.length > 1 && Number.isInteger(step) && values.every((value, at) => value === at * step) ? step : 0;
}
