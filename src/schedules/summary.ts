import { instantShown } from '../payments/reply/paymentView.ts';
import type { Schedule } from '../payments/schedule.ts';
import type { ListedSchedule } from '../spec/answers/stored.ts';
import { describe } from './describe.ts';
import { describeGerman } from './describeGerman.ts';
import { isFaulty } from './fault.ts';
import { NEVER } from './period.ts';
import { jobOf } from './scheduleRequest.ts';
import { nextDues, readStoredTimetable, type Timetable } from './timetable.ts';

const describers = { en: describe, de: describeGerman } as const;

/** When a job runs, as a sentence. */
export const describeIn = (language: keyof typeof describers, { expression }: Timetable): string =>
  describers[language](expression);

export type ScheduleView = { readonly zone: string; readonly language: keyof typeof describers };

/** The timetable of a schedule; null when it is no longer valid, so that the schedule can still be shown. */
export function timetableView({ fields, since }: Pick<Schedule, 'fields' | 'since'>, zone: string): Timetable | null {
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
