import type { Plan, Run } from '../payments/plan.ts';
import type { ScheduleRoom } from './change.ts';
import { moved } from './moves.ts';
import { nextDue, type Timetable } from './timetable.ts';

/** Instants that are caught up with at once: the rest has its turn a moment later. */
const MISSED_MAX = 500;

export type Due = { readonly dueAt: number; readonly now: number; readonly timetable: Timetable };

/** Of several instants that have passed only the last one is charged: the others are written down as missed. */
export async function caughtUp(
  room: Pick<ScheduleRoom, 'store'>,
  plan: Plan,
  { now, timetable }: Omit<Due, 'dueAt'>,
): Promise<Plan | null> {
  const missed: number[] = [];
  let regularAt = plan.regularAt;
  for (let count = 0; regularAt !== null && count < MISSED_MAX; count += 1) {
    const after = nextDue(timetable, regularAt, plan.endsAt ?? undefined);
    if (after === null || after > now) break;
    missed.push(regularAt);
    regularAt = after;
  }
  if (missed.length === 0) return plan;
  const runs = missed.map((dueAt) => skip(plan, { dueAt, now }, 'missed: a later run was due already'));
  return saved(room, moved(plan, { regularAt }, now), runs);
}

export const skip = (
  { id }: Plan,
  { dueAt, now }: Pick<Due, 'dueAt' | 'now'>,
  why: string,
): Run & { readonly skipped: string } => ({
  planId: id,
  dueAt,
  at: now,
  paymentId: null,
  skipped: why,
});

export async function saved(
  { store }: Pick<ScheduleRoom, 'store'>,
  plan: Plan,
  runs: readonly (Run & { readonly skipped: string })[] = [],
): Promise<Plan | null> {
  return (await store.savePlan(plan, runs)) ? plan : null;
}
