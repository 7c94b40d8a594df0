import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOf, dayNumber, monthLength, plusMonths, weekdayOf } from './calendar.ts';

test('every day of two centuries is where Temporal has it', () => {
  let date = Temporal.PlainDate.from('1900-01-01');
  for (let day = dayNumber(1900, 1, 1); date.year < 2101; day += 1) {
    const { year, month, day: dayOfMonth } = date;
    assert.deepEqual(dateOf(day), { year, month, day: dayOfMonth });
    assert.equal(dayNumber(year, month, dayOfMonth), day);
    assert.equal(weekdayOf(day), (date.dayOfWeek % 7) + 1);
    if (dayOfMonth === 1) assert.equal(monthLength(year, month), date.daysInMonth);
    date = date.add({ days: 1 });
  }
});

test('1970-01-01 is day 0', () => assert.equal(dayNumber(1970, 1, 1), 0));

const later: readonly (readonly [date: string, months: number, expected: string])[] = [
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-01-31', 2, '2026-03-31'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2028-02-29', 48, '2032-02-29'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -13, '2024-12-15'],
  ['2026-12-01', 1, '2027-01-01'],
];

for (const [date, months, expected] of later) {
  test(`${date} and ${months} months is ${expected}`, () => {
    const { year, month, day } = Temporal.PlainDate.from(date);
    const found = dateOf(plusMonths(dayNumber(year, month, day), months));
    assert.equal(Temporal.PlainDate.from(found).toString(), expected);
  });
}
