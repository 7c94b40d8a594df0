import { bothDaysFault, type CronExpression, readExpression } from './expression.ts';
import { isFaulty, type JobFault, type JobFaults, type JobFields, textOf } from './fault.ts';
import { isSubMinute, nextRun } from './nextRun.ts';
import { endsAt, type Period } from './period.ts';
import { readPeriod } from './readPeriod.ts';

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
