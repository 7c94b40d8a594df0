import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeGerman } from './describeGerman.ts';
import { readExpression } from './expression.ts';
import { isFaulty } from './fault.ts';

for (const [expression, words] of [
  ['0 30 6 1 * ?', 'Um 06:30:00 am 1. jedes Monats'],
  ['0 0 6 * * ?', 'Um 06:00:00 täglich'],
  ['0 0 6,18 ? * 2-6', 'Um 06:00:00 und 18:00:00 jeden Montag bis Freitag'],
  ['0 0 12 L * ?', 'Um 12:00:00 am letzten Tag jedes Monats'],
  ['0 0 12 ? * 6#2', 'Um 12:00:00 am 2. Freitag jedes Monats'],
  ['0 0/15 * * * ?', 'Alle 15 Minuten täglich'],
  ['0 0 8 1 1,7 ? 2027', 'Um 08:00:00 am 1. im Januar und Juli in 2027'],
] as const) {
  test(`in German: ${expression}`, () => {
    const read = readExpression({ 'job.expression': expression });
    assert.ok(!isFaulty(read), expression);
    assert.equal(describeGerman(read), words);
  });
}
