import type { Payment } from '../payments/payment.ts';
import { type Base, type Projected, project } from '../payments/reply/project.ts';
import type { Schedule } from '../payments/schedule.ts';
import { instantText } from '../spec/formats/dates.ts';
import { describe } from './describe.ts';
import { NEVER } from './period.ts';
import { jobOf, timetableOf } from './scheduleRequest.ts';
import { nextDues, type Timetable } from './timetable.ts';

/** The number of next runs in a reply. */
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

/** The times of a job in a reply. */
export const timesShown = (timetable: Timetable, range: { readonly after: number; readonly until?: number }) => ({
  timeZone: timetable.period.zone,
  description: describe(timetable.expression),
  nextRuns: nextDues(timetable, { ...range, count: RUNS_SHOWN }).map(instantText),
});

export type ScheduleReplyContext = { readonly base: Base; readonly zone: string; readonly now: number };

/** The API reply for a transaction of a schedule, with the present state of the schedule. */
export function projectSchedule(payment: Payment, schedule: Schedule, { base, zone, now }: ScheduleReplyContext): Projected {
  const { status, body } = project(payment, base);
  const { buildNumber, timestamp, ndc, standingInstruction, job: _, ...shown } = body;
  const isCurrent = schedule.transactionId === payment.id || payment.paymentType === 'DS';
  const fields = isCurrent ? schedule.fields : payment.fields;
  const timetable = timetableOf({ fields, since: isCurrent ? schedule.since : payment.createdAt }, zone);
  const after = schedule.regularAt === null ? now : Math.min(now, schedule.regularAt - 1);
  const times = timesShown(timetable, { after, ...(schedule.endsAt !== null && { until: schedule.endsAt }) });
  const isActive = isCurrent && schedule.state !== 'over';
  return {
    status,
    body: {
      ...shown,
      job: jobShown(fields, timetable),
      plan: {
        id: schedule.id,
        active: isActive,
        state: isCurrent ? schedule.state : 'over',
        ...times,
        nextRuns: isActive ? times.nextRuns : [],
        ...(schedule.endsAt !== null && schedule.endsAt < NEVER && { endsAt: instantText(schedule.endsAt) }),
      },
      ...(standingInstruction !== undefined && { standingInstruction }),
      buildNumber,
      timestamp,
      ndc,
    },
  };
}
