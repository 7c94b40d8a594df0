import type { Payment } from '../payments/payment.ts';
import { instantShown } from '../payments/reply/paymentView.ts';
import { type Base, type Projected, project } from '../payments/reply/project.ts';
import type { Schedule } from '../payments/schedule.ts';
import type { ListedSchedule } from '../spec/answers/stored.ts';
import { instantText } from '../spec/formats/dates.ts';
import { describe } from './describe.ts';
import { describeGerman } from './describeGerman.ts';
import { isFaulty } from './fault.ts';
import { NEVER } from './period.ts';
import { jobOf, timetableOf } from './scheduleRequest.ts';
import { nextDues, readStoredTimetable, type Timetable } from './timetable.ts';

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

type ScheduleReplyContext = { readonly base: Base; readonly zone: string; readonly now: number };

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

const describers = { en: describe, de: describeGerman } as const;

/** When a job runs, as a sentence. */
export const describeIn = (language: keyof typeof describers, { expression }: Timetable): string =>
  describers[language](expression);

type ScheduleView = { readonly zone: string; readonly language: keyof typeof describers };

/** The timetable of a schedule; null when it is no longer valid, so that the schedule can still be shown. */
function timetableView({ fields, since }: Pick<Schedule, 'fields' | 'since'>, zone: string): Timetable | null {
  const timetable = readStoredTimetable(jobOf(fields), { zone, createdAt: since });
  return isFaulty(timetable) ? null : timetable;
}

/** A schedule in a list of the back office. */
export function scheduleView(schedule: Schedule, { zone, language }: ScheduleView): ListedSchedule {
  const { fields } = schedule;
  const timetable = timetableView(schedule, zone);
  return {
    id: schedule.id,
    merchantId: schedule.merchantId,
    entityId: schedule.entityId,
    state: schedule.state,
    timeZone: zone,
    name: fields['job.name'] ?? null,
    amount: fields.amount ?? null,
    currency: fields.currency ?? null,
    words: timetable ? describeIn(language, timetable) : '',
    nextAt: schedule.regularAt === null ? null : instantShown(schedule.regularAt),
    registrationId: schedule.registrationId,
    createdAt: instantShown(schedule.createdAt),
  };
}

/** The next runs of a schedule, the one that is due now first. */
export function runsAhead(
  schedule: Schedule,
  zone: string,
  { now, count }: { readonly now: number; readonly count: number },
): readonly string[] {
  const timetable = timetableView(schedule, zone);
  if (!timetable || schedule.state === 'over' || schedule.regularAt === null) return [];
  const after = Math.min(now, schedule.regularAt - 1);
  return nextDues(timetable, { after, count, ...(schedule.endsAt !== null && { until: schedule.endsAt }) }).map(instantShown);
}

/** The seven fields of its expression. */
export function expressionOf(schedule: Schedule, zone: string): string {
  const texts = timetableView(schedule, zone)?.expression.texts;
  if (!texts) return '';
  const { second, minute, hour, dayOfMonth, month, dayOfWeek, year } = texts;
  return [second, minute, hour, dayOfMonth, month, dayOfWeek, year].join(' ');
}

export const endShown = ({ endsAt }: Schedule): string | null =>
  endsAt === null || endsAt >= NEVER ? null : instantShown(endsAt);
