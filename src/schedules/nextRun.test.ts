import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareWithOracle, strangeZones } from '../../test/schedules/agreement.ts';
import { type CronExpression, readExpression } from './expression.ts';
import { isFaulty } from './fault.ts';
import { isSubMinute, nextRun, nextRuns } from './timetable.ts';

function cron(text: string): CronExpression {
  const expression = readExpression({ 'job.expression': text });
  assert.ok(!isFaulty(expression), text);
  return expression;
}

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const shown = (instant: number): string => Temporal.Instant.fromEpochMilliseconds(instant).toString();

/** Zone, expression, instant, and the runs that follow it. */
type Case = readonly [zone: string, expression: string, after: string, runs: readonly string[]];

const daylight: readonly Case[] = [
  // The gap: once, at its end, whatever lies in it; the days around it are as usual.
  [
    'Europe/Berlin',
    '0 30 2 * * ?',
    '2026-03-27T12:00:00Z',
    ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
  ],
  [
    'Europe/Berlin',
    '0 */15 * * * ?',
    '2026-03-29T00:30:00Z',
    ['2026-03-29T00:45:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:15:00Z'],
  ],
  ['Europe/Berlin', '0 0,30 2,3 * * ?', '2026-03-28T23:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z']],
  ['Europe/Berlin', '0 59 2 29 3 ? 2026', '2026-03-01T00:00:00Z', ['2026-03-29T01:00:00Z']],
  // The overlap: the first time only, for every quarter of an hour and for every second too.
  ['Europe/Berlin', '0 30 2 * * ?', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z']],
  ['Europe/Berlin', '0 */15 * * * ?', '2026-10-25T00:30:00Z', ['2026-10-25T00:45:00Z', '2026-10-25T02:00:00Z']],
  ['Europe/Berlin', '* * * * * ?', '2026-10-25T00:59:58Z', ['2026-10-25T00:59:59Z', '2026-10-25T02:00:00Z']],
  // An instant inside the hour that is shown again: its run is over.
  ['Europe/Berlin', '0 30 2 * * ?', '2026-10-25T01:10:00Z', ['2026-10-26T01:30:00Z']],
  ['Europe/Berlin', '* * * * * ?', '2026-10-25T01:10:00Z', ['2026-10-25T02:00:00Z', '2026-10-25T02:00:01Z']],
  ['America/New_York', '0 30 2 * * ?', '2026-03-08T05:00:00Z', ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']],
  ['America/New_York', '0 30 1 * * ?', '2026-11-01T04:00:00Z', ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z']],
  // Midnight itself is skipped, and the day is not.
  [
    'Africa/Cairo',
    '0 0 0 * * ?',
    '2026-04-22T12:00:00Z',
    ['2026-04-22T22:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
  ],
  ['Africa/Cairo', '0 0 0 24 * ?', '2026-04-01T00:00:00Z', ['2026-04-23T22:00:00Z', '2026-05-23T21:00:00Z']],
  ['Africa/Cairo', '0 30 23 29 10 ?', '2026-10-01T00:00:00Z', ['2026-10-29T20:30:00Z', '2027-10-29T21:30:00Z']],
  ['America/Santiago', '0 0 0 6 9 ?', '2026-01-01T00:00:00Z', ['2026-09-06T04:00:00Z', '2027-09-06T03:00:00Z']],
  ['America/Santiago', '0 30 23 * * ?', '2026-04-04T12:00:00Z', ['2026-04-05T02:30:00Z', '2026-04-06T03:30:00Z']],
  // Half an hour forth in October, half an hour back in April.
  ['Australia/Lord_Howe', '0 15 2 4 10 ?', '2026-01-01T00:00:00Z', ['2026-10-03T15:30:00Z', '2027-10-03T15:15:00Z']],
  ['Australia/Lord_Howe', '0 45 1 5 4 ?', '2026-01-01T00:00:00Z', ['2026-04-04T14:45:00Z', '2027-04-04T15:15:00Z']],
  // 30 December 2011 did not happen in Apia: its run comes when the 31st begins.
  [
    'Pacific/Apia',
    '0 0 12 * * ?',
    '2011-12-29T12:00:00Z',
    ['2011-12-29T22:00:00Z', '2011-12-30T10:00:00Z', '2011-12-30T22:00:00Z'],
  ],
  ['Pacific/Apia', '0 0 12 30 12 ?', '2011-01-01T00:00:00Z', ['2011-12-30T10:00:00Z', '2012-12-29T22:00:00Z']],
  ['Pacific/Apia', '0 0 * * * ?', '2011-12-30T09:00:00Z', ['2011-12-30T10:00:00Z', '2011-12-30T11:00:00Z']],
  // Quarters of an hour, and the day in 1986 on which Nepal skipped one.
  ['Asia/Kathmandu', '0 0 0 1 * ?', '2026-01-15T00:00:00Z', ['2026-01-31T18:15:00Z', '2026-02-28T18:15:00Z']],
  ['Asia/Kathmandu', '0 5 0 1 1 ?', '1985-06-01T00:00:00Z', ['1985-12-31T18:30:00Z', '1986-12-31T18:20:00Z']],
  ['Antarctica/Troll', '0 30 1,2 29 3 ?', '2026-01-01T00:00:00Z', ['2026-03-29T01:00:00Z', '2027-03-28T23:30:00Z']],
  ['UTC', '33 43 7 5 * ?', '2026-01-05T07:43:33Z', ['2026-02-05T07:43:33Z', '2026-03-05T07:43:33Z']],
];

for (const [zone, expression, after, runs] of daylight) {
  test(`${zone}: "${expression}" after ${after}`, () => {
    const found = nextRuns(cron(expression), { after: at(after), zone, count: runs.length });
    assert.deepEqual(found.map(shown), runs);
  });
}

const calendar: readonly (readonly [expression: string, after: string, days: string])[] = [
  ['0 0 0 31 * ?', '2026-01-31', '2026-03-31 2026-05-31 2026-07-31 2026-08-31'],
  ['0 0 0 29 2 ?', '2026-01-01', '2028-02-29 2032-02-29'],
  ['0 0 0 29 2 ?', '2092-03-01', '2096-02-29'],
  ['0 0 0 L * ?', '2028-01-31', '2028-02-29 2028-03-31 2028-04-30'],
  ['0 0 0 L-3 2 ?', '2026-01-01', '2026-02-25 2027-02-25 2028-02-26'],
  ['0 0 0 L-30 * ?', '2026-01-01', '2026-03-01 2026-05-01'],
  // 15 August 2026 is a Saturday, 15 November a Sunday.
  ['0 0 0 15W 8,11 ?', '2026-01-01', '2026-08-14 2026-11-16 2027-08-16'],
  // 1 August 2026 is a Saturday: Friday would be in July. 31 May 2026 is a Sunday: Monday would be in June.
  ['0 0 0 1W 8 ?', '2026-01-01', '2026-08-03'],
  ['0 0 0 31W 5 ?', '2026-01-01', '2026-05-29'],
  ['0 0 0 31W 4,5 ?', '2026-01-01', '2026-05-29 2027-05-31'],
  ['0 0 0 LW * ?', '2026-01-01', '2026-01-30 2026-02-27 2026-03-31'],
  ['0 0 0 L-2W 1 ?', '2026-01-01', '2026-01-29'],
  ['0 0 0 ? * 5L', '2026-01-01', '2026-01-29 2026-02-26'],
  ['0 0 0 ? * L', '2026-01-01', '2026-01-03 2026-01-10'],
  ['0 0 0 ? * 6#3', '2026-01-01', '2026-01-16 2026-02-20'],
  ['0 0 0 ? * SUN#5', '2026-01-01', '2026-03-29 2026-05-31'],
  ['0 0 0 ? 2 SUN#5', '2026-01-01', '2032-02-29 2060-02-29'],
  ['0 0 0 ? * FRI-MON', '2026-01-01', '2026-01-02 2026-01-03 2026-01-04 2026-01-05 2026-01-09'],
  ['0 0 0 30-2 1 ?', '2026-01-01', '2026-01-02 2026-01-30 2026-01-31 2027-01-01'],
  ['0 0 0 1 NOV-FEB/2 ?', '2026-01-02', '2026-11-01 2027-01-01'],
  ['0 0 0 1 1 ? 2050', '2026-01-01', '2050-01-01'],
  ['0 0 0 1 1 ? 1970', '1969-06-01', '1970-01-01'],
];

for (const [expression, after, days] of calendar) {
  test(`the days of "${expression}" after ${after}`, () => {
    const expected = days.split(' ');
    const found = nextRuns(cron(expression), { after: at(`${after}T00:00:00Z`), zone: 'UTC', count: expected.length });
    assert.deepEqual(
      found.map(shown),
      expected.map((day) => `${day}T00:00:00Z`),
    );
  });
}

test('after the last run there is none', () => {
  const last = cron('59 59 23 31 12 ?');
  assert.equal(nextRun(last, at('2099-12-31T23:59:58Z'), 'UTC'), at('2099-12-31T23:59:59Z'));
  assert.equal(nextRun(last, at('2099-12-31T23:59:59Z'), 'UTC'), null);
  assert.equal(nextRun(last, at('2099-12-31T23:59:59Z'), 'America/New_York'), at('2100-01-01T04:59:59Z'));
  assert.equal(nextRun(cron('0 0 0 1 1 ? 2020-2025'), at('2026-01-01T00:00:00Z'), 'UTC'), null);
  assert.deepEqual(nextRuns(cron('0 0 0 1 1 ? 2030'), { after: at('2026-01-01T00:00:00Z'), zone: 'UTC', count: 5 }).length, 1);
});

test('the first run is strictly after the instant, to the millisecond', () => {
  const noon = cron('0 0 12 * * ?');
  assert.equal(nextRun(noon, at('2026-01-01T11:59:59.999Z'), 'UTC'), at('2026-01-01T12:00:00Z'));
  assert.equal(nextRun(noon, at('2026-01-01T12:00:00Z'), 'UTC'), at('2026-01-02T12:00:00Z'));
  assert.equal(nextRun(noon, at('2026-01-01T12:00:00.001Z'), 'UTC'), at('2026-01-02T12:00:00Z'));
});

test('any number is an instant, and any of them has an answer', () => {
  const first = cron('0 0 0 1 1 ?');
  for (const after of [-Infinity, -Number.MAX_VALUE, -8.64e15, -1, 0, 0.5])
    assert.equal(nextRun(first, after, 'UTC'), after >= 0 ? at('1971-01-01T00:00:00Z') : 0, String(after));
  for (const after of [Infinity, Number.MAX_VALUE, 8.64e15, NaN]) assert.equal(nextRun(first, after, 'UTC'), null, String(after));
});

test('2,000 random expressions agree with an independent oracle', () => {
  const { runs, nevers } = compareWithOracle({ seed: 6, count: 2000, zones: strangeZones });
  assert.ok(runs > 1500 && nevers > 20, `${runs} runs, ${nevers} without a run`);
});

test('runs follow each other in order, from wherever one starts to look', () => {
  const expressions = ['0 */7 * * * ?', '13 30 1-3 * * ?', '0 0 0 L * ?', '0 15 2 ? * SUN'].map(cron);
  const between = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
  fc.assert(
    fc.property(between, between, fc.constantFrom(...strangeZones), fc.constantFrom(...expressions), (one, other, zone, cron) => {
      const [early, late] = [Math.min(one, other), Math.max(one, other)];
      const [first, second] = [nextRun(cron, early, zone), nextRun(cron, late, zone)];
      assert.ok(first !== null && second !== null && first > early && second > late && first <= second);
      if (first > late) assert.equal(second, first);
    }),
    { seed: 20, numRuns: 2000 },
  );
});

test('what runs more often than once a minute is known', () => {
  assert.equal(isSubMinute(cron('0 * * * * ?')), false);
  assert.equal(isSubMinute(cron('0,30 0 0 1 * ?')), true);
});

// One core does one to three million; the floor leaves room for a busy machine.
test('at least 100,000 next runs a second', () => {
  for (const text of ['33 43 7 5 * ?', '0 */5 * * * ?', '0 0 9 ? * MON-FRI', '0 0 3 LW * ?', '0 0 12 ? * 6#3', '0 0 0 29 2 ?']) {
    const expression = cron(text);
    const measure = (): number => {
      const began = process.cpuUsage().user;
      let after = at('2026-01-01T00:00:00Z');
      for (let count = 0; count < 20_000; count += 1) after = nextRun(expression, after, 'Europe/Berlin') ?? 0;
      return (20_000 * 1e6) / Math.max(process.cpuUsage().user - began, 1);
    };
    const best = Math.max(measure(), measure(), measure());
    assert.ok(best >= 100_000, `${text}: ${Math.round(best)}/s`);
  }
});
