import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronOf, firstRecurrence, type Recurrence, recurrenceOf } from './recurrence.ts';

const cases: readonly (readonly [Partial<Recurrence>, string])[] = [
  [{}, '0 30 6 1 * ?'],
  [{ day: 'L', time: '23:05' }, '0 5 23 L * ?'],
  [{ rhythm: 'daily' }, '0 30 6 * * ?'],
  [{ rhythm: 'weekly', weekday: 'SUN' }, '0 30 6 ? * SUN'],
  [{ rhythm: 'quarterly', day: '15', month: '2' }, '0 30 6 15 2/3 ?'],
  [{ rhythm: 'yearly', day: '24', month: '12' }, '0 30 6 24 12 ?'],
];

for (const [part, cron] of cases) {
  test(`${cron} is ${JSON.stringify(part)}, with and without a year`, () => {
    const recurrence = { ...firstRecurrence, ...part };
    assert.equal(cronOf(recurrence), cron);
    assert.deepEqual(recurrenceOf(cron), recurrence);
    assert.deepEqual(recurrenceOf(`${cron} *`), recurrence);
  });
}

test('a week begins with Sunday in numbers', () => {
  assert.equal(recurrenceOf('0 30 6 ? * 1').weekday, 'SUN');
  assert.equal(recurrenceOf('0 30 6 ? * 2').weekday, 'MON');
  assert.equal(recurrenceOf('0 30 6 ? * 7').weekday, 'SAT');
});

for (const cron of [
  '30 30 6 1 * ?',
  '0 30 6 31 * ?',
  '0 30 6 1 * ? 2031',
  '0 0/5 6 1 * ?',
  '0 30 6 ? * MON#1',
  '0 30 6 1 1,7 ?',
]) {
  test(`${cron} stays as it is`, () => {
    const recurrence = recurrenceOf(cron);
    assert.equal(recurrence.rhythm, 'custom');
    assert.equal(cronOf(recurrence), cron);
  });
}

test('without a time or an expression there is none', () => {
  assert.equal(cronOf({ ...firstRecurrence, time: '' }), null);
  assert.equal(cronOf({ ...firstRecurrence, rhythm: 'custom', custom: '  ' }), null);
  assert.equal(cronOf({ ...firstRecurrence, rhythm: 'custom', custom: ' 0  0 7 * * ? ' }), '0 0 7 * * ?');
});
