import { DAY_SECONDS, dateOf, dayNumber, instantOf, monthLength, shownUpTo, weekdayOf, zoneOf } from './calendar.ts';
import { maskOf } from './dayRule.ts';
import { allowedFrom, bothDaysFault, type CronExpression, readExpression } from './expression.ts';
import { isFaulty, type JobFault, type JobFaults, type JobFields, textOf } from './fault.ts';
import { endsAt, type Period, readPeriod } from './period.ts';

/** When a job runs: its expression within its period. It is read from the stored fields each time. */
export type Timetable = { readonly expression: CronExpression; readonly period: Period };

/** The time zone of a job, and the time of its request. */
type TimetableContext = { readonly zone: string; readonly createdAt: number };

/** Rules for a new job. Runs less than a minute apart are allowed for tests only, `*` in both day fields on lenient channels only. */
export type NewJobContext = TimetableContext & { readonly allowsSubMinute: boolean; readonly allowsBothDays: boolean };

/** Reads the timetable of a new job, or returns all its faults. A job that would never run is a fault. */
export function readTimetable(fields: JobFields, reading: NewJobContext): Timetable | JobFaults {
  const timetable = readStoredTimetable(fields, reading);
  if (isFaulty(timetable)) return timetable;
  const daysFault = reading.allowsBothDays ? null : bothDaysFault(fields);
  if (daysFault !== null) return { faults: [daysFault] };
  if (!reading.allowsSubMinute && isSubMinute(timetable.expression)) return { faults: [subMinuteFault(fields)] };
  return nextDue(timetable, reading.createdAt) === null ? { faults: [neverFault(fields)] } : timetable;
}

/** Reads the timetable of a stored job. It may have no run left, for example after its channel has changed its time zone. */
export function readStoredTimetable(fields: JobFields, context: TimetableContext): Timetable | JobFaults {
  const [expression, period] = [readExpression(fields), readPeriod(fields, context)];
  if (!isFaulty(expression) && !isFaulty(period)) return { expression, period };
  return { faults: [expression, period].flatMap((part) => (isFaulty(part) ? part.faults : [])) };
}

/** The first run of a job strictly after an instant; null when there is none before its end, or before `until` when that is sooner. */
export function nextDue({ expression, period }: Timetable, after: number, until = Number.POSITIVE_INFINITY): number | null {
  const next = nextRun(expression, Math.max(after, period.startsAt - 1), period.zone);
  return next === null || next >= Math.min(endsAt(period), until) ? null : next;
}

/** The next runs of a job in their order, at most `count`; `until` is the end of a cancelled job. */
export function nextDues(
  timetable: Timetable,
  query: { readonly after: number; readonly count: number; readonly until?: number },
): readonly number[] {
  const runs: number[] = [];
  for (let at: number | null = query.after; runs.length < query.count; ) {
    at = nextDue(timetable, at, query.until);
    if (at === null) break;
    runs.push(at);
  }
  return runs;
}

function subMinuteFault(fields: JobFields): JobFault {
  const field = textOf(fields, 'job.expression') === null ? 'job.second' : 'job.expression';
  return { field, code: '100.250.120', message: 'second: more than one, but a job may not run more often than once a minute' };
}

function neverFault(fields: JobFields): JobFault {
  const bounds = (['job.endDate', 'job.durationNumber', 'job.expression'] as const).filter(
    (name) => textOf(fields, name) !== null,
  );
  const field = bounds[0] ?? 'job.year';
  return { field, code: '100.250.120', message: `${field.slice(4)}: the job would never run, it is over before its first run` };
}

/** How many runs a job has left, at most `count`, and `job.endDate` that lets it end with the last of them. */
export type LastRun = { readonly runs: number; readonly at: number; readonly endDate: string } | null;

/** The last of so many runs after an instant; null: there is none. */
export function lastOfRuns(timetable: Timetable, query: { readonly after: number; readonly count: number }): LastRun {
  const runs = nextDues(timetable, query);
  const at = runs.at(-1);
  if (at === undefined) return null;
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timetable.period.zone).toPlainDateTime();
  return { runs: runs.length, at, endDate: local.toString({ smallestUnit: 'second' }).replace('T', ' ') };
}

/**
 * The first run strictly after an instant (both in milliseconds), or null when there is none until the end of 2099.
 *
 * A run is due at the first instant at which the clocks of the zone show its time or a later one (see `instantOf`). So runs inside a gap
 * collapse into one at its end, together with one that is due there anyway; and of a repeated hour every second runs once, the first time.
 * It follows that the next run is the first matching time later than all the clocks have shown so far.
 */
export function nextRun(expression: CronExpression, after: number, zone: string): number | null {
  if (Number.isNaN(after)) return null;
  const within = Math.min(Math.max(after, EARLIEST_MS), LATEST_MS);
  const clocks = zoneOf(zone);
  const next = nextMatch(expression, shownUpTo(clocks, Math.floor(within / 1000)) + 1);
  return next === null ? null : instantOf(clocks, next) * 1000;
}

// Two days beyond the years of an expression, because zones are up to 14 hours away from UTC.
const EARLIEST_MS = Date.UTC(1969, 11, 30);
const LATEST_MS = Date.UTC(2100, 0, 3);

/** The next runs in their order, at most `count` of them. */
export function nextRuns(
  expression: CronExpression,
  asked: { readonly after: number; readonly zone: string; readonly count: number },
): readonly number[] {
  const runs: number[] = [];
  for (let at: number | null = asked.after; runs.length < asked.count; ) {
    at = nextRun(expression, at, asked.zone);
    if (at === null) break;
    runs.push(at);
  }
  return runs;
}

/** Whether two runs can lie less than a minute apart. */
export const isSubMinute = (expression: CronExpression): boolean => expression.second.values.length > 1;

/** The first matching time on the clock from `clock` on; times are seconds since 1970-01-01 00:00:00 on the same clock. */
function nextMatch(expression: CronExpression, clock: number): number | null {
  const today = Math.floor(clock / DAY_SECONDS);
  if (isMatchingDay(expression, today)) {
    const time = timeFrom(expression, clock - today * DAY_SECONDS);
    if (time >= 0) return today * DAY_SECONDS + time;
  }
  const day = nextDay(expression, today + 1);
  return day === null ? null : day * DAY_SECONDS + timeFrom(expression, 0);
}

function isMatchingDay({ year, month, days }: CronExpression, today: number): boolean {
  const date = dateOf(today);
  if (allowedFrom(year, date.year) !== date.year || allowedFrom(month, date.month) !== date.month) return false;
  const mask = maskOf(days, monthLength(date.year, date.month), weekdayOf(today - date.day + 1));
  return (mask & (1 << (date.day - 1))) !== 0;
}

/** The first matching day from `from` on. Each turn is a later month, so there are at most 130 × 12 of them. */
function nextDay({ year: years, month: months, days }: CronExpression, from: number): number | null {
  let { year, month, day } = dateOf(from);
  for (;;) {
    const allowedYear = allowedFrom(years, year);
    if (allowedYear < 0) return null;
    if (allowedYear > year) [year, month, day] = [allowedYear, 1, 1];
    const allowedMonth = allowedFrom(months, month);
    if (allowedMonth < 0) {
      [year, month, day] = [year + 1, 1, 1];
      continue;
    }
    if (allowedMonth > month) [month, day] = [allowedMonth, 1];
    const first = dayNumber(year, month, 1);
    const rest = maskOf(days, monthLength(year, month), weekdayOf(first)) >>> (day - 1);
    // The number of zeros below the lowest bit is how many days lie before the next matching one.
    if (rest !== 0) return first + day - 1 + (31 - Math.clz32(rest & -rest));
    [month, day] = [month + 1, 1];
  }
}

/** The first matching second of a day from `from` on, or -1. */
function timeFrom({ hour, minute, second }: CronExpression, from: number): number {
  const [h, m, s] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60];
  const first = (minute.values[0] as number) * 60 + (second.values[0] as number);
  if (allowedFrom(hour, h) === h) {
    const sameMinute = allowedFrom(minute, m) === m ? allowedFrom(second, s) : -1;
    if (sameMinute >= 0) return h * 3600 + m * 60 + sameMinute;
    const later = allowedFrom(minute, m + 1);
    if (later >= 0) return h * 3600 + later * 60 + (second.values[0] as number);
  }
  const laterHour = allowedFrom(hour, h + 1);
  return laterHour < 0 ? -1 : laterHour * 3600 + first;
}
