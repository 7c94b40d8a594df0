import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFaulty, type JobFields } from './fault.ts';
import { endAfterCancellation, endsAt, mayRunAt, NEVER, type Period, readPeriod, termAt } from './period.ts';

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const shown = (instant: number): string =>
  instant === NEVER ? 'never' : Temporal.Instant.fromEpochMilliseconds(instant).toString();

const CREATED = at('2026-01-10T09:30:15.250Z');

/** Start, end, duration, notice and its reference point, in short: `from=… to=… for=1 YEAR notice=1 MONTH DURATION_END`. */
type Short = { from?: string; to?: string; for?: string; notice?: string; callable?: string };

function fieldsOf({ from, to, for: duration, notice, callable }: Short): JobFields {
  const [durationNumber, durationUnit] = duration?.split(' ') ?? [];
  const [noticeNumber, noticeUnit] = notice?.split(' ') ?? [];
  const sent = {
    'job.startDate': from,
    'job.endDate': to,
    'job.durationNumber': durationNumber,
    'job.durationUnit': durationUnit,
    'job.noticeNumber': noticeNumber,
    'job.noticeUnit': noticeUnit,
    'job.noticeCallable': callable,
  };
  return Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== undefined));
}

function period(short: Short, zone = 'UTC'): Period {
  const read = readPeriod(fieldsOf(short), { zone, createdAt: CREATED });
  assert.ok(!isFaulty(read), JSON.stringify(read));
  return read;
}

const bounds: readonly (readonly [short: Short, zone: string, startsAt: string, endsAt: string])[] = [
  [{}, 'UTC', '2026-01-10T09:30:15.25Z', 'never'],
  [{ from: '2026-02-01 08:00:00' }, 'Europe/Berlin', '2026-02-01T07:00:00Z', 'never'],
  // The second of endDate still belongs to the job; a term ends just before the next one begins.
  [{ to: '2026-12-31 23:59:59' }, 'Europe/Berlin', '2026-01-10T09:30:15.25Z', '2026-12-31T23:00:00Z'],
  [{ from: '2026-02-01 00:00:00', for: '1 YEAR' }, 'UTC', '2026-02-01T00:00:00Z', '2027-02-01T00:00:00Z'],
  [{ from: '2026-01-31 00:00:00', for: '1 MONTH' }, 'UTC', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z'],
  [{ from: '2028-01-31 00:00:00', for: '1 MONTH' }, 'UTC', '2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z'],
  [{ from: '2026-02-01 00:00:00', for: '2 WEEK' }, 'UTC', '2026-02-01T00:00:00Z', '2026-02-15T00:00:00Z'],
  // A day of 23 hours, and 24 hours.
  [{ from: '2026-03-28 12:00:00', for: '1 DAY' }, 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T10:00:00Z'],
  [{ from: '2026-03-28 12:00:00', for: '24 HOUR' }, 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T11:00:00Z'],
  [{ from: '2026-01-01 00:00:00', for: '90 MINUTE' }, 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T01:30:00Z'],
  [{ from: '2026-01-01 00:00:00', for: '90 SECOND' }, 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30Z'],
  [{ for: '1 MONTH' }, 'UTC', '2026-01-10T09:30:15.25Z', '2026-02-10T09:30:15Z'],
  // Whichever comes first; a term that is prolonged is no end.
  [{ to: '2026-06-30 00:00:00', for: '1 YEAR' }, 'UTC', '2026-01-10T09:30:15.25Z', '2026-06-30T00:00:01Z'],
  [{ for: '1 YEAR', notice: '1 MONTH' }, 'UTC', '2026-01-10T09:30:15.25Z', 'never'],
  [{ to: '2026-06-30 00:00:00', for: '1 MONTH', notice: '1 DAY' }, 'UTC', '2026-01-10T09:30:15.25Z', '2026-06-30T00:00:01Z'],
  // A start in a gap is the first instant after it, one in an overlap the first of the two.
  [{ from: '2026-03-29 02:30:00' }, 'Europe/Berlin', '2026-03-29T01:00:00Z', 'never'],
  [{ from: '2026-10-25 02:30:00' }, 'Europe/Berlin', '2026-10-25T00:30:00Z', 'never'],
  [{ for: '9999999999999999 YEAR' }, 'UTC', '2026-01-10T09:30:15.25Z', 'never'],
  [{ for: '9999999999999999 SECOND' }, 'UTC', '2026-01-10T09:30:15.25Z', 'never'],
];

for (const [short, zone, start, end] of bounds) {
  test(`${JSON.stringify(short)} in ${zone} runs from ${start} to ${end}`, () => {
    const read = period(short, zone);
    assert.equal(shown(read.startsAt), start);
    assert.equal(shown(endsAt(read)), end);
    assert.equal(mayRunAt(read, read.startsAt - 1), false);
    assert.equal(mayRunAt(read, read.startsAt), true);
    assert.equal(mayRunAt(read, endsAt(read) - 1), true);
    assert.equal(mayRunAt(read, endsAt(read)), false);
  });
}

const YEARLY: Short = { from: '2026-01-01 00:00:00', for: '1 YEAR', notice: '3 MONTH' };
const MONTHLY: Short = { from: '2026-01-31 00:00:00', for: '1 MONTH', notice: '2 WEEK' };

const cancellations: readonly (readonly [what: string, short: Short, cancelledAt: string, end: string])[] = [
  ['without a notice: at once', {}, '2026-05-05T12:00:00Z', '2026-05-05T12:00:00Z'],
  ['without a notice, in a fixed term: at once', { for: '1 YEAR' }, '2026-05-05T12:00:00Z', '2026-05-05T12:00:00Z'],
  ['after a fixed term: it is over', { for: '1 MONTH' }, '2026-05-05T12:00:00Z', '2026-02-10T09:30:15Z'],
  ['in time: with the term', YEARLY, '2026-05-05T12:00:00Z', '2027-01-01T00:00:00Z'],
  ['at the last instant: with the term', YEARLY, '2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['inside the notice: with the next term', YEARLY, '2026-10-01T00:00:00.001Z', '2028-01-01T00:00:00Z'],
  ['in a prolonged term, in time', YEARLY, '2027-03-01T00:00:00Z', '2028-01-01T00:00:00Z'],
  ['in a prolonged term, inside the notice', YEARLY, '2027-12-31T23:59:59Z', '2029-01-01T00:00:00Z'],
  ['before the start: with the first term', YEARLY, '2025-11-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['endDate comes sooner', { ...YEARLY, to: '2026-08-01 00:00:00' }, '2026-05-05T12:00:00Z', '2026-08-01T00:00:01Z'],
  ['terms count from the start: 28 February', MONTHLY, '2026-02-10T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['and 31 March after it', MONTHLY, '2026-02-20T00:00:00Z', '2026-03-31T00:00:00Z'],
  ['a notice longer than the term', { ...MONTHLY, notice: '3 MONTH' }, '2026-02-10T00:00:00Z', '2026-05-31T00:00:00Z'],
  ['a notice of nothing: with the running term', { ...MONTHLY, notice: '0 DAY' }, '2026-02-27T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['at any time: the notice later', { ...YEARLY, callable: 'ANYTIME' }, '2026-05-05T12:00:00Z', '2026-08-05T12:00:00Z'],
  ['at any time, from the 31st', { notice: '1 MONTH' }, '2026-01-31T12:00:00.5Z', '2026-02-28T12:00:00.5Z'],
  ['at any time, with nothing to wait for', { notice: '0 DAY' }, '2026-05-05T12:00:00Z', '2026-05-05T12:00:00Z'],
  ['at any time, in hours', { notice: '36 HOUR' }, '2026-05-05T12:00:00Z', '2026-05-07T00:00:00Z'],
  ['terms of a second', { for: '1 SECOND', notice: '1 DAY' }, '2050-05-05T12:00:00Z', '2050-05-06T12:00:00.25Z'],
  ['a notice nobody can keep', { for: '1 MONTH', notice: '9999999999999999 YEAR' }, '2026-05-05T12:00:00Z', 'never'],
  ['the same, at any time', { notice: '9999999999999999 SECOND' }, '2026-05-05T12:00:00Z', 'never'],
  ['a term without an end', { for: '9999999999999999 DAY', notice: '1 DAY' }, '2026-05-05T12:00:00Z', 'never'],
];

for (const [what, short, cancelledAt, end] of cancellations) {
  test(`cancelled ${what}`, () => {
    assert.equal(shown(endAfterCancellation(period(short), at(cancelledAt))), end);
  });
}

test('notice is counted by the calendar of the zone', () => {
  const berlin = period({ from: '2026-01-29 12:00:00', for: '2 MONTH', notice: '1 DAY' }, 'Europe/Berlin');
  // The term ends on 29 March at noon; the day before it has 23 hours.
  assert.equal(shown(endAfterCancellation(berlin, at('2026-03-28T11:00:00Z'))), '2026-03-29T10:00:00Z');
  assert.equal(shown(endAfterCancellation(berlin, at('2026-03-28T11:00:00.001Z'))), '2026-05-29T10:00:00Z');
});

test('the term of an instant', () => {
  const monthly = period(MONTHLY);
  const term = termAt(monthly, at('2026-03-10T00:00:00Z'));
  assert.deepEqual(
    term && { ...term, startsAt: shown(term.startsAt), endsAt: shown(term.endsAt), noticeBy: shown(term.noticeBy ?? 0) },
    { number: 2, startsAt: '2026-02-28T00:00:00Z', endsAt: '2026-03-31T00:00:00Z', noticeBy: '2026-03-17T00:00:00Z' },
  );
  assert.equal(termAt(monthly, at('2026-01-31T00:00:00Z'))?.number, 1);
  assert.equal(termAt(monthly, at('2026-02-28T00:00:00Z'))?.number, 2);
  assert.equal(termAt(monthly, at('2026-01-30T00:00:00Z')), null);
  assert.equal(termAt(period({}), at('2026-03-10T00:00:00Z')), null);
  assert.equal(termAt(period({ for: '1 MONTH' }), at('2026-03-10T00:00:00Z')), null);
  assert.equal(termAt(period({ for: '1 MONTH' }), at('2026-02-01T00:00:00Z'))?.noticeBy, null);
});

test('the ends of terms are those that Temporal counts from the start', () => {
  const units = { YEAR: 'years', MONTH: 'months', WEEK: 'weeks', DAY: 'days', HOUR: 'hours' } as const;
  const start = fc.integer({ min: at('2024-01-01T00:00:00Z') / 1000, max: at('2030-01-01T00:00:00Z') / 1000 });
  const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]));
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
  fc.assert(
    fc.property(start, unit, zone, fc.integer({ min: 1, max: 13 }), (seconds, name, where, number) => {
      const from = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(where);
      const read = readPeriod(
        { 'job.durationNumber': String(number), 'job.durationUnit': name },
        { zone: where, createdAt: from.epochMilliseconds },
      );
      assert.ok(!isFaulty(read));
      const end = from.add({ [units[name]]: number });
      const offset = end.offsetNanoseconds - end.subtract({ hours: 3 }).offsetNanoseconds;
      // Around a change of clocks Temporal has other rules for gaps than jobs have.
      if (offset === 0) assert.equal(endsAt(read), end.epochMilliseconds);
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test('a cancellation never ends a job before it, and a later one never ends it sooner', () => {
  const short = fc.record(
    {
      for: fc.constantFrom('1 MONTH', '7 DAY', '5 HOUR', '2 YEAR'),
      notice: fc.constantFrom('1 MONTH', '0 DAY', '90 MINUTE', '40 WEEK'),
    },
    { requiredKeys: [] },
  );
  const instant = fc.integer({ min: CREATED, max: at('2040-01-01T00:00:00Z') });
  fc.assert(
    fc.property(short, fc.constantFrom('ANYTIME', 'DURATION_END'), instant, instant, (texts, callable, one, other) => {
      const read = period({ ...texts, ...(texts.for && texts.notice ? { callable } : {}) }, 'Europe/Berlin');
      const [early, late] = [Math.min(one, other), Math.max(one, other)];
      const [first, second] = [endAfterCancellation(read, early), endAfterCancellation(read, late)];
      assert.ok(first >= Math.min(early, endsAt(read)) && second >= first);
    }),
    { seed: 9, numRuns: 1000 },
  );
});

const wrong: readonly (readonly [fields: JobFields, faults: string])[] = [
  [{ 'job.startDate': '2026-02-30 00:00:00' }, 'job.startDate 100.250.120'],
  [{ 'job.startDate': '2026-02-20T00:00:00' }, 'job.startDate 100.250.120'],
  [{ 'job.endDate': '2026-02-20' }, 'job.endDate 100.250.120'],
  [{ 'job.startDate': '2026-02-20 00:00:01', 'job.endDate': '2026-02-20 00:00:00' }, 'job.endDate 100.250.120'],
  [{ 'job.durationNumber': '1' }, 'job.durationUnit 100.250.106'],
  [{ 'job.durationUnit': 'YEAR' }, 'job.durationNumber 100.250.106'],
  [{ 'job.durationNumber': '0', 'job.durationUnit': 'YEAR' }, 'job.durationNumber 100.250.106'],
  [{ 'job.durationNumber': '1.5', 'job.durationUnit': 'DECADE' }, 'job.durationNumber 100.250.106, job.durationUnit 100.250.106'],
  [{ 'job.noticeNumber': '1' }, 'job.noticeUnit 100.250.107'],
  [{ 'job.noticeUnit': 'DAY' }, 'job.noticeNumber 100.250.107'],
  [{ 'job.noticeCallable': 'ANYTIME' }, 'job.noticeNumber 100.250.107'],
  [{ 'job.noticeCallable': 'NEVER', 'job.noticeNumber': '1', 'job.noticeUnit': 'DAY' }, 'job.noticeCallable 100.250.107'],
  [{ 'job.noticeCallable': 'DURATION_END', 'job.noticeNumber': '1', 'job.noticeUnit': 'DAY' }, 'job.durationNumber 100.250.106'],
];

for (const [fields, expected] of wrong) {
  test(`${JSON.stringify(fields)} is refused`, () => {
    const read = readPeriod(fields, { zone: 'UTC', createdAt: CREATED });
    assert.ok(isFaulty(read));
    assert.equal(read.faults.map(({ field, code }) => `${field} ${code}`).join(', '), expected);
  });
}
