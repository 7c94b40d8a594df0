/** The days of an expression by their place in the month. `last` holds days before the last one: 0 for `L`, 3 for `L-3`. */
export type DaysOfMonth = {
  readonly by: 'dayOfMonth';
  readonly days: readonly number[];
  readonly last: readonly number[];
  /** `15W`: the weekday nearest to a day; `nearestLast` is `LW` (0) and `L-3W` (3). */
  readonly nearest: readonly number[];
  readonly nearestLast: readonly number[];
};

/** The days of an expression by the week, 1 for Sunday to 7: plain, `5L` in `last`, `6#3` in `nth`. */
export type DaysOfWeek = {
  readonly by: 'dayOfWeek';
  readonly days: readonly number[];
  readonly last: readonly number[];
  readonly nth: readonly { readonly weekday: number; readonly nth: number }[];
};

export type DayRule = DaysOfMonth | DaysOfWeek;

/**
 * A calendar month is one of 28: four lengths and seven weekdays to begin with. So every rule about days is a table of 28 masks, in
 * which bit 0 stands for day 1.
 */
export type DayMasks = readonly number[];

const SHORTEST = 28;

/** The mask of a month of this length that begins on this weekday. */
export const maskOf = (masks: DayMasks, length: number, firstWeekday: number): number =>
  masks[(length - SHORTEST) * 7 + firstWeekday - 1] as number;

/** The days of a rule in every kind of month. */
export function dayMasks(rule: DayRule): DayMasks {
  const masks: number[] = [];
  for (let length = SHORTEST; length <= 31; length += 1)
    for (let first = 1; first <= 7; first += 1) masks.push(maskIn(rule, length, first));
  return masks;
}

function maskIn(rule: DayRule, length: number, first: number): number {
  let mask = 0;
  const add = (day: number): void => {
    if (day >= 1 && day <= length) mask |= 1 << (day - 1);
  };
  if (rule.by === 'dayOfMonth') addByMonth(rule, { length, first, add });
  else addByWeek(rule, { length, first, add });
  return mask;
}

/** A month while its days are gathered; a day outside of it is not kept. */
type Gathered = { readonly length: number; readonly first: number; readonly add: (day: number) => void };

function addByMonth(rule: DaysOfMonth, { length, first, add }: Gathered): void {
  const addNearest = (day: number): void => {
    if (day >= 1 && day <= length) add(nearestWeekday(day, length, first));
  };
  for (const day of rule.days) add(day);
  for (const before of rule.last) add(length - before);
  for (const day of rule.nearest) addNearest(day);
  for (const before of rule.nearestLast) addNearest(length - before);
}

/** Saturday moves to Friday and Sunday to Monday, but never into another month. */
function nearestWeekday(day: number, length: number, first: number): number {
  const weekday = ((first + day - 2) % 7) + 1;
  if (weekday === 7) return day === 1 ? 3 : day - 1;
  if (weekday === 1) return day === length ? day - 2 : day + 1;
  return day;
}

function addByWeek(rule: DaysOfWeek, { length, first, add }: Gathered): void {
  const firstOf = (weekday: number): number => ((weekday - first + 7) % 7) + 1;
  for (const weekday of rule.days) for (let day = firstOf(weekday); day <= length; day += 7) add(day);
  for (const weekday of rule.last) add(firstOf(weekday) + (firstOf(weekday) + 28 <= length ? 28 : 21));
  for (const { weekday, nth } of rule.nth) add(firstOf(weekday) + (nth - 1) * 7);
}
