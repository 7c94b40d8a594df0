import { nextDues, type Timetable } from './timetable.ts';

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
