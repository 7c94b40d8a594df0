import { clockAt, DAY_SECONDS, dayNumber, instantOf, monthLength, plusMonths, zoneOf } from './calendar.ts';
import { numberIn } from './dayRule.ts';
import { type JobFault, type JobFaults, type JobFields, type JobName, quoted, textOf } from './fault.ts';

const SPAN_UNITS = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
type SpanUnit = (typeof SPAN_UNITS)[number];

/** A length of time in calendar units: days and longer follow the clock of the zone, hours and shorter are exact. */
type Span = { readonly number: number; readonly unit: SpanUnit };

/** `ANYTIME`: the job ends so long after notice was given. `DURATION_END`: it ends with a term, if notice came so long before. */
type Notice = Span & { readonly callable: 'ANYTIME' | 'DURATION_END' };

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
type Term = {
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

type Report = (field: JobName, code: JobFault['code'], message: string) => void;

/**
 * Reads startDate, endDate, duration and notice of a job. Without startDate it starts when it was made. The second of endDate belongs to
 * the job; a term ends just before the instant at which the next one begins. Notice counts from the end of a term unless
 * noticeCallable says otherwise or there are no terms.
 */
export function readPeriod(fields: JobFields, made: { readonly zone: string; readonly createdAt: number }): Period | JobFaults {
  const faults: JobFault[] = [];
  const report: Report = (field, code, message) => faults.push({ field, code, message: `${field.slice(4)}: ${message}` });
  const clocks = zoneOf(made.zone);
  const start = clockIn(fields, 'job.startDate', report);
  const end = clockIn(fields, 'job.endDate', report);
  if (start !== null && end !== null && end < start) report('job.endDate', '100.250.120', 'it lies before startDate');
  const notice = noticeIn(fields, report);
  const duration = spanIn(fields, 'duration', report);
  if (duration?.number === 0) report('job.durationNumber', '100.250.106', 'a job cannot last 0 of anything');
  if (notice !== null && duration === null && textOf(fields, 'job.noticeCallable') === 'DURATION_END')
    report('job.durationNumber', '100.250.106', 'noticeCallable DURATION_END needs a duration');
  if (faults.length > 0) return { faults };
  return {
    zone: made.zone,
    startsAt: start === null ? made.createdAt : instantOf(clocks, start) * 1000,
    startsOn: start ?? clockAt(clocks, Math.floor(made.createdAt / 1000)),
    closesAt: end === null ? NEVER : (instantOf(clocks, end) + 1) * 1000,
    duration,
    notice: notice !== null && duration === null ? { ...notice, callable: 'ANYTIME' } : notice,
  };
}

/** `yyyy-MM-dd HH:mm:ss` as seconds on the clock since 1970. */
function clockIn(fields: JobFields, name: 'job.startDate' | 'job.endDate', report: Report): number | null {
  const text = textOf(fields, name);
  if (text === null) return null;
  const clock = clockOf(text);
  if (clock === null) report(name, '100.250.120', `${quoted(text)} is not a date and time, yyyy-MM-dd HH:mm:ss`);
  return clock;
}

const SHAPE = '0000-00-00 00:00:00';

function clockOf(text: string): number | null {
  if (text.length !== SHAPE.length || [...SHAPE].some((sign, at) => sign !== '0' && sign !== text[at])) return null;
  const part = (from: number, length: number, least: number, most: number) =>
    numberIn(text.slice(from, from + length), least, most);
  const [year, month, day] = [part(0, 4, 1900, 2099), part(5, 2, 1, 12), part(8, 2, 1, 31)];
  const [hour, minute, second] = [part(11, 2, 0, 23), part(14, 2, 0, 59), part(17, 2, 0, 59)];
  if (year === null || month === null || day === null || hour === null || minute === null || second === null) return null;
  if (day > monthLength(year, month)) return null;
  return dayNumber(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}

/** Number and unit belong together; up to sixteen digits, of which a number keeps about the first fifteen: by then it is never. */
function spanIn(fields: JobFields, kind: 'duration' | 'notice', report: Report): Span | null {
  const code = kind === 'duration' ? '100.250.106' : '100.250.107';
  const [number, unit] = [textOf(fields, `job.${kind}Number`), textOf(fields, `job.${kind}Unit`)];
  if (number === null && unit === null) return null;
  if (number === null) report(`job.${kind}Number`, code, `${kind}Unit needs it`);
  if (unit === null) report(`job.${kind}Unit`, code, `${kind}Number needs it`);
  const count = number === null ? null : numberIn(number, 0, 1e16);
  const known = SPAN_UNITS.find((name) => name === unit);
  if (number !== null && count === null)
    report(`job.${kind}Number`, code, `${quoted(number)} is not a whole number of up to 16 digits`);
  if (unit !== null && known === undefined)
    report(`job.${kind}Unit`, code, `${quoted(unit)} is not one of ${SPAN_UNITS.join(', ')}`);
  return count === null || known === undefined ? null : { number: count, unit: known };
}

function noticeIn(fields: JobFields, report: Report): Notice | null {
  const callable = textOf(fields, 'job.noticeCallable');
  if (callable !== null && callable !== 'ANYTIME' && callable !== 'DURATION_END')
    report('job.noticeCallable', '100.250.107', `${quoted(callable)} is not ANYTIME or DURATION_END`);
  if (callable !== null && textOf(fields, 'job.noticeNumber') === null && textOf(fields, 'job.noticeUnit') === null)
    report('job.noticeNumber', '100.250.107', 'noticeCallable needs noticeNumber and noticeUnit');
  const span = spanIn(fields, 'notice', report);
  return span === null ? null : { ...span, callable: callable === 'ANYTIME' ? 'ANYTIME' : 'DURATION_END' };
}
