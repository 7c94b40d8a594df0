import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';

/** A calendar day, `yyyy-MM-dd`. Days compare as texts. */
export type Day = string;

export const dayAt = (at: number): Day => (Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 10));
const midnightOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
export const addDays = (day: Day, days: number): Day => dayAt(midnightOf(day) + days * DAY_MS);
export const daysBetween = (from: Day, to: Day): number => Math.round((midnightOf(to) - midnightOf(from)) / DAY_MS);

/** The same day so many months later; the last day of the month where it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

const easters = new Map<number, Day>();

/** Easter Sunday of a year of the Gregorian calendar. */
export function easterOf(year: number): Day {
  const easter = easters.get(year) ?? computeEaster(year);
  easters.set(year, easter);
  return easter;
}

function computeEaster(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const skipped = Math.floor(century / 4);
  const moonOrbit = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - skipped - moonOrbit + 15) % 30;
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + skipped) % 7;
  return addDays(`${String(year).padStart(4, '0')}-03-28`, moon - weekday);
}

const FIXED_HOLIDAYS = ['01-01', '05-01', '12-25', '12-26'];

/** Whether TARGET settles: not on Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December. */
export function isTargetDay(day: Day): boolean {
  const weekday = new Date(midnightOf(day)).getUTCDay();
  if (weekday === 0 || weekday === 6 || FIXED_HOLIDAYS.includes(day.slice(5))) return false;
  const easter = easterOf(Number(day.slice(0, 4)));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** The day itself, or the next one on which TARGET settles. */
export function nextTargetDay(day: Day): Day {
  let next = day;
  while (!isTargetDay(next)) next = addDays(next, 1);
  return next;
}

/** So many TARGET days after a day, or before it where `days` is negative. The day itself need not be one. */
export function addTargetDays(day: Day, days: number): Day {
  const step = days < 0 ? -1 : 1;
  let [moved, left] = [day, Math.abs(days)];
  while (left > 0) {
    moved = addDays(moved, step);
    if (isTargetDay(moved)) left -= 1;
  }
  return moved;
}

/** Frankfurt is an hour ahead of UTC, and two from the last Sunday of March to the last Sunday of October, each at 01:00 UTC. */
export function frankfurtOffsetMs(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= lastSunday(year, 2) + HOUR_MS && at < lastSunday(year, 9) + HOUR_MS;
  return isSummer ? 2 * HOUR_MS : HOUR_MS;
}

function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month + 1, 0);
  return last - new Date(last).getUTCDay() * DAY_MS;
}

/** The calendar day in Frankfurt. */
export const frankfurtDay = (at: number): Day => dayAt(at + frankfurtOffsetMs(at));

/** The instant of a time of day (`HH:MM`) in Frankfurt. No cut-off lies in the hour in which the clocks change. */
export function frankfurtInstant(day: Day, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const utc = midnightOf(day) + hours * HOUR_MS + minutes * MINUTE_MS;
  return utc - frankfurtOffsetMs(utc - HOUR_MS);
}
