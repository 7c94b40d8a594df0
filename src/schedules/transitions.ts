import type { Schedule, ScheduleCharge } from '../payments/schedule.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { endAfterCancellation } from './period.ts';
import { nextDue, type Timetable } from './timetable.ts';

/** The outcome of an open charge is checked again after this time. */
export const CHECK_MS = 5 * MINUTE_MS;

/** The schedule after a change, with the time of its next step. */
export function reviseSchedule(schedule: Schedule, change: Partial<Schedule>, now: number): Schedule {
  const { regularAt, charge, state } = { ...schedule, ...change };
  const chargeAt = charge && (charge.againAt ?? now + CHECK_MS);
  const soonest = Math.min(regularAt ?? Number.POSITIVE_INFINITY, chargeAt ?? Number.POSITIVE_INFINITY);
  const isOver = state === 'over' || soonest === Number.POSITIVE_INFINITY;
  return {
    ...schedule,
    ...change,
    ...(isOver ? { state: 'over', regularAt: null, charge: null, nextAt: null } : { nextAt: soonest }),
    movedAt: now,
    revision: schedule.revision + 1,
  };
}

/** The schedule after a charge was taken for the instant. */
export function afterCharge(
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule {
  const { dueAt, now } = run;
  const isRetry = schedule.charge !== null && schedule.charge.againAt === dueAt;
  const before: Pick<ScheduleCharge, 'dueAt' | 'tries' | 'firstTriedAt'> =
    isRetry && schedule.charge ? schedule.charge : { dueAt, tries: 0, firstTriedAt: now };
  return reviseSchedule(
    schedule,
    {
      regularAt: isRetry ? schedule.regularAt : nextDue(timetable, dueAt, schedule.endsAt ?? undefined),
      // The commit adds the id of the payment.
      charge: { ...before, paymentId: '', tries: before.tries + 1, againAt: null },
    },
    now,
  );
}

/** The schedule after a skipped run. */
export const afterSkip = (
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule =>
  reviseSchedule(schedule, { regularAt: nextDue(timetable, run.dueAt, schedule.endsAt ?? undefined), charge: null }, run.now);

/**
 * The schedule after a cancellation. Inside the notice period it goes on until it may end. Runs that are due before that are still charged;
 * declined charges are not retried.
 */
export function afterCancellation(schedule: Schedule, timetable: Timetable, now: number): Schedule {
  const endsAt = Math.min(endAfterCancellation(timetable.period, now), schedule.endsAt ?? Number.POSITIVE_INFINITY);
  const regularAt = schedule.regularAt !== null && schedule.regularAt < endsAt ? schedule.regularAt : null;
  return reviseSchedule(schedule, { state: regularAt === null ? 'over' : 'ending', endsAt, regularAt, charge: null }, now);
}
