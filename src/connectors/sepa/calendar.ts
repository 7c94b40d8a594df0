import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';

/** A calendar day, `yyyy-MM-dd`. Days compare as strings. */
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

/** Easter Sunday of a year of the Gregorian calendar. */
export function easterOf(year: number): Day {
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
function frankfurtOffsetMs(at: number): number {
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

/** The times that a bank has agreed with its customer. */
export type BankTimes = {
  /** A file that arrives later counts as that of the next TARGET day: `HH:MM` in Frankfurt. */
  readonly cutOff: string;
  /** Batches close so long before it. */
  readonly closeMinutes: number;
  /** TARGET days from the day of the file to the due date, at least. */
  readonly leadDays: number;
  /** Files are sent so many TARGET days earlier than they must. */
  readonly aheadDays: number;
  /** The payer is informed so many calendar days before the due date. */
  readonly noticeDays: number;
};

/** No bank takes a collection earlier than so many calendar days before its due date. */
const EARLIEST_DAYS = 14;
/** A due date further away is taken for a mistake. */
const DUE_DAYS_MAX = 400;

const closingOf = (day: Day, { cutOff, closeMinutes }: BankTimes): number =>
  frankfurtInstant(day, cutOff) - closeMinutes * MINUTE_MS;

/** The first TARGET day whose batch is still open at the instant. */
export function openDayAt(at: number, times: BankTimes): Day {
  const day = nextTargetDay(frankfurtDay(at));
  return closingOf(day, times) > at ? day : addTargetDays(day, 1);
}

/** The TARGET day to which the bank counts a file that arrives at the instant. */
export function fileDayAt(at: number, { cutOff }: Pick<BankTimes, 'cutOff'>): Day {
  const day = nextTargetDay(frankfurtDay(at));
  return frankfurtInstant(day, cutOff) > at ? day : addTargetDays(day, 1);
}

export type CollectionDates = {
  /** A TARGET day. */
  readonly dueOn: Day;
  /** The instant at which its batch closes. */
  readonly closesAt: number;
};

/**
 * When a collection falls due and when it is sent. A day that is too early for the bank or for the notice, or on which TARGET is closed,
 * moves to the next one that is possible. Null: the day is past or too far away.
 */
export function collectionDates(at: number, asked: Day | null, times: BankTimes): CollectionDates | null {
  const today = frankfurtDay(at);
  if (asked !== null && (asked < today || daysBetween(today, asked) > DUE_DAYS_MAX)) return null;
  const open = openDayAt(at, times);
  const [byBank, byNotice] = [addTargetDays(open, times.leadDays), addDays(today, times.noticeDays)];
  const earliest = byBank > byNotice ? byBank : byNotice;
  const dueOn = nextTargetDay(asked !== null && asked > earliest ? asked : earliest);
  return { dueOn, closesAt: closingOf(sendDay(dueOn, open, times), times) };
}

/** Whether a day leaves less notice than agreed, or cannot be reached by the bank any more. */
export function isTooSoon(at: number, asked: Day | null, times: BankTimes): boolean {
  const first = collectionDates(at, null, times);
  return asked !== null && first !== null && nextTargetDay(asked) < first.dueOn;
}

/** The TARGET day on which a collection is sent: as late as the settings allow, neither before the bank takes it nor too late. */
function sendDay(dueOn: Day, open: Day, { leadDays, aheadDays }: BankTimes): Day {
  const wanted = addTargetDays(dueOn, -(leadDays + aheadDays));
  const first = nextTargetDay(addDays(dueOn, -EARLIEST_DAYS));
  const day = wanted > first ? wanted : first;
  return day > open ? day : open;
}

/** A credit transfer leaves with the next batch and is executed on the day of its file. */
export function transferDates(at: number, times: BankTimes): CollectionDates {
  const day = openDayAt(at, times);
  return { dueOn: day, closesAt: closingOf(day, times) };
}

/** The due date that a file of this instant can still reach: its own one, or the first that is possible. */
export function reachableDay(dueOn: Day, fileAt: number, times: BankTimes, leadDays = times.leadDays): Day {
  const first = addTargetDays(fileDayAt(fileAt, times), leadDays);
  const day = dueOn > first ? dueOn : first;
  return isTargetDay(day) ? day : nextTargetDay(day);
}
