import { CRON_PLACES, entryValues, isWrong, numberIn, valueIn, type Wrong } from './cronField.ts';
import type { DaysOfMonth, DaysOfWeek } from './dayRule.ts';
import { quoted } from './fault.ts';

type Report = (message: string) => void;
type Kept<Rule> = { -readonly [Key in Exclude<keyof Rule, 'by'>]: Rule[Key] extends readonly (infer Item)[] ? Item[] : never };

const inOrder = (values: readonly number[]): readonly number[] => [...new Set(values)].sort((one, other) => one - other);

/** The entries of dayOfMonth: what every field may hold, and `L`, `L-3`, `15W`, `LW`, `L-3W`. */
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

/** The entries of dayOfWeek: what every field may hold, and `L` (Saturday), `5L` (the last Thursday), `6#3` (the third Friday). */
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
