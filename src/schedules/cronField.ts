import { type JobFault, quoted } from './fault.ts';

/** The places of an expression, in its order. */
export const CRON_NAMES = ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const;
export type CronName = (typeof CRON_NAMES)[number];

/** The values that one field of an expression may hold. */
export type CronPlace = {
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
export type Wrong = { readonly wrong: string };
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
export function valueIn(place: CronPlace, text: string): number | Wrong {
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
