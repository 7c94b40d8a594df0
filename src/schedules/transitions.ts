import type { Schedule, ScheduleCharge } from '../payments/schedule.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { endAfterCancellation } from './period.ts';
import { nextDue, type Timetable } from './timetable.ts';

/** The outcome of a charge that is open, or whose process died, is looked at again after this. */
export const CHECK_MS = 5 * MINUTE_MS;

/** The plan after one change, with the instant at which somebody looks at it next. */
export function reviseSchedule(plan: Schedule, change: Partial<Schedule>, now: number): Schedule {
  const { regularAt, charge, state } = { ...plan, ...change };
  const chargeAt = charge && (charge.againAt ?? now + CHECK_MS);
  const soonest = Math.min(regularAt ?? Number.POSITIVE_INFINITY, chargeAt ?? Number.POSITIVE_INFINITY);
  const isOver = state === 'over' || soonest === Number.POSITIVE_INFINITY;
  return {
    ...plan,
    ...change,
    ...(isOver ? { state: 'over', regularAt: null, charge: null, nextAt: null } : { nextAt: soonest }),
    movedAt: now,
    revision: plan.revision + 1,
  };
}

/** A charge was taken for the instant: the plan goes on from there. */
export function afterCharge(
  plan: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule {
  const { dueAt, now } = run;
  const isAgain = plan.charge !== null && plan.charge.againAt === dueAt;
  const before: Pick<ScheduleCharge, 'dueAt' | 'tries' | 'firstTriedAt'> =
    isAgain && plan.charge ? plan.charge : { dueAt, tries: 0, firstTriedAt: now };
  return reviseSchedule(
    plan,
    {
      regularAt: isAgain ? plan.regularAt : nextDue(timetable, dueAt, plan.endsAt ?? undefined),
      // Whoever commits it knows the payment's id.
      charge: { ...before, paymentId: '', tries: before.tries + 1, againAt: null },
    },
    now,
  );
}

/** The plan without the instant: nothing was charged for it. */
export const afterSkip = (
  plan: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule =>
  reviseSchedule(plan, { regularAt: nextDue(timetable, run.dueAt, plan.endsAt ?? undefined), charge: null }, run.now);

/**
 * The plan after somebody cancelled it. Inside the notice it goes on until it may end; what was due before is still charged; what was
 * declined is not tried again.
 */
export function afterCancellation(plan: Schedule, timetable: Timetable, now: number): Schedule {
  const endsAt = Math.min(endAfterCancellation(timetable.period, now), plan.endsAt ?? Number.POSITIVE_INFINITY);
  const regularAt = plan.regularAt !== null && plan.regularAt < endsAt ? plan.regularAt : null;
  return reviseSchedule(plan, { state: regularAt === null ? 'over' : 'ending', endsAt, regularAt, charge: null }, now);
}
