import { DAY_SECONDS, dayNumber, monthLength } from './calendar.ts';
import { numberIn } from './cronField.ts';
import { type JobFault, type JobFaults, type JobFields, type JobName, quoted, textOf } from './fault.ts';
import { NEVER, type Notice, type Period, SPAN_UNITS, type Span } from './period.ts';
import { clockAt, instantOf, zoneOf } from './zone.ts';

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
