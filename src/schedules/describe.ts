import type { DayRule } from './dayRule.ts';
import type { CronExpression } from './expression.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** An expression as an English sentence: `At 07:43:33 on day 5 of every month`. */
export function describe(expression: CronExpression): string {
  return `${timeWords(expression)}${dayWords(expression)}${yearWords(expression)}`;
}

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

const joined = joinedBy('and');
const ranges = rangesBy('and', 'to');

const counted = (values: readonly number[], unit: string): string => `${unit}${values.length > 1 ? 's' : ''} ${ranges(values)}`;

function timeWords({ hour, minute, second }: CronExpression): string {
  const [hours, minutes, seconds] = [hour.values, minute.values, second.values];
  if (hours.length * minutes.length * seconds.length <= TIMES_MAX) {
    const times = hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => `${two(h)}:${two(m)}:${two(s)}`)));
    return `At ${joined(times)}`;
  }
  const within = hours.length === 24 ? '' : ` in ${counted(hours, 'hour')}`;
  if (seconds.length > 1) return `${often(seconds, 'second')}${ofMinutes(minutes)}${within}`;
  const at = seconds[0] === 0 ? '' : ` at second ${seconds[0]}`;
  if (minutes.length === 1) return `Every hour at minute ${minutes[0]}${at === '' ? '' : ` and second ${seconds[0]}`}${within}`;
  return `${often(minutes, 'minute')}${at}${within}`;
}

function often(values: readonly number[], unit: string): string {
  const step = stepOf(values, 60);
  if (step === 1) return `Every ${unit}`;
  return step > 0 ? `Every ${step} ${unit}s` : `At ${counted(values, unit)}`;
}

function ofMinutes(minutes: readonly number[]): string {
  return minutes.length === 60 ? '' : ` of ${counted(minutes, 'minute')}`;
}

function dayWords({ rule, month }: CronExpression): string {
  const isAllMonths = month.values.length === 12;
  const names = ranges(month.values, (value) => MONTHS[value - 1] as string);
  if (isEveryDay(rule)) return ` every day${isAllMonths ? '' : ` in ${names}`}`;
  const isByWeek = rule.by === 'dayOfWeek' && rule.last.length === 0 && rule.nth.length === 0;
  if (isByWeek) return ` every ${weekdays(rule.days)}${isAllMonths ? '' : ` in ${names}`}`;
  return ` on ${joined(rule.by === 'dayOfMonth' ? placesInMonth(rule) : placesInWeeks(rule))} of ${isAllMonths ? 'every month' : names}`;
}

const isEveryDay = (rule: DayRule): boolean => rule.days.length === (rule.by === 'dayOfMonth' ? 31 : 7);

const weekdays = (days: readonly number[]): string => ranges(days, (value) => WEEKDAYS[value - 1] as string);

const fromLast = (before: number): string =>
  before === 0 ? 'the last day' : `the day ${before} ${before === 1 ? 'day' : 'days'} before the last day`;

function placesInMonth(rule: DayRule & { by: 'dayOfMonth' }): string[] {
  return [
    ...(rule.days.length > 0 ? [counted(rule.days, 'day')] : []),
    ...rule.nearest.map((day) => `the weekday nearest to day ${day}`),
    ...rule.last.map(fromLast),
    ...rule.nearestLast.map((before) => (before === 0 ? 'the last weekday' : `the weekday nearest to ${fromLast(before)}`)),
  ];
}

function placesInWeeks(rule: DayRule & { by: 'dayOfWeek' }): string[] {
  return [
    ...(rule.days.length > 0 ? [`every ${weekdays(rule.days)}`] : []),
    ...rule.nth.map(({ weekday, nth }) => `the ${ORDINALS[nth - 1]} ${WEEKDAYS[weekday - 1]}`),
    ...rule.last.map((weekday) => `the last ${WEEKDAYS[weekday - 1]}`),
  ];
}

function yearWords({ year }: CronExpression): string {
  return year.values.length === 130 ? '' : ` in ${ranges(year.values)}`;
}
