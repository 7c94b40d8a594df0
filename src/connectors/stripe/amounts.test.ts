import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountFrom, unitsOf } from './session.ts';

const cases = [
  ['EUR', 9200n, 9200n],
  ['HUF', 9250n, 9250n],
  ['TWD', 9250n, 9250n],
  ['JPY', 9200n, 92n],
  ['CLP', 9200n, 92n],
  ['ISK', 9200n, 9200n],
  ['MGA', 9200n, 92n],
  ['KWD', 9250n, 92500n],
] as const;
for (const [currency, amount, units] of cases) {
  test(`${currency}: ${amount} hundredths are ${units} units, and back`, () => {
    assert.deepEqual(unitsOf(amount, currency, 'unknown'), { is: 'units', units });
    assert.equal(amountFrom(units, currency, 'unknown'), amount);
  });
}

const refusals = [
  ['JPY', 9250n, '100.550.303'],
  ['ISK', 9250n, '100.550.303'],
  ['MGA', 9250n, '100.550.303'],
  ['UGX', 9200n, '100.550.401'],
  ['XXX', 0n, '100.550.401'],
  ['EUR', 100_000_000n, '100.550.301'],
  ['KWD', 10_000_000n, '100.550.301'],
] as const;
for (const [currency, amount, code] of refusals) {
  test(`${currency}: ${amount} hundredths are refused before they are sent`, () => {
    assert.deepEqual(unitsOf(amount, currency, 'unknown'), { is: 'refused', code });
  });
}

test('UGX is sent as the account has been tried', () => {
  assert.deepEqual(unitsOf(9200n, 'UGX', '0'), { is: 'units', units: 92n });
  assert.deepEqual(unitsOf(9200n, 'UGX', '2'), { is: 'units', units: 9200n });
  assert.deepEqual(unitsOf(9250n, 'UGX', '2'), { is: 'refused', code: '100.550.303' });
});

test('what has no place in hundredths is no amount of ours', () => {
  assert.equal(amountFrom(92_505n, 'KWD', 'unknown'), null);
});
