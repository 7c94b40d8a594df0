import type { Format } from '../row.ts';
import { createFormat, FULL_WIDTH_ONE } from './formats.ts';

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isCalendarDate(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number) as [number, number, number];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0));
}

const DATE = '(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
const realDate = (text: string): string | undefined => (isCalendarDate(text) ? text : undefined);

const goodDates = ['1900-01-01', '2000-02-29', '2024-02-29', '2031-12-31', '2099-12-31'];
const badDates = ['2031-02-30', '2023-02-29', '1900-02-29', '2031-04-31', '2031-13-01', '2031-00-10', '2031-01-00', '2031-01-32']
  .concat(
    '1899-12-31',
    '2100-01-01',
    '9999-12-31',
    '2031-1-1',
    '31-01-2031',
    '2031/01/31',
    '20310131',
    `2031-0${FULL_WIDTH_ONE}-01`,
  )
  .concat('2031-01-31T00:00:00', 'today');

/** A day that is in the calendar, of a year 19xx or 20xx. */
export const date: Format = createFormat(
  'yyyy-MM-dd',
  { source: DATE, scan: 'none', parse: realDate, message: 'must be a calendar date, yyyy-MM-dd, with a year 19xx or 20xx' },
  { good: goodDates, bad: badDates },
);

/** A day that is in the calendar with its time of day. */
export const timestamp: Format = createFormat(
  'yyyy-MM-dd HH:mm:ss',
  {
    source: `${DATE} ${TIME}`,
    scan: 'none',
    parse: realDate,
    message: 'must be a date and time, yyyy-MM-dd HH:mm:ss, with a year 19xx or 20xx',
  },
  {
    good: goodDates.flatMap((day) => [`${day} 00:00:00`, `${day} 23:59:59`]),
    bad: badDates
      .map((day) => `${day} 12:00:00`)
      .concat('2031-01-31 24:00:00', '2031-01-31 12:60:00', '2031-01-31 12:00:60', '2031-01-31 12:00', '2031-01-31')
      .concat('2031-01-31T12:00:00', '2031-01-31 12:00:00Z', '2031-01-31 1:00:00', '2031-01-31  12:00:00'),
  },
);

/** An instant in replies and webhook payloads, in UTC and without milliseconds: 2031-10-02 09:15:31+0000. */
export function instantText(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}+0000`;
}

/** The same with milliseconds, for lists of transactions: 2031-10-02 09:15:31.065+0000. */
export function instantTextFine(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}+0000`;
}

/** The instant of a date and time of a request, which are in UTC. */
export const instantOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** The day of an instant, in UTC: `2031-10-02`. */
export const dayText = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
