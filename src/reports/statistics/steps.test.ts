import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { bucketOf, percentile, QUARTER_MS } from './sheet.ts';
import { cover, type Interval, sheetRanges, stepFor, stepsOf, toQuarters } from './steps.ts';

const YEAR_2031 = Date.UTC(2031, 0, 1);
const zones = ['UTC', 'Europe/Vienna', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Pacific/Apia'];

const interval = fc
  .record({ from: fc.integer({ min: -20 * 365 * 96, max: 20 * 365 * 96 }), length: fc.integer({ min: 1, max: 3 * 365 * 96 }) })
  .map(({ from, length }): Interval => {
    const first = YEAR_2031 + from * QUARTER_MS;
    return { from: first, before: first + length * QUARTER_MS };
  });

test('steps follow each other without a gap, in every zone, and none is longer than its name says', () => {
  fc.assert(
    fc.property(interval, fc.constantFrom(...zones), (asked, timeZone) => {
      const step = stepFor(asked);
      const steps = stepsOf(asked, step, timeZone);
      assert.equal(steps[0]?.from, asked.from);
      assert.equal(steps.at(-1)?.before, asked.before);
      for (const [at, { from, before }] of steps.entries()) {
        assert.ok(before > from);
        if (at > 0) assert.equal(steps[at - 1]?.before, from);
        assert.equal(from % QUARTER_MS, 0, `${timeZone}: a step begins between two quarters`);
      }
      const longest = {
        quarter: QUARTER_MS,
        hour: HOUR_MS,
        day: 25 * HOUR_MS,
        week: 7 * DAY_MS + HOUR_MS,
        month: 31 * DAY_MS + HOUR_MS,
      };
      assert.ok(steps.every(({ from, before }) => before - from <= longest[step]));
      assert.ok(steps.length <= 120, `${steps.length} points`);
    }),
    { numRuns: 300 },
  );
});

test('what covers an interval comes to each quarter of it once and to nothing else, with few sheets', () => {
  fc.assert(
    fc.property(interval, (asked) => {
      // Where the sum over everything before an instant changes, and by how much.
      const edges = new Map<number, number>();
      const mark = (at: number, by: number) => edges.set(at, (edges.get(at) ?? 0) + by);
      for (const { span, from, before, sign } of cover(asked)) {
        assert.ok(before > from && from % span === 0 && before % span === 0);
        mark(from, sign);
        mark(before, -sign);
      }
      const left = [...edges].filter(([, by]) => by !== 0).sort(([one], [other]) => one - other);
      assert.deepEqual(left, [
        [asked.from, 1],
        [asked.before, -1],
      ]);
    }),
    { numRuns: 500 },
  );
  const year = { from: YEAR_2031 - HOUR_MS, before: YEAR_2031 + 365 * DAY_MS - HOUR_MS };
  const sheets = (asked: readonly Interval[]) =>
    sheetRanges(asked.flatMap((one) => cover(one))).reduce((sum, { span, from, before }) => sum + (before - from) / span, 0);
  assert.equal(sheets([year]), 367);
  assert.ok(sheets(stepsOf(year, 'week', 'Europe/Vienna')) < 600);
});

test('an interval is widened to whole quarters', () => {
  const asked = { from: YEAR_2031 + 1, before: YEAR_2031 + QUARTER_MS + 1 };
  assert.deepEqual(toQuarters(asked), { from: YEAR_2031, before: YEAR_2031 + 2 * QUARTER_MS });
});

test('a percentile is known to a fifth of itself', () => {
  assert.equal(percentile(new Map(), 0.5), null);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95),
      (all, share) => {
        const counts = new Map<number, number>();
        for (const ms of all) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
        const exact = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1] ?? 0;
        const estimate = percentile(counts, share) ?? Number.NaN;
        assert.ok(Math.abs(estimate - exact) <= (exact + 1) / 5 + 1, `${estimate} instead of ${exact}`);
      },
    ),
    { numRuns: 500 },
  );
});
