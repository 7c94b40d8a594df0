import { DAY_SECONDS, plusMonths } from './calendar.ts';
import { clockAt, instantOf, zoneOf } from './zone.ts';

export const SPAN_UNITS = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
export type SpanUnit = (typeof SPAN_UNITS)[number];

/** A length of time in calendar units: days and longer follow the clock of the zone, hours and shorter are exact. */
export type Span = { readonly number: number; readonly unit: SpanUnit };

/** `ANYTIME`: the job ends so long after notice was given. `DURATION_END`: it ends with a term, if notice came so long before. */
export type Notice = Span & { readonly callable: 'ANYTIME' | 'DURATION_END' };

/** When a job may run; instants are milliseconds. */
export type Period = {
  readonly zone: string;
  /** The first instant at which the job may run. */
  readonly startsAt: number;
  /** The same as the clock of the zone shows it, in seconds: terms are counted from here. */
  readonly startsOn: number;
  /** The first instant after `job.endDate`, or NEVER. */
  readonly closesAt: number;
  readonly duration: Span | null;
  readonly notice: Notice | null;
};

/** One duration of a job: it may run from `startsAt` until just before `endsAt`. */
export type Term = {
  /** Counted from 1. */
  readonly number: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** The last instant at which notice ends the job with this term; null where notice does not depend on terms. */
  readonly noticeBy: number | null;
};

/** The end of what has none: later than every other instant, and a whole number that JSON and databases hold. */
export const NEVER = 8_640_000_000_000_000;

// A later end is no end; sixteen digits of years have no date.
const YEARS_MAX = 8000;

const MONTHS: Readonly<Partial<Record<SpanUnit, number>>> = { YEAR: 12, MONTH: 1 };
const SECONDS: Readonly<Record<SpanUnit, number>> = {
  YEAR: 366 * DAY_SECONDS,
  MONTH: 31 * DAY_SECONDS,
  WEEK: 7 * DAY_SECONDS,
  DAY: DAY_SECONDS,
  HOUR: 3600,
  MINUTE: 60,
  SECOND: 1,
};

/**
 * The instant from which the job does not run any more, unless it is cancelled: after its endDate, or after its duration.
 *
 * A duration without a notice is a fixed term: the job ends with it. A duration with a notice is prolonged: after each term the next one
 * begins, until notice is given or endDate comes. Without both, the job has no end.
 */
export function endsAt(period: Period): number {
  const term = period.duration !== null && period.notice === null ? termEnd(period, 1) : NEVER;
  return Math.min(period.closesAt, term);
}

/** Whether the job may run at an instant. */
export const mayRunAt = (period: Period, at: number): boolean => at >= period.startsAt && at < endsAt(period);

/**
 * The instant from which a cancelled job does not run any more.
 *
 * Without a notice it is the cancellation itself. With `ANYTIME` it is the notice later. With `DURATION_END` it is the end of the first
 * term for which the cancellation is in time, that is, at least the notice before that end: inside the notice of the running term it
 * is the end of the next one. A job that has not begun is in its first term. Nothing goes on beyond endDate.
 */
export function endAfterCancellation(period: Period, cancelledAt: number): number {
  return Math.min(endsAt(period), endByNotice(period, cancelledAt));
}

function endByNotice(period: Period, cancelledAt: number): number {
  const { notice, duration } = period;
  if (notice === null) return cancelledAt;
  if (notice.callable === 'ANYTIME' || duration === null) return shifted(period.zone, cancelledAt, notice);
  const term = firstTerm(period, (number) => noticeDeadline(period, notice, number) >= cancelledAt);
  return term === null ? NEVER : termEnd(period, term);
}

/** The term an instant lies in; null without a duration, before the start and after the end. */
export function termAt(period: Period, at: number): Term | null {
  const { duration, notice } = period;
  if (duration === null || !mayRunAt(period, at)) return null;
  const number = firstTerm(period, (candidate) => termEnd(period, candidate) > at);
  if (number === null) return null;
  return {
    number,
    startsAt: number === 1 ? period.startsAt : termEnd(period, number - 1),
    endsAt: termEnd(period, number),
    noticeBy: notice?.callable === 'DURATION_END' ? noticeDeadline(period, notice, number) : null,
  };
}

/** Counted from the start and not from term to term, so that after a short February the 31st comes back. */
function termEnd({ zone, startsAt, startsOn, duration }: Period, number: number): number {
  return duration === null ? NEVER : plus({ zone, instant: startsAt, clock: startsOn }, duration, number);
}

function noticeDeadline(period: Period, notice: Notice, number: number): number {
  const end = termEnd(period, number);
  return end === NEVER ? NEVER : shifted(period.zone, end, notice, -1);
}

/** The smallest number of a term that fits, where every later one fits too. Doubling, then halving: some hundred steps at most. */
function firstTerm(period: Period, fits: (number: number) => boolean): number | null {
  let high = 1;
  while (!fits(high)) {
    if (termEnd(period, high) === NEVER) return null;
    high *= 2;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function shifted(zone: string, instant: number, span: Span, times = 1): number {
  const whole = Math.floor(instant / 1000);
  return plus({ zone, instant, clock: clockAt(zoneOf(zone), whole) + (instant / 1000 - whole) }, span, times);
}

type Moment = { readonly zone: string; readonly instant: number; readonly clock: number };

/** So many spans after a moment, or before it. */
function plus({ zone, instant, clock }: Moment, { number, unit }: Span, times: number): number {
  const count = number * times;
  if (Math.abs(count) * SECONDS[unit] > YEARS_MAX * SECONDS.YEAR) return count < 0 ? -NEVER : NEVER;
  const months = MONTHS[unit];
  if (months === undefined && SECONDS[unit] < DAY_SECONDS) return instant + count * SECONDS[unit] * 1000;
  const day = Math.floor(clock / DAY_SECONDS);
  const later = months === undefined ? day + (count * SECONDS[unit]) / DAY_SECONDS : plusMonths(day, count * months);
  const whole = Math.floor(clock);
  return instantOf(zoneOf(zone), later * DAY_SECONDS + (whole - day * DAY_SECONDS)) * 1000 + Math.round((clock - whole) * 1000);
}
