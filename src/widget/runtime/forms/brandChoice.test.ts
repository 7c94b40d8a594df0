import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestBrand, inPriority } from './brandChoice.ts';

const list = { detecting: false, picked: null, current: 'VISA' };
const detecting = { detecting: true, picked: null, current: '' };

const cases: readonly (readonly [says: string, known: Parameters<typeof bestBrand>[0], bin: string | null, expected: string])[] =
  [
    ['the list stays while the number is too short to tell', { ...list, found: ['MASTER'] }, null, 'VISA'],
    ['the list gives way to a number of another brand', { ...list, found: ['MASTER'] }, '545454', 'MASTER'],
    ['the list stays when the number may be of it', { ...list, found: ['MADA', 'VISA'] }, '440647', 'VISA'],
    ['the list stays when nothing is found', { ...list, found: [] }, '999999', 'VISA'],
    ['a choice of the shopper comes back', { ...list, picked: 'MADA', found: ['MADA', 'VISA'] }, '440647', 'MADA'],
    ['a choice of the shopper waits for the number', { ...list, picked: 'MADA', found: ['VISA'] }, null, 'MADA'],
    ['the first that is found', { ...detecting, found: ['CARTEBANCAIRE', 'VISA'] }, null, 'CARTEBANCAIRE'],
    ['nothing while nothing is found', { ...detecting, found: [] }, null, ''],
    ['the shopper chose among several', { ...detecting, picked: 'VISA', found: ['CARTEBANCAIRE', 'VISA'] }, '420000', 'VISA'],
    ['a choice that the number rules out is forgotten', { ...detecting, picked: 'VISA', found: ['MASTER'] }, '545454', 'MASTER'],
  ];
for (const [says, known, bin, expected] of cases) test(says, () => assert.equal(bestBrand(known, bin), expected));

test('a shop puts brands in its order; the rest stay as found', () => {
  assert.deepEqual(inPriority(['VISA', 'MADA', 'MASTER'], ['MADA']), ['MADA', 'VISA', 'MASTER']);
  assert.deepEqual(inPriority(['VISA', 'MADA'], undefined), ['VISA', 'MADA']);
});
