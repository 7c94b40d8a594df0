/** The Gregorian calendar as integers: days are counted from 1970-01-01, weekdays from 1, a Sunday, to 7, a Saturday. */
type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

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

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

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

/**
 * A time zone as the list of its offsets from 1970 to 2100, in seconds: offset i holds from `since[i]` to `since[i + 1]`. Outside these
 * years the first and the last offset go on. `shown[i]` is the latest time its clocks have come to by the end of stretch i, exclusive;
 * it never falls, although clocks are put back.
 */
type Zone = { readonly since: Float64Array; readonly offset: Float64Array; readonly shown: Float64Array };

const FROM_MS = Date.UTC(1969, 11, 30);
const TO_MS = Date.UTC(2100, 0, 3);
// A zone changes its clocks about twice a year; the busiest one four times.
const CHANGES_MAX = 2000;
// Names come in any letter case, so the number of spellings has no natural end.
const ZONES_MAX = 1000;

const zones = new Map<string, Zone>();

/** The zone of an IANA name; made once, in about 2 ms. A name that does not exist is a fault of the program: see `isZone`. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const made = createZone(name);
  if (zones.size >= ZONES_MAX) zones.clear();
  zones.set(name, made);
  return made;
}

/** Whether a string names a time zone. */
export function isZone(name: string): boolean {
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

function createZone(name: string): Zone {
  let moment = Temporal.Instant.fromEpochMilliseconds(FROM_MS).toZonedDateTimeISO(name);
  const [since, offset] = [[-Infinity], [moment.offsetNanoseconds / 1e9]];
  for (let count = 0; count < CHANGES_MAX; count += 1) {
    const change = moment.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > TO_MS) break;
    since.push(change.epochMilliseconds / 1000);
    offset.push(change.offsetNanoseconds / 1e9);
    moment = change;
  }
  const shown: number[] = [];
  for (let at = 0; at < since.length; at += 1)
    shown.push(Math.max(shown[at - 1] ?? -Infinity, (since[at + 1] ?? Infinity) + (offset[at] as number)));
  return { since: Float64Array.from(since), offset: Float64Array.from(offset), shown: Float64Array.from(shown) };
}

/** The first place whose value is greater, in a list that never falls. */
function firstAbove(list: Float64Array, value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The local time at an instant, both in whole seconds. */
export function clockAt(zone: Zone, instant: number): number {
  return instant + (zone.offset[firstAbove(zone.since, instant) - 1] as number);
}

/** The latest time the clocks have shown up to an instant: while an hour is repeated it stays at the end of that hour. */
export function shownUpTo(zone: Zone, instant: number): number {
  const at = firstAbove(zone.since, instant) - 1;
  const now = instant + (zone.offset[at] as number);
  return at === 0 ? now : Math.max(now, (zone.shown[at - 1] as number) - 1);
}

/**
 * The first instant at which the clocks show this time or a later one. That one sentence is the rule for every change of clocks: a time
 * that is skipped comes at the first instant after the gap, one that comes twice is taken the first time.
 */
export function instantOf(zone: Zone, clock: number): number {
  const at = firstAbove(zone.shown, clock);
  return Math.max(zone.since[at] as number, clock - (zone.offset[at] as number));
}
