import type { Payment } from '../payments/payment.ts';
import { type Base, type Projected, project } from '../payments/project.ts';
import type { Schedule } from '../payments/schedule.ts';
import { instantText } from '../spec/dates.ts';
import { describe } from './describe.ts';
import { NEVER } from './period.ts';
import { jobOf, timetableOf } from './scheduleRequest.ts';
import { nextDues, type Timetable } from './timetable.ts';

/** How many of its next runs are told of a plan. */
export const RUNS_SHOWN = 5;

/** A job with every default filled in, in the order of the documents. */
export function jobShown(fields: Schedule['fields'], { expression }: Timetable): Readonly<Record<string, string>> {
  const sent = Object.fromEntries(Object.entries(jobOf(fields)).map(([name, text]) => [name.slice('job.'.length), text ?? '']));
  const { name, expression: whole, ...others } = sent;
  return {
    ...(name !== undefined && { name }),
    ...others,
    ...expression.texts,
    ...(whole !== undefined && { expression: whole }),
  };
}

/** What is told of when a job runs. */
export const timesShown = (timetable: Timetable, asked: { readonly after: number; readonly until?: number }) => ({
  timeZone: timetable.period.zone,
  description: describe(timetable.expression),
  nextRuns: nextDues(timetable, { ...asked, count: RUNS_SHOWN }).map(instantText),
});

export type ScheduleReplyContext = { readonly base: Base; readonly zone: string; readonly now: number };

/** The answer of the API for a transaction about a plan, as the plan is now. */
export function projectSchedule(payment: Payment, plan: Schedule, { base, zone, now }: ScheduleReplyContext): Projected {
  const { status, body } = project(payment, base);
  const { buildNumber, timestamp, ndc, standingInstruction, job: _, ...shown } = body;
  const isHeld = plan.transactionId === payment.id || payment.paymentType === 'DS';
  const fields = isHeld ? plan.fields : payment.fields;
  const timetable = timetableOf({ fields, since: isHeld ? plan.since : payment.createdAt }, zone);
  const after = plan.regularAt === null ? now : Math.min(now, plan.regularAt - 1);
  const times = timesShown(timetable, { after, ...(plan.endsAt !== null && { until: plan.endsAt }) });
  const isActive = isHeld && plan.state !== 'over';
  return {
    status,
    body: {
      ...shown,
      job: jobShown(fields, timetable),
      plan: {
        id: plan.id,
        active: isActive,
        state: isHeld ? plan.state : 'over',
        ...times,
        nextRuns: isActive ? times.nextRuns : [],
        ...(plan.endsAt !== null && plan.endsAt < NEVER && { endsAt: instantText(plan.endsAt) }),
      },
      ...(standingInstruction !== undefined && { standingInstruction }),
      ...{ buildNumber, timestamp, ndc },
    },
  };
}
