import type { NewOutboxEvent } from '../payments/ports.ts';
import type { Schedule } from '../payments/schedule.ts';
import type { ScheduleService } from './change.ts';
import type { SkippedRun } from './ports.ts';
import { nextDue, type Timetable } from './timetable.ts';
import { reviseSchedule } from './transitions.ts';

/** Missed runs recorded at once. The rest follows in the next step. */
const MISSED_MAX = 500;

export type DueRun = { readonly dueAt: number; readonly now: number; readonly timetable: Timetable };

/** Of several missed runs only the last one is charged. The others are recorded as skipped. */
export async function catchUp(
  service: Pick<ScheduleService, 'store'>,
  schedule: Schedule,
  { now, timetable }: Omit<DueRun, 'dueAt'>,
): Promise<Schedule | null> {
  const missed: number[] = [];
  let regularAt = schedule.regularAt;
  for (let count = 0; regularAt !== null && count < MISSED_MAX; count += 1) {
    const after = nextDue(timetable, regularAt, schedule.endsAt ?? undefined);
    if (after === null || after > now) break;
    missed.push(regularAt);
    regularAt = after;
  }
  if (missed.length === 0) return schedule;
  const runs = missed.map((dueAt) => skippedRun(schedule, { dueAt, now }, 'missed: a later run was due already'));
  return saveSchedule(service, reviseSchedule(schedule, { regularAt }, now), runs);
}

export const skippedRun = ({ id }: Schedule, { dueAt, now }: Pick<DueRun, 'dueAt' | 'now'>, why: string): SkippedRun => ({
  scheduleId: id,
  dueAt,
  at: now,
  paymentId: null,
  skipped: why,
});

export async function saveSchedule(
  { store }: Pick<ScheduleService, 'store'>,
  schedule: Schedule,
  runs: readonly SkippedRun[] = [],
  event: NewOutboxEvent | null = null,
): Promise<Schedule | null> {
  return (await store.saveSchedule(schedule, runs, event)) ? schedule : null;
}
