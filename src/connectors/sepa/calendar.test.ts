import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, addTargetDays, easterOf, frankfurtDay, frankfurtInstant, isTargetDay, nextTargetDay } from './calendar.ts';

const easters = [
  '1961-04-02',
  '1981-04-19',
  '2000-04-23',
  '2008-03-23',
  '2011-04-24',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2038-04-25',
  '2049-04-18',
  '2076-04-19',
  '2285-03-22',
];

test('Easter falls on the days of the tables', () => {
  assert.deepEqual(
    easters.map((day) => easterOf(Number(day.slice(0, 4)))),
    easters,
  );
});

test('Easter is a Sunday between 22 March and 25 April in every year', () => {
  for (let year = 1900; year <= 2299; year += 1) {
    const easter = easterOf(year);
    assert.equal(new Date(`${easter}T00:00:00Z`).getUTCDay(), 0, easter);
    assert.ok(easter.slice(5) >= '03-22' && easter.slice(5) <= '04-25', easter);
  }
});

const closed = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-11-14', '2026-11-15', '2026-12-26'];
const open = [
  '2026-01-02',
  '2026-04-02',
  '2026-04-07',
  '2026-05-04',
  '2026-12-24',
  '2026-12-28',
  '2026-12-31',
  '2026-11-16',
  '2026-10-03',
];

test('TARGET is closed on weekends and six holidays, and on no other day', () => {
  assert.deepEqual(closed.filter(isTargetDay), []);
  // 3 October 2026 is a Saturday; the German holiday of 2025 is a Friday and a TARGET day.
  assert.deepEqual(
    open.filter((day) => !isTargetDay(day)),
    ['2026-10-03'],
  );
  assert.ok(isTargetDay('2025-10-03'));
});

test('TARGET days are counted over weekends and holidays, both ways', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['2026-11-16', 1, '2026-11-17'],
    ['2026-11-13', 1, '2026-11-16'],
    ['2026-11-14', 1, '2026-11-16'],
    ['2026-04-02', 1, '2026-04-07'],
    ['2026-12-24', 1, '2026-12-28'],
    ['2026-12-24', 5, '2027-01-04'],
    ['2026-11-16', -1, '2026-11-13'],
    ['2026-11-15', -1, '2026-11-13'],
    ['2026-04-07', -1, '2026-04-02'],
    ['2026-11-15', 0, '2026-11-15'],
  ];
  for (const [day, days, expected] of cases) assert.equal(addTargetDays(day, days), expected, `${day} ${days}`);
  assert.equal(nextTargetDay('2026-12-25'), '2026-12-28');
  assert.equal(nextTargetDay('2026-12-28'), '2026-12-28');
});

test('so many TARGET days forth and back lead to the same day', () => {
  for (let day = nextTargetDay('2026-01-01'); day < '2027-01-01'; day = addTargetDays(day, 1))
    for (const days of [1, 2, 5, 14]) assert.equal(addTargetDays(addTargetDays(day, days), -days), day);
});

test('months are added by the calendar', () => {
  assert.equal(addMonths('2026-11-16', 36), '2029-11-16');
  assert.equal(addMonths('2024-02-29', 36), '2027-02-28');
  assert.equal(addMonths('2026-08-31', 1), '2026-09-30');
  assert.equal(addMonths('2026-12-31', 2), '2027-02-28');
});

test('times of day are those of Frankfurt, in winter and in summer', () => {
  const iso = (day: string, time: string) => new Date(frankfurtInstant(day, time)).toISOString();
  assert.equal(iso('2026-11-16', '10:00'), '2026-11-16T09:00:00.000Z');
  assert.equal(iso('2026-07-01', '10:00'), '2026-07-01T08:00:00.000Z');
  assert.equal(iso('2026-03-29', '12:00'), '2026-03-29T10:00:00.000Z');
  assert.equal(iso('2026-03-29', '00:30'), '2026-03-28T23:30:00.000Z');
  assert.equal(iso('2026-10-25', '12:00'), '2026-10-25T11:00:00.000Z');
  assert.equal(iso('2026-10-25', '00:30'), '2026-10-24T22:30:00.000Z');
  assert.equal(frankfurtDay(Date.parse('2026-11-16T23:30:00Z')), '2026-11-17');
  assert.equal(frankfurtDay(Date.parse('2026-07-01T22:30:00Z')), '2026-07-02');
});
