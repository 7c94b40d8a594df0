import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Instrument } from './instrument.ts';
import { extension, monthsAfter, retainedUntil } from './moves.ts';

const at = (text: string): number => Date.parse(`${text}T00:00:00Z`);

const months: readonly [from: string, count: number, to: string][] = [
  ['2026-01-15', 1, '2026-02-15'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-30', 14, '2028-01-30'],
  ['2026-12-31', 14, '2028-02-29'],
  ['2026-08-31', 24, '2028-08-31'],
];

for (const [from, count, to] of months) {
  test(`${count} months after ${from} is ${to}`, () => assert.equal(monthsAfter(at(from), count), at(to)));
}

test('months after a day never leave the month that is meant, at any time of day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.integer({ min: 1, max: 60 }), (instant, count) => {
      const [before, after] = [new Date(instant), new Date(monthsAfter(instant, count))];
      const passed = (after.getUTCFullYear() - before.getUTCFullYear()) * 12 + after.getUTCMonth() - before.getUTCMonth();
      assert.equal(passed, count);
      assert.equal(after.getTime() % 86_400_000, instant % 86_400_000);
    }),
  );
});

const card: Instrument = {
  kind: 'card',
  bin: '420000',
  last4Digits: '0000',
  holder: null,
  expiryMonth: '05',
  expiryYear: '2034',
};
const account: Instrument = { kind: 'virtualAccount', accountId: 'ann' };
const usedAt = at('2026-11-15');

const cases: readonly [says: string, kept: Parameters<typeof retainedUntil>[0], until: number][] = [
  ['a card stays 14 months after the month on it', { instrument: card, usedAt, extendedUntil: null }, at('2035-08-01')],
  ['an account stays 14 months after its last use', { instrument: account, usedAt, extendedUntil: null }, at('2028-01-15')],
  ['an extension counts', { instrument: account, usedAt, extendedUntil: at('2028-11-15') }, at('2028-11-15')],
  ['an extension never shortens', { instrument: card, usedAt, extendedUntil: at('2028-11-15') }, at('2035-08-01')],
];

for (const [says, kept, until] of cases) test(says, () => assert.equal(retainedUntil(kept), until));

test('an extension is for 24 months', () => assert.equal(extension(usedAt), at('2028-11-15')));
