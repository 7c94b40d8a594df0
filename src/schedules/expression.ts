import { dayNumber, monthLength, weekdayOf } from './calendar.ts';
import {
  CRON_NAMES,
  CRON_PLACES,
  type CronName,
  type DayMasks,
  type DayRule,
  dayMasks,
  daysOfMonthIn,
  daysOfWeekIn,
  entryValues,
  isWrong,
  maskOf,
} from './dayRule.ts';
import { isFaulty, type JobFault, type JobFaults, type JobFields, type JobName, quoted, textOf } from './fault.ts';

/** The values a place of an expression allows, in order; `nextAt` has the next one at or after each value, from `least` on. */
export type Allowed = { readonly values: readonly number[]; readonly least: number; readonly nextAt: readonly number[] };

/** The seven strings of an expression with every default filled in, as an answer shows them. */
export type CronTexts = Readonly<Record<CronName, string>>;

/** A cron expression that can match. It is made from strings in microseconds, so keep the strings and not this. */
export type CronExpression = {
  readonly texts: CronTexts;
  readonly second: Allowed;
  readonly minute: Allowed;
  readonly hour: Allowed;
  readonly month: Allowed;
  readonly year: Allowed;
  readonly rule: DayRule;
  readonly days: DayMasks;
};

/** The next value a place allows at or after `value`, or -1. */
export function allowedFrom({ nextAt, least }: Allowed, value: number): number {
  const at = value - least;
  return at < nextAt.length ? (nextAt[at < 0 ? 0 : at] as number) : -1;
}

const FIELD_LENGTH_MAX = 64;
const EXPRESSION_LENGTH_MAX = 256;

/**
 * Reads `job.expression`, or the single fields when there is none.
 *
 * An absent field takes the default of the document: year `*`, month 1, hour, minute and second 0. Of the day fields one must be `?`:
 * when one is given, the other becomes `?`; when the given one is `?`, the other takes its default 1; when neither is given,
 * dayOfMonth is 1 and dayOfWeek `?`. Two day fields that both say something are refused, because cron dialects disagree whether both
 * or one of them must fit. `*` in both is read as `*` and `?`: every dialect reads it as every day. `bothDaysFault` refuses it in a new
 * job of a strict channel, because the document demands a `?`.
 */
export function readExpression(fields: JobFields): CronExpression | JobFaults {
  const texts = textsOf(fields);
  if (isFaulty(texts)) return texts;
  return parse(texts, sourceOf(fields));
}

/** The fault of a job whose day fields are both `*`, where one of them must be `?`. Null for every other job. */
export function bothDaysFault(fields: JobFields): JobFault | null {
  const texts = textsOf(fields);
  if (isFaulty(texts) || texts.dayOfMonth !== '*' || texts.dayOfWeek !== '*') return null;
  return dayFault(texts, sourceOf(fields));
}

/** The parameter a place was read from. */
type Source = (name: CronName) => JobName;

const sourceOf =
  (fields: JobFields): Source =>
  (name) =>
    textOf(fields, 'job.expression') === null ? `job.${name}` : 'job.expression';

function textsOf(fields: JobFields): CronTexts | JobFaults {
  const expression = textOf(fields, 'job.expression');
  if (expression !== null) return textsOfExpression(expression);
  const given = (name: CronName): string | null => textOf(fields, `job.${name}`);
  if (CRON_NAMES.every((name) => given(name) === null)) return { faults: [nothingSaid(fields)] };
  const [dayOfMonth, dayOfWeek] = [given('dayOfMonth'), given('dayOfWeek')];
  return {
    second: given('second') ?? '0',
    minute: given('minute') ?? '0',
    hour: given('hour') ?? '0',
    dayOfMonth: dayOfMonth ?? (dayOfWeek === null || dayOfWeek === '?' ? '1' : '?'),
    month: given('month') ?? '1',
    dayOfWeek: dayOfWeek ?? (dayOfMonth === '?' ? '1' : '?'),
    year: given('year') ?? '*',
  };
}

/** A job whose every field is a default would charge on New Year's Day by accident. */
function nothingSaid(fields: JobFields): JobFault {
  const isEmpty = Object.values(fields).every((text) => !text);
  const message = 'no field says when the job runs: give job.expression or some of job.second to job.year';
  return { field: 'job.expression', code: isEmpty ? '100.250.250' : '100.250.100', message };
}

function textsOfExpression(expression: string): CronTexts | JobFaults {
  const fault = (code: JobFault['code'], message: string): JobFaults => ({
    faults: [{ field: 'job.expression', code, message }],
  });
  if (expression.length > EXPRESSION_LENGTH_MAX)
    return fault('100.250.120', `expression: longer than ${EXPRESSION_LENGTH_MAX} characters`);
  const parts = expression.split(' ').filter((part) => part !== '');
  if (parts.length === 0) return fault('100.250.111', 'expression: it is empty');
  const [second, minute, hour, dayOfMonth, month, dayOfWeek, year = '*', ...rest] = parts;
  if (!second || !minute || !hour || !dayOfMonth || !month || !dayOfWeek || rest.length > 0)
    return fault('100.250.120', `expression: it has six or seven fields (${CRON_NAMES.join(' ')}), not ${parts.length}`);
  return { second, minute, hour, dayOfMonth, month, dayOfWeek, year };
}

function parse(sent: CronTexts, source: Source): CronExpression | JobFaults {
  const faults: JobFault[] = [];
  const read = (name: CronName): readonly string[] => entriesOf(name, sent[name], (message) => report(name, message));
  const report = (name: CronName, message: string): void => {
    const fault: JobFault = { field: source(name), code: CRON_PLACES[name].code, message: `${name}: ${message}` };
    if (!faults.some((other) => other.message === fault.message)) faults.push(fault);
  };
  const plain = (name: CronName): Allowed =>
    sent[name] === '*' ? everything[name] : allowedOf(name, read(name), (message) => report(name, message));

  const [second, minute, hour] = [plain('second'), plain('minute'), plain('hour')];
  const texts = oneDayField(upper(sent));
  const byMonth = sent.dayOfMonth === '?' ? null : daysOfMonthIn(read('dayOfMonth'), (message) => report('dayOfMonth', message));
  const month = plain('month');
  const byWeek = sent.dayOfWeek === '?' ? null : daysOfWeekIn(read('dayOfWeek'), (message) => report('dayOfWeek', message));
  const year = plain('year');
  const rule = texts.dayOfWeek === '?' ? byMonth : texts.dayOfMonth === '?' ? byWeek : null;
  if (rule === null) faults.push(dayFault(sent, source));
  if (rule === null || faults.length > 0) return { faults };

  const parsed: CronExpression = { texts, second, minute, hour, month, year, rule, days: dayMasks(rule) };
  return canMatch(parsed) ? parsed : { faults: [neverFault(texts, source)] };
}

const upper = (texts: CronTexts): CronTexts =>
  Object.fromEntries(CRON_NAMES.map((name) => [name, texts[name].toUpperCase()])) as CronTexts;

const oneDayField = (texts: CronTexts): CronTexts =>
  texts.dayOfMonth === '*' && texts.dayOfWeek === '*' ? { ...texts, dayOfWeek: '?' } : texts;

function dayFault({ dayOfMonth, dayOfWeek }: CronTexts, source: Source): JobFault {
  const message =
    dayOfMonth === '?'
      ? 'dayOfMonth and dayOfWeek are both ?; one of them must say a day'
      : `dayOfMonth ${quoted(dayOfMonth)} and dayOfWeek ${quoted(dayOfWeek)} are both set; one of them must be ?`;
  return { field: source('dayOfWeek'), code: '100.250.120', message };
}

function neverFault({ dayOfMonth, month, dayOfWeek, year }: CronTexts, source: Source): JobFault {
  const [field, day]: readonly [CronName, string] =
    dayOfMonth === '?' ? ['dayOfWeek', `dayOfWeek ${quoted(dayOfWeek)}`] : ['dayOfMonth', `dayOfMonth ${quoted(dayOfMonth)}`];
  const message = `${day}, month ${quoted(month)} and year ${quoted(year)} never come together: the job would never run`;
  return { field: source(field), code: '100.250.120', message };
}

type Report = (message: string) => void;

/** The entries of a list in upper case; a sign that cron does not know ends the reading. */
function entriesOf(name: CronName, text: string, report: Report): readonly string[] {
  if (text.length > FIELD_LENGTH_MAX) {
    report(`longer than ${FIELD_LENGTH_MAX} characters`);
    return [];
  }
  for (const sign of text) {
    if (isCronSign(sign)) continue;
    report(`${quoted(sign)} does not belong in a cron field`);
    return [];
  }
  if (text.includes('?')) {
    report(name.startsWith('day') ? '? stands alone' : '? stands for a day only');
    return [];
  }
  const entries = text.toUpperCase().split(',');
  if (!entries.includes('')) return entries;
  report('an entry of the list is empty');
  return [];
}

/** ASCII only, before anything is put into upper case: some foreign letters have an ASCII letter there. */
function isCronSign(sign: string): boolean {
  return (sign >= '0' && sign <= '9') || (sign >= 'A' && sign <= 'Z') || (sign >= 'a' && sign <= 'z') || ',-*/?#'.includes(sign);
}

function allowedOf(name: CronName, entries: readonly string[], report: Report): Allowed {
  const place = CRON_PLACES[name];
  const allowed = new Set<number>();
  for (const entry of entries) {
    const values = entryValues(place, entry);
    if (isWrong(values)) report(values.wrong);
    else for (const value of values) allowed.add(value);
  }
  const values = [...allowed].sort((one, other) => one - other);
  const nextAt: number[] = [];
  for (const value of values) while (nextAt.length <= value - place.least) nextAt.push(value);
  return { values, least: place.least, nextAt };
}

// Most fields of most expressions are `*`, and the one of the years is long.
const everything = Object.fromEntries(CRON_NAMES.map((name) => [name, allowedOf(name, ['*'], () => {})])) as Readonly<
  Record<CronName, Allowed>
>;

/** Whether any month of any year has a day: at most 130 years of 12 months are tried. */
function canMatch({ year, month, days }: CronExpression): boolean {
  return year.values.some((y) => month.values.some((m) => maskOf(days, monthLength(y, m), weekdayOf(dayNumber(y, m, 1))) !== 0));
}
