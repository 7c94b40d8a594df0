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

const isRetry = ({ charge }: Schedule, dueAt: number): boolean => charge !== null && charge.againAt === dueAt;

/**
 * The regular run after the instant. A retry leaves it as it is: its own date says nothing about the timetable, and a clock that was
 * corrected may have put it before runs that are done.
 */
const regularAfter = (schedule: Schedule, timetable: Timetable, dueAt: number): number | null =>
  isRetry(schedule, dueAt) ? schedule.regularAt : nextDue(timetable, dueAt, schedule.endsAt ?? undefined);

/** The schedule after a charge was taken for the instant. */
export function afterCharge(
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule {
  const { dueAt, now } = run;
  const before: Pick<ScheduleCharge, 'dueAt' | 'tries' | 'firstTriedAt'> =
    isRetry(schedule, dueAt) && schedule.charge ? schedule.charge : { dueAt, tries: 0, firstTriedAt: now };
  return reviseSchedule(
    schedule,
    {
      regularAt: regularAfter(schedule, timetable, dueAt),
      // The commit adds the id of the payment.
      charge: { ...before, paymentId: '', tries: before.tries + 1, againAt: null },
    },
    now,
  );
}

/** The schedule after a run, or the retry of one, was skipped. */
export const afterSkip = (
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule => reviseSchedule(schedule, { regularAt: regularAfter(schedule, timetable, run.dueAt), charge: null }, run.now);

/**
 * The schedule after a cancellation. Inside the notice period it goes on until it may end. Runs that are due before that are still charged;
 * declined charges are not retried.
 */
export function afterCancellation(schedule: Schedule, timetable: Timetable, now: number): Schedule {
  const endsAt = Math.min(endAfterCancellation(timetable.period, now), schedule.endsAt ?? Number.POSITIVE_INFINITY);
  const regularAt = schedule.regularAt !== null && schedule.regularAt < endsAt ? schedule.regularAt : null;
  return reviseSchedule(schedule, { state: regularAt === null ? 'over' : 'ending', endsAt, regularAt, charge: null }, now);
}
