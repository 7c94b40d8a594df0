import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrubbed } from './instrument.ts';

const number = '4200000000000000';
const cases: readonly [says: string, text: string, left: string][] = [
  ['a text without the number stays', 'order 4111111111111111', 'order 4111111111111111'],
  ['the number alone is hidden', number, '***'],
  ['the number within a text is hidden', `card ${number}!`, 'card ***!'],
  ['every copy is hidden', `${number},${number}`, '***,***'],
  ['a number in groups is hidden with its text', 'my card 4200 0000 0000 0000', '***'],
  ['a number with hyphens too', '4200-0000-0000-0000', '***'],
  ['a part of it stays', '420000000000000', '420000000000000'],
];

for (const [says, text, left] of cases) test(says, () => assert.equal(scrubbed(text, { number }), left));

test('an account number is hidden as well', () => {
  assert.equal(scrubbed('DE23 1000 0000 1234 5678 90', { iban: 'DE23100000001234567890' }), '***');
});

test('where nothing is charged nothing is hidden', () => {
  assert.equal(scrubbed(number, {}), number);
  assert.equal(scrubbed(null, { number }), null);
});
