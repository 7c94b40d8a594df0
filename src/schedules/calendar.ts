/** The Gregorian calendar as integers: days are counted from 1970-01-01, weekdays from 1, a Sunday, to 7, a Saturday. */
export type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

export const DAY_SECONDS = 86_400;

const DAYS_OF_400_YEARS = 146_097;
// From 0000-03-01, where the count of the formulas below starts, to 1970-01-01.
const DAYS_TO_1970 = 719_468;

/** The count of days at a date. Years are taken to begin in March, so that the leap day is the last day of a year. */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_OF_400_YEARS + dayOfEra - DAYS_TO_1970;
}

/** The date at a count of days. */
export function dateOf(days: number): CalendarDate {
  const shifted = days + DAYS_TO_1970;
  const era = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** The weekday at a count of days; 1970-01-01 was a Thursday. */
export function weekdayOf(days: number): number {
  const rest = (days + 4) % 7;
  return (rest < 0 ? rest + 7 : rest) + 1;
}

export const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export const monthLength = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] as number);

/** So many months later on the same day, or on the last day of a month that is too short for it. */
export function plusMonths(days: number, months: number): number {
  const { year, month, day } = dateOf(days);
  const count = year * 12 + (month - 1) + months;
  const [laterYear, laterMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  return dayNumber(laterYear, laterMonth, Math.min(day, monthLength(laterYear, laterMonth)));
}
