import { type JobFault, quoted } from './fault.ts';

/** The places of an expression, in its order. */
export const CRON_NAMES = ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const;
export type CronName = (typeof CRON_NAMES)[number];

/** The values that one field of an expression may hold. */
type CronPlace = {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  /** Upper-case names of the values, the first for `least`. */
  readonly names: readonly string[];
  /** Whether a range may run over the end: `FRI-MON`, `22-2`. */
  readonly wraps: boolean;
  readonly code: JobFault['code'];
};

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const place = (
  label: string,
  [least, most]: readonly [number, number],
  code: JobFault['code'],
  names: string[] = [],
): CronPlace => ({
  label,
  least,
  most,
  names,
  wraps: label !== 'year',
  code,
});

/** The catalogue has no code of its own for years: 100.250.120 says that the parameters do not go together. */
export const CRON_PLACES: Readonly<Record<CronName, CronPlace>> = {
  second: place('second', [0, 59], '100.250.122'),
  minute: place('minute', [0, 59], '100.250.122'),
  hour: place('hour', [0, 23], '100.250.121'),
  dayOfMonth: place('day of the month', [1, 31], '100.250.123'),
  month: place('month', [1, 12], '100.250.124', MONTHS),
  dayOfWeek: place('day of the week', [1, 7], '100.250.125', WEEKDAYS),
  year: place('year', [1970, 2099], '100.250.120'),
};

/** The outcome of an entry. Nothing is thrown: the sentence goes into a fault. */
type Wrong = { readonly wrong: string };
export const isWrong = (value: object | number): value is Wrong => typeof value === 'object' && 'wrong' in value;

const isDigits = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 48 || text.charCodeAt(at) > 57) return false;
  return text !== '';
};

/** A whole number within bounds, or null. */
export function numberIn(text: string, least: number, most: number): number | null {
  const value = isDigits(text) ? Number(text) : -1;
  return value >= least && value <= most ? value : null;
}

/** A number or a name of this place. */
function valueIn(place: CronPlace, text: string): number | Wrong {
  const named = place.names.indexOf(text);
  const value = named < 0 ? numberIn(text, place.least, place.most) : place.least + named;
  if (value !== null) return value;
  const [first, last] = [place.names[0], place.names.at(-1)];
  const orNames = first === undefined ? '' : ` or ${first} to ${last}`;
  return {
    wrong: `${quoted(text)} is not ${place.label === 'hour' ? 'an' : 'a'} ${place.label} from ${place.least} to ${place.most}${orNames}`,
  };
}

/** The values of one entry of a list: `*`, `5`, `10-40`, each with a step or without; the entry is in upper case. */
export function entryValues(place: CronPlace, entry: string): readonly number[] | Wrong {
  const [base = '', step, ...rest] = entry.split('/');
  if (rest.length > 0) return { wrong: `${quoted(entry)} has more than one step` };
  const range = rangeOf(place, base, step !== undefined);
  if (isWrong(range)) return range;
  const size = place.most - place.least + 1;
  const width = step === undefined ? 1 : numberIn(step, 1, size);
  if (width === null) return { wrong: `${quoted(entry)}: a step of the ${place.label} is a number from 1 to ${size}` };
  const [from, to] = range;
  const values: number[] = [];
  for (let value = from; value <= (to < from ? to + size : to); value += width)
    values.push(value > place.most ? value - size : value);
  return values;
}

/** `3/5` starts at 3 and goes to the end; a bare `3` is itself. */
function rangeOf(place: CronPlace, base: string, hasStep: boolean): readonly [from: number, to: number] | Wrong {
  if (base === '*') return [place.least, place.most];
  const [first = '', second, ...rest] = base.split('-');
  if (rest.length > 0) return { wrong: `${quoted(base)} is not a range` };
  const from = valueIn(place, first);
  if (isWrong(from)) return from;
  if (second === undefined) return [from, hasStep ? place.most : from];
  const to = valueIn(place, second);
  if (isWrong(to)) return to;
  if (to < from && !place.wraps) return { wrong: `${quoted(base)} runs backwards` };
  return [from, to];
}

/** The days of an expression by their place in the month. `last` holds days before the last one: 0 for `L`, 3 for `L-3`. */
type DaysOfMonth = {
  readonly by: 'dayOfMonth';
  readonly days: readonly number[];
  readonly last: readonly number[];
  /** `15W`: the weekday nearest to a day; `nearestLast` is `LW` (0) and `L-3W` (3). */
  readonly nearest: readonly number[];
  readonly nearestLast: readonly number[];
};

/** The days of an expression by the week, 1 for Sunday to 7: plain, `5L` in `last`, `6#3` in `nth`. */
type DaysOfWeek = {
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

type Report = (message: string) => void;
type Kept<Rule> = { -readonly [Key in Exclude<keyof Rule, 'by'>]: Rule[Key] extends readonly (infer Item)[] ? Item[] : never };

const inOrder = (values: readonly number[]): readonly number[] => [...new Set(values)].sort((one, other) => one - other);

/** The entries of dayOfMonth: the ones of every field, and `L`, `L-3`, `15W`, `LW`, `L-3W`. */
export function daysOfMonthIn(entries: readonly string[], report: Report): DaysOfMonth {
  const kept: Kept<DaysOfMonth> = { days: [], last: [], nearest: [], nearestLast: [] };
  for (const entry of entries) {
    const wrong = keepDayOfMonth(kept, entry);
    if (wrong) report(wrong.wrong);
  }
  const { days, last, nearest, nearestLast } = kept;
  return {
    by: 'dayOfMonth',
    days: inOrder(days),
    last: inOrder(last),
    nearest: inOrder(nearest),
    nearestLast: inOrder(nearestLast),
  };
}

function keepDayOfMonth(kept: Kept<DaysOfMonth>, entry: string): Wrong | null {
  const isNearest = entry.endsWith('W');
  const day = isNearest ? entry.slice(0, -1) : entry;
  if (day.startsWith('L')) {
    const before = day === 'L' ? 0 : day.startsWith('L-') ? numberIn(day.slice(2), 0, 30) : null;
    if (before === null) return { wrong: `${quoted(entry)} is not L, L-1 to L-30 or one of them with W` };
    (isNearest ? kept.nearestLast : kept.last).push(before);
    return null;
  }
  if (isNearest) {
    const value = numberIn(day, 1, 31);
    if (value === null) return { wrong: `${quoted(entry)}: W follows one day from 1 to 31 or L` };
    kept.nearest.push(value);
    return null;
  }
  const values = entryValues(CRON_PLACES.dayOfMonth, entry);
  if (isWrong(values)) return values;
  kept.days.push(...values);
  return null;
}

/** The entries of dayOfWeek: the ones of every field, and `L` (Saturday), `5L` (the last Thursday), `6#3` (the third Friday). */
export function daysOfWeekIn(entries: readonly string[], report: Report): DaysOfWeek {
  const kept: Kept<DaysOfWeek> = { days: [], last: [], nth: [] };
  for (const entry of entries) {
    const wrong = keepDayOfWeek(kept, entry);
    if (wrong) report(wrong.wrong);
  }
  return { by: 'dayOfWeek', days: inOrder(kept.days), last: inOrder(kept.last), nth: kept.nth };
}

function keepDayOfWeek(kept: Kept<DaysOfWeek>, entry: string): Wrong | null {
  const place = CRON_PLACES.dayOfWeek;
  const [day = '', nth, ...rest] = entry.split('#');
  if (nth !== undefined) {
    const [weekday, count] = [valueIn(place, day), rest.length > 0 ? null : numberIn(nth, 1, 5)];
    if (isWrong(weekday)) return weekday;
    if (count === null) return { wrong: `${quoted(entry)}: # is followed by a number from 1 to 5` };
    kept.nth.push({ weekday, nth: count });
    return null;
  }
  if (entry.endsWith('L')) {
    const weekday = entry === 'L' ? 7 : valueIn(place, entry.slice(0, -1));
    if (isWrong(weekday)) return weekday;
    (entry === 'L' ? kept.days : kept.last).push(weekday);
    return null;
  }
  const values = entryValues(place, entry);
  if (isWrong(values)) return values;
  kept.days.push(...values);
  return null;
}
