import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFaulty, type JobFields } from './fault.ts';
import { endAfterCancellation } from './period.ts';
import { nextDue, nextDues, readStoredTimetable, readTimetable, type Timetable } from './timetable.ts';

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const days = (instants: readonly number[]): string =>
  instants.map((instant) => Temporal.Instant.fromEpochMilliseconds(instant).toString().slice(0, 10)).join(' ');

const CREATED = at('2026-01-10T12:00:00Z');
const reading = { zone: 'UTC', createdAt: CREATED, allowsSubMinute: false, allowsBothDays: false };
const FIRST: JobFields = { 'job.month': '*', 'job.dayOfMonth': '1' };

function timetable(fields: JobFields): Timetable {
  const read = readTimetable(fields, reading);
  assert.ok(!isFaulty(read), JSON.stringify(read));
  return read;
}

const runs: readonly (readonly [what: string, fields: JobFields, days: string])[] = [
  ['from now on', FIRST, '2026-02-01 2026-03-01 2026-04-01 2026-05-01'],
  [
    'from startDate on, itself included',
    { ...FIRST, 'job.startDate': '2026-03-01 00:00:00' },
    '2026-03-01 2026-04-01 2026-05-01 2026-06-01',
  ],
  [
    'a startDate that is past brings no run back',
    { ...FIRST, 'job.startDate': '2025-11-01 00:00:00' },
    '2026-02-01 2026-03-01 2026-04-01 2026-05-01',
  ],
  ['to endDate, itself included', { ...FIRST, 'job.endDate': '2026-03-01 00:00:00' }, '2026-02-01 2026-03-01'],
  [
    'three months are three runs: the fourth would be of the next term',
    { ...FIRST, 'job.startDate': '2026-02-01 00:00:00', 'job.durationNumber': '3', 'job.durationUnit': 'MONTH' },
    '2026-02-01 2026-03-01 2026-04-01',
  ],
];

for (const [what, fields, expected] of runs) {
  test(`a job runs ${what}`, () => {
    assert.equal(days(nextDues(timetable(fields), { after: CREATED, count: 4 })), expected);
  });
}

test('a cancelled job runs until its end', () => {
  const job = timetable({
    ...FIRST,
    'job.startDate': '2026-02-01 00:00:00',
    'job.durationNumber': '1',
    'job.durationUnit': 'MONTH',
    'job.noticeNumber': '1',
    'job.noticeUnit': 'WEEK',
  });
  const until = endAfterCancellation(job.period, at('2026-02-27T00:00:00Z'));
  assert.equal(days(nextDues(job, { after: CREATED, count: 9, until })), '2026-02-01 2026-03-01');
  assert.equal(nextDue(job, at('2026-03-01T00:00:00Z'), until), null);
});

const wrong: readonly (readonly [what: string, fields: JobFields, faults: string])[] = [
  ['every fault of both halves', { 'job.hour': '24', 'job.endDate': 'soon' }, 'job.hour 100.250.121, job.endDate 100.250.120'],
  ['years that are over', { 'job.expression': '0 0 0 1 1 ? 2020-2026' }, 'job.expression 100.250.120'],
  ['the same in a single field', { ...FIRST, 'job.year': '2025' }, 'job.year 100.250.120'],
  ['an endDate that is over', { ...FIRST, 'job.endDate': '2026-01-01 00:00:00' }, 'job.endDate 100.250.120'],
  [
    'a duration without a run',
    { ...FIRST, 'job.durationNumber': '2', 'job.durationUnit': 'DAY' },
    'job.durationNumber 100.250.120',
  ],
  ['runs within one minute', { ...FIRST, 'job.second': '0,30' }, 'job.second 100.250.120'],
  ['the same in an expression', { 'job.expression': '* * * * * ?' }, 'job.expression 100.250.120'],
  ['every day twice', { 'job.month': '*', 'job.dayOfMonth': '*', 'job.dayOfWeek': '*' }, 'job.dayOfWeek 100.250.120'],
  ['the same as an expression', { 'job.expression': '0 0 12 * * *' }, 'job.expression 100.250.120'],
];

for (const [what, fields, expected] of wrong) {
  test(`refused: ${what}`, () => {
    const read = readTimetable(fields, reading);
    assert.ok(isFaulty(read));
    assert.equal(read.faults.map(({ field, code }) => `${field} ${code}`).join(', '), expected);
  });
}

test('runs within one minute can be allowed', () => {
  assert.equal(isFaulty(readTimetable({ 'job.expression': '* * * * * ?' }, { ...reading, allowsSubMinute: true })), false);
});

test('every day twice can be allowed, and is read back once it was', () => {
  const fields = { 'job.expression': '0 0 12 * * *' };
  assert.equal(isFaulty(readTimetable(fields, { ...reading, allowsBothDays: true })), false);
  assert.equal(isFaulty(readStoredTimetable(fields, reading)), false);
});

test('a job that was taken once is read even when it has no run left', () => {
  const fields = { ...FIRST, 'job.endDate': '2026-01-01 00:00:00' };
  const kept = readStoredTimetable(fields, reading);
  assert.ok(!isFaulty(kept));
  assert.equal(nextDue(kept, CREATED), null);
});
