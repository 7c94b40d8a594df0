import type { Schedule } from '../../src/payments/schedule.ts';

/** When schedules are due, read from their texts in another way than the gateway's. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** What the merchants here ask for: every so many seconds, counted from midnight in UTC and so from 1970 on. */
export const rhythms: Readonly<Record<string, number>> = {
  '*/20 * * * * ?': 20 * SECOND_MS,
  '0,30 * * * * ?': 30 * SECOND_MS,
  '0 * * * * ? *': MINUTE_MS,
  '0 0/2 * * * ?': 2 * MINUTE_MS,
  '0 */5 * * * ?': 5 * MINUTE_MS,
};

/** Spans that the merchants use, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { SECOND: SECOND_MS, MINUTE: MINUTE_MS, HOUR: 60 * MINUTE_MS };

export const stepOf = ({ fields }: Schedule): number => rhythms[fields['job.expression'] ?? ''] ?? Number.NaN;

/** The first instant at which it is not due any more, as far as its own texts say. */
export const closesAt = ({ fields }: Schedule): number => Date.parse(`${fields['job.endDate']?.replace(' ', 'T')}Z`) + SECOND_MS;

function spanOf({ fields }: Schedule, kind: 'duration' | 'notice'): number | null {
  const number = fields[`job.${kind}Number`];
  return number === undefined ? null : Number(number) * (UNITS[fields[`job.${kind}Unit`] ?? ''] ?? Number.NaN);
}

/** When a plan ends that is cancelled at the instant. */
export function endOf(schedule: Schedule, cancelledAt: number): number {
  const [notice, duration] = [spanOf(schedule, 'notice'), spanOf(schedule, 'duration')];
  if (notice === null) return cancelledAt;
  if (duration === null || schedule.fields['job.noticeCallable'] === 'ANYTIME') return cancelledAt + notice;
  const inTime = Math.max(cancelledAt + notice - schedule.since, 1);
  return schedule.since + Math.ceil(inTime / duration) * duration;
}

/** The regular instants after one and before the other. */
export function instantsOf(stepMs: number, { after, before }: { readonly after: number; readonly before: number }): number[] {
  const found: number[] = [];
  for (let at = (Math.floor(after / stepMs) + 1) * stepMs; at < before; at += stepMs) found.push(at);
  return found;
}

/** The first regular instant after another. */
export const nextAfter = (stepMs: number, after: number): number => (Math.floor(after / stepMs) + 1) * stepMs;

/** An instant as the job's dates are written. */
export const dateText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
