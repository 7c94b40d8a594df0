import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addTargetDays,
  type BankTimes,
  collectionDates,
  daysBetween,
  fileDayAt,
  frankfurtDay,
  isTargetDay,
  openDayAt,
  reachableDay,
  transferDates,
} from './calendar.ts';

const times: BankTimes = { cutOff: '11:00', closeMinutes: 60, leadDays: 1, aheadDays: 0, noticeDays: 0 };
const at = (text: string): number => Date.parse(text);
/** Monday, 09:00 in Frankfurt: the batch of the day is open until 10:00. */
const MONDAY = at('2026-11-16T08:00:00Z');

const cases: readonly (readonly [string, number, string | null, Partial<BankTimes>, readonly [string, string] | null])[] = [
  ['without a date: the next possible day', MONDAY, null, {}, ['2026-11-17', '2026-11-16T09:00:00.000Z']],
  ['after the batch has closed', at('2026-11-16T09:00:00Z'), null, {}, ['2026-11-18', '2026-11-17T09:00:00.000Z']],
  ['on a Saturday', at('2026-11-14T08:00:00Z'), null, {}, ['2026-11-17', '2026-11-16T09:00:00.000Z']],
  ['two days of lead', MONDAY, null, { leadDays: 2 }, ['2026-11-18', '2026-11-16T09:00:00.000Z']],
  ['notice of 14 days', MONDAY, null, { noticeDays: 14 }, ['2026-11-30', '2026-11-27T09:00:00.000Z']],
  ['notice that ends on a weekend', MONDAY, null, { noticeDays: 5 }, ['2026-11-23', '2026-11-20T09:00:00.000Z']],
  ['a day in the future', MONDAY, '2026-11-26', {}, ['2026-11-26', '2026-11-25T09:00:00.000Z']],
  ['sent a day earlier', MONDAY, '2026-11-26', { aheadDays: 1 }, ['2026-11-26', '2026-11-24T09:00:00.000Z']],
  ['not before 14 days', MONDAY, '2026-12-30', { aheadDays: 30 }, ['2026-12-30', '2026-12-16T09:00:00.000Z']],
  ['a Sunday moves to Monday', MONDAY, '2026-11-22', {}, ['2026-11-23', '2026-11-20T09:00:00.000Z']],
  ['Good Friday moves after Easter', at('2026-03-30T07:00:00Z'), '2026-04-03', {}, ['2026-04-07', '2026-04-02T08:00:00.000Z']],
  ['Christmas', at('2026-12-24T10:00:00Z'), null, {}, ['2026-12-29', '2026-12-28T09:00:00.000Z']],
  ['today is too early and moves', MONDAY, '2026-11-16', {}, ['2026-11-17', '2026-11-16T09:00:00.000Z']],
  ['yesterday', MONDAY, '2026-11-15', {}, null],
  ['in two years', MONDAY, '2028-11-15', {}, null],
  ['in summer time', at('2026-07-01T07:00:00Z'), null, {}, ['2026-07-02', '2026-07-01T08:00:00.000Z']],
];

test('due dates and closing times', () => {
  for (const [name, now, asked, changed, expected] of cases) {
    const dates = collectionDates(now, asked, { ...times, ...changed });
    assert.deepEqual(dates && [dates.dueOn, new Date(dates.closesAt).toISOString()], expected, name);
  }
});

test('whatever is asked for and whenever, the bank gets it in time, and not too early', () => {
  for (let hour = 0; hour < 24 * 400; hour += 37)
    for (const [leadDays, aheadDays, noticeDays] of [
      [1, 0, 0],
      [2, 1, 1],
      [5, 3, 14],
    ] as const) {
      const now = MONDAY + hour * 3_600_000;
      const settings = { ...times, leadDays, aheadDays, noticeDays };
      const asked = hour % 3 === 0 ? null : frankfurtDay(now + (hour % 60) * 86_400_000);
      const dates = collectionDates(now, asked, settings);
      assert.ok(dates);
      const { dueOn, closesAt } = dates;
      assert.ok(isTargetDay(dueOn));
      assert.ok(closesAt > now, 'its batch is still open');
      assert.ok(addTargetDays(fileDayAt(closesAt, settings), leadDays) <= dueOn, 'the lead time is kept');
      assert.ok(asked === null || dueOn >= asked);
      assert.ok(daysBetween(frankfurtDay(now), dueOn) >= noticeDays, 'the notice is kept');
      assert.ok(daysBetween(frankfurtDay(closesAt), dueOn) <= 14 || openDayAt(now, settings) === frankfurtDay(closesAt));
      assert.equal(reachableDay(dueOn, closesAt, settings), dueOn);
    }
});

test('a file that is late moves the due date, and only then', () => {
  assert.equal(reachableDay('2026-11-17', at('2026-11-16T09:59:00Z'), times), '2026-11-17');
  assert.equal(reachableDay('2026-11-17', at('2026-11-16T10:00:00Z'), times), '2026-11-18');
  assert.equal(reachableDay('2026-11-20', at('2026-11-20T12:00:00Z'), times), '2026-11-24');
});

test('a credit transfer is executed on the day of its file', () => {
  assert.deepEqual(transferDates(MONDAY, times), { dueOn: '2026-11-16', closesAt: at('2026-11-16T09:00:00Z') });
  assert.deepEqual(transferDates(at('2026-11-20T12:00:00Z'), times).dueOn, '2026-11-23');
});
