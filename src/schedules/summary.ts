import { instantShown } from '../payments/paymentView.ts';
import type { Schedule } from '../payments/schedule.ts';
import type { SeenSchedule } from '../spec/answers/stored.ts';
import { describe } from './describe.ts';
import { describeGerman } from './describeGerman.ts';
import { isFaulty } from './fault.ts';
import { NEVER } from './period.ts';
import { jobOf } from './scheduleRequest.ts';
import { nextDues, readStoredTimetable, type Timetable } from './timetable.ts';

const describers = { en: describe, de: describeGerman } as const;

export type ScheduleView = { readonly zone: string; readonly language: keyof typeof describers };

/** When a plan is due; null when it makes no sense any more, which shall keep nobody from looking at it. */
export function timetableView({ fields, since }: Pick<Schedule, 'fields' | 'since'>, zone: string): Timetable | null {
  const timetable = readStoredTimetable(jobOf(fields), { zone, createdAt: since });
  return isFaulty(timetable) ? null : timetable;
}

/** A plan in a list of the back office. */
export function scheduleView(plan: Schedule, { zone, language }: ScheduleView): SeenSchedule {
  const { fields } = plan;
  const timetable = timetableView(plan, zone);
  return {
    ...{ id: plan.id, merchantId: plan.merchantId, entityId: plan.entityId, state: plan.state, timeZone: zone },
    name: fields['job.name'] ?? null,
    amount: fields.amount ?? null,
    currency: fields.currency ?? null,
    words: timetable ? describers[language](timetable.expression) : '',
    nextAt: plan.regularAt === null ? null : instantShown(plan.regularAt),
    registrationId: plan.registrationId,
    createdAt: instantShown(plan.createdAt),
  };
}

/** The next runs of a plan, the one that is due now first. */
export function runsAhead(
  plan: Schedule,
  zone: string,
  { now, count }: { readonly now: number; readonly count: number },
): readonly string[] {
  const timetable = timetableView(plan, zone);
  if (!timetable || plan.state === 'over' || plan.regularAt === null) return [];
  const after = Math.min(now, plan.regularAt - 1);
  return nextDues(timetable, { after, count, ...(plan.endsAt !== null && { until: plan.endsAt }) }).map(instantShown);
}

/** The seven fields of its expression. */
export function expressionOf(plan: Schedule, zone: string): string {
  const texts = timetableView(plan, zone)?.expression.texts;
  if (!texts) return '';
  const { second, minute, hour, dayOfMonth, month, dayOfWeek, year } = texts;
  return [second, minute, hour, dayOfMonth, month, dayOfWeek, year].join(' ');
}

export const endShown = ({ endsAt }: Schedule): string | null =>
  endsAt === null || endsAt >= NEVER ? null : instantShown(endsAt);
