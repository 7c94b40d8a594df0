/** How the answers of several databases become one. */

type Order<Row> = (one: Row, other: Row) => number;

/** Compares by each of these in turn. Text is compared by its code units, as the databases compare ids. */
export function by<Row>(...keys: readonly ((row: Row) => number | string)[]): Order<Row> {
  return (one, other) => {
    for (const key of keys) {
      const [first, second] = [key(one), key(other)];
      if (first !== second) return first < second ? -1 : 1;
    }
    return 0;
  };
}

export const backwards =
  <Row>(order: Order<Row>): Order<Row> =>
  (one, other) =>
    order(other, one);

/** Lists in one order, as one list of at most so many. */
export const merged = <Row>(lists: readonly (readonly Row[])[], order: Order<Row>, limit = Number.POSITIVE_INFINITY): Row[] =>
  lists.flat().sort(order).slice(0, limit);

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The sums of records of numbers, member by member. */
export const sumEach = <Counts extends Readonly<Record<string, number>>>(counts: readonly Counts[]): Counts => {
  const [first] = counts;
  if (!first) throw new Error('nothing to add up');
  return Object.fromEntries(Object.keys(first).map((key) => [key, sum(counts.map((one) => one[key] ?? 0))])) as Counts;
};

/** The earliest; null: none. */
export const earliest = (instants: readonly (number | null)[]): number | null => {
  const known = instants.filter((one) => one !== null);
  return known.length === 0 ? null : Math.min(...known);
};
