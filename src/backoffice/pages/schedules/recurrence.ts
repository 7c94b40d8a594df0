/** A recurrence as the form has it, its cron expression, and how its instants are shown. */

export const rhythms = ['monthly', 'weekly', 'daily', 'quarterly', 'yearly', 'custom'] as const;
export type Rhythm = (typeof rhythms)[number];

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

/** Days that every month has, and its last. */
export const monthDays = [...Array.from({ length: 28 }, (_, at) => String(at + 1)), 'L'];

export const months = Array.from({ length: 12 }, (_, at) => String(at + 1));

export type Recurrence = {
  readonly rhythm: Rhythm;
  /** `06:30`. */
  readonly time: string;
  readonly weekday: string;
  readonly day: string;
  /** Of a year, or the first one of every quarter: 1 to 3. */
  readonly month: string;
  /** The expression of the rhythm `custom`. */
  readonly custom: string;
};

export const firstRecurrence: Recurrence = {
  rhythm: 'monthly',
  time: '06:30',
  weekday: 'MON',
  day: '1',
  month: '1',
  custom: '',
};

/** The expression; null: it is not complete. */
export function cronOf({ rhythm, time, weekday, day, month, custom }: Recurrence): string | null {
  if (rhythm === 'custom') return custom.trim().replace(/\s+/g, ' ') || null;
  const [, hour, minute] = /^([0-9]{2}):([0-9]{2})/.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const at = `0 ${Number(minute)} ${Number(hour)}`;
  switch (rhythm) {
    case 'daily':
      return `${at} * * ?`;
    case 'weekly':
      return `${at} ? * ${weekday}`;
    case 'monthly':
      return `${at} ${day} * ?`;
    case 'quarterly':
      return `${at} ${day} ${month}/3 ?`;
    case 'yearly':
      return `${at} ${day} ${month} ?`;
  }
}

const two = (text: string): string => text.padStart(2, '0');

/** Where weeks begin with Sunday: 1. */
const weekdayOf = (text: string): string | undefined =>
  weekdays.find((name, at) => name === text || String(((at + 1) % 7) + 1) === text);

/** The recurrence of an expression; one that no rhythm has is custom. */
export function recurrenceOf(cron: string): Recurrence {
  const custom: Recurrence = { ...firstRecurrence, rhythm: 'custom', custom: cron };
  const [, minute, hour, day, month, week] = /^0 ([0-9]{1,2}) ([0-9]{1,2}) (\S+) (\S+) (\S+)(?: \*)?$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || week === undefined) return custom;
  const timed = { ...firstRecurrence, time: `${two(hour)}:${two(minute)}` };
  const weekday = weekdayOf(week);
  if (day === '?' && month === '*' && weekday !== undefined) return { ...timed, rhythm: 'weekly', weekday };
  if (week !== '?') return custom;
  if (day === '*' && month === '*') return { ...timed, rhythm: 'daily' };
  if (!monthDays.includes(day)) return custom;
  if (month === '*') return { ...timed, rhythm: 'monthly', day };
  const quarter = /^([123])\/3$/.exec(month)?.[1];
  if (quarter !== undefined) return { ...timed, rhythm: 'quarterly', day, month: quarter };
  return months.includes(month) ? { ...timed, rhythm: 'yearly', day, month } : custom;
}

/** Shows instants in the time zone of a schedule. */
export const timesIn = (locale: string, timeZone: string, dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle, timeStyle: 'medium' });
