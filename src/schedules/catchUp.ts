import type { Schedule, ScheduleRun } from '../payments/schedule.ts';
import type { ScheduleService } from './change.ts';
import { nextDue, type Timetable } from './timetable.ts';
import { reviseSchedule } from './transitions.ts';

/** Instants that are caught up with at once: the rest has its turn a moment later. */
const MISSED_MAX = 500;

export type DueRun = { readonly dueAt: number; readonly now: number; readonly timetable: Timetable };

/** Of several instants that have passed only the last one is charged: the others are written down as missed. */
export async function catchUp(
  service: Pick<ScheduleService, 'store'>,
  plan: Schedule,
  { now, timetable }: Omit<DueRun, 'dueAt'>,
): Promise<Schedule | null> {
  const missed: number[] = [];
  let regularAt = plan.regularAt;
  for (let count = 0; regularAt !== null && count < MISSED_MAX; count += 1) {
    const after = nextDue(timetable, regularAt, plan.endsAt ?? undefined);
    if (after === null || after > now) break;
    missed.push(regularAt);
    regularAt = after;
  }
  if (missed.length === 0) return plan;
  const runs = missed.map((dueAt) => skippedRun(plan, { dueAt, now }, 'missed: a later run was due already'));
  return saveSchedule(service, reviseSchedule(plan, { regularAt }, now), runs);
}

export const skippedRun = (
  { id }: Schedule,
  { dueAt, now }: Pick<DueRun, 'dueAt' | 'now'>,
  why: string,
): ScheduleRun & { readonly skipped: string } => ({
  scheduleId: id,
  dueAt,
  at: now,
  paymentId: null,
  skipped: why,
});

export async function saveSchedule(
  { store }: Pick<ScheduleService, 'store'>,
  plan: Schedule,
  runs: readonly (ScheduleRun & { readonly skipped: string })[] = [],
): Promise<Schedule | null> {
  return (await store.saveSchedule(plan, runs)) ? plan : null;
}
