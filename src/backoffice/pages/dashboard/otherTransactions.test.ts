import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherTransactions } from './otherTransactions.ts';

test('debits and preauthorizations of another payment stand with what else happened to money', () => {
  const figures = (type: string, currency: string, count: number, amount: string) => ({ type, currency, count, amount });
  const others = otherTransactions({
    types: [
      figures('DB', 'EUR', 3, '75.10'),
      figures('PA', 'EUR', 2, '40.00'),
      figures('DB', 'JPY', 1, '12.00'),
      figures('RF', 'EUR', 1, '5.00'),
    ],
    total: { approved: { EUR: 3, JPY: 1 }, volume: { EUR: '90.00', JPY: '12.00' } } as never,
  });
  assert.deepEqual(others, [
    { ...figures('DB, PA', 'EUR', 2, '25.10'), isCharge: true },
    { ...figures('RF', 'EUR', 1, '5.00'), isCharge: false },
  ]);
});
