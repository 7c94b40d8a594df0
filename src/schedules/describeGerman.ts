import type { DayRule } from './dayRule.ts';
import { joinedBy, rangesBy, stepOf, TIMES_MAX, two } from './describe.ts';
import type { CronExpression } from './expression.ts';

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const WEEKDAYS = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'];
const joined = joinedBy('und');
const ranges = rangesBy('und', 'bis');

/** An expression as a German sentence: `Um 07:43:33 am 5. jedes Monats`. The twin of describe(). */
export function describeGerman(expression: CronExpression): string {
  const { year } = expression;
  const years = year.values.length === 130 ? '' : ` in ${ranges(year.values)}`;
  return `${timeWords(expression)}${dayWords(expression)}${years}`;
}

function timeWords({ hour, minute, second }: CronExpression): string {
  const [hours, minutes, seconds] = [hour.values, minute.values, second.values];
  if (hours.length * minutes.length * seconds.length <= TIMES_MAX) {
    const times = hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => `${two(h)}:${two(m)}:${two(s)}`)));
    return `Um ${joined(times)}`;
  }
  const within = hours.length === 24 ? '' : ` in ${hours.length > 1 ? 'den Stunden' : 'der Stunde'} ${ranges(hours)}`;
  if (seconds.length > 1) {
    const ofMinutes = minutes.length === 60 ? '' : ` der ${minutes.length > 1 ? 'Minuten' : 'Minute'} ${ranges(minutes)}`;
    return `${often(seconds, ['Sekunde', 'Sekunden'])}${ofMinutes}${within}`;
  }
  const at = seconds[0] === 0 ? '' : `, Sekunde ${seconds[0]}`;
  if (minutes.length === 1) return `Jede Stunde, Minute ${minutes[0]}${at}${within}`;
  return `${often(minutes, ['Minute', 'Minuten'])}${at}${within}`;
}

function often(values: readonly number[], [one, many]: readonly [string, string]): string {
  const step = stepOf(values, 60);
  if (step === 1) return `Jede ${one}`;
  return step > 0 ? `Alle ${step} ${many}` : `In ${values.length > 1 ? `den ${many}` : `der ${one}`} ${ranges(values)}`;
}

function dayWords({ rule, month }: CronExpression): string {
  const isAllMonths = month.values.length === 12;
  const months = isAllMonths ? '' : ` im ${ranges(month.values, (value) => MONTHS[value - 1] as string)}`;
  if (rule.days.length === (rule.by === 'dayOfMonth' ? 31 : 7)) return ` täglich${months}`;
  const isByWeek = rule.by === 'dayOfWeek' && rule.last.length === 0 && rule.nth.length === 0;
  if (isByWeek) return ` jeden ${weekdays(rule.days)}${months}`;
  return ` ${joined(rule.by === 'dayOfMonth' ? placesInMonth(rule) : placesInWeeks(rule))}${isAllMonths ? ' jedes Monats' : months}`;
}

const weekdays = (days: readonly number[]): string => ranges(days, (value) => WEEKDAYS[value - 1] as string);

const fromLast = (before: number): string =>
  before === 0 ? 'am letzten Tag' : `${before} ${before === 1 ? 'Tag' : 'Tage'} vor dem letzten Tag`;

const placesInMonth = (rule: DayRule & { by: 'dayOfMonth' }): string[] => [
  ...(rule.days.length > 0 ? [`am ${ranges(rule.days, (day) => `${day}.`)}`] : []),
  ...rule.nearest.map((day) => `am Werktag nächst dem ${day}.`),
  ...rule.last.map(fromLast),
  ...rule.nearestLast.map((before) =>
    before === 0 ? 'am letzten Werktag' : `am Werktag nächst ${before} Tage vor dem letzten Tag`,
  ),
];

const placesInWeeks = (rule: DayRule & { by: 'dayOfWeek' }): string[] => [
  ...(rule.days.length > 0 ? [`jeden ${weekdays(rule.days)}`] : []),
  ...rule.nth.map(({ weekday, nth }) => `am ${nth}. ${WEEKDAYS[weekday - 1]}`),
  ...rule.last.map((weekday) => `am letzten ${WEEKDAYS[weekday - 1]}`),
];
