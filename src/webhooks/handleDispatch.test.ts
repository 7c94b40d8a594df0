import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  DELIVERY_LIFE_MS,
  isDelivered,
  isExpired,
  isGone,
  nextAttemptAt,
  retryAfterMs,
  retryDelaysMs,
} from './handleDispatch.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Every try of a delivery that nobody takes, as times after the first. */
function timetable(chance: number): number[] {
  const at = [0];
  for (;;) {
    const next = nextAttemptAt({ failures: at.length, firstAt: 0, now: at.at(-1) as number, chance, restMs: 0 });
    if (next === null) return at;
    at.push(next);
  }
}

test('tries after 1, 2, 4, 8, 15, 30 minutes, an hour, then daily for 30 days', () => {
  const at = timetable(0);
  const waits = at.slice(1).map((time, index) => time - (at[index] as number));
  assert.deepEqual(waits.slice(0, 8), [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, DAY]);
  assert.deepEqual(new Set(waits.slice(7)), new Set([DAY]));
  assert.equal(at.length, 1 + 7 + 29);
});

test('by chance later, never earlier, never as late as the step after, at least 12 times in 30 days', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 40 }), (chance, failures) => {
      const step = retryDelaysMs[failures - 1] ?? DAY;
      const wait = nextAttemptAt({ failures, firstAt: 0, now: 0, chance, restMs: 0 }) as number;
      assert.ok(wait >= step && wait <= step + Math.min(step / 4, 15 * MINUTE), `${wait}`);
      assert.ok(failures > retryDelaysMs.length || wait < (retryDelaysMs[failures] ?? DAY));
      const at = timetable(chance);
      assert.ok(at.length >= 12 && (at.at(-1) as number) <= DELIVERY_LIFE_MS && (at.at(-1) as number) > 28 * DAY);
    }),
  );
  assert.notDeepEqual(timetable(0.1), timetable(0.9));
});

test('what the receiver asks for is waited for when it is longer than our own step', () => {
  const wait = (restMs: number) => nextAttemptAt({ failures: 1, firstAt: 0, now: 0, chance: 0, restMs });
  assert.deepEqual([wait(0), wait(5_000), wait(2 * HOUR)], [MINUTE, MINUTE, 2 * HOUR]);
});

const now = Date.parse('2026-11-15T12:00:00Z');
const asked: readonly (readonly [status: number, retryAfter: string | null, ms: number])[] = [
  [429, '120', 120_000],
  [503, '120', 120_000],
  [503, ' 7 ', 7_000],
  [429, 'Sun, 15 Nov 2026 12:10:00 GMT', 600_000],
  [429, 'Sun, 15 Nov 2026 11:00:00 GMT', 0],
  [429, 'Tue, 15 Nov 2033 11:00:00 GMT', DAY],
  [429, '99999999', DAY],
  [429, '99999999999999', 0],
  [429, '-5', 0],
  [429, '1e3', 0],
  [429, 'soon', 0],
  [429, '2026-11-15', 0],
  [429, '', 0],
  [429, null, 0],
  [500, '120', 0],
  [302, '120', 0],
];
for (const [status, retryAfter, ms] of asked) {
  test(`${status} with Retry-After ${retryAfter}: ${ms} ms`, () => assert.equal(retryAfterMs({ status, retryAfter }, now), ms));
}

test('only 2xx is delivered, only 410 is the end', () => {
  const all = [null, 100, 199, 200, 201, 204, 299, 300, 301, 302, 304, 400, 404, 410, 429, 500, 503, 600];
  assert.deepEqual(all.filter(isDelivered), [200, 201, 204, 299]);
  assert.deepEqual(all.filter(isGone), [410]);
});

test('30 days count from the first try, or from when it was to be tried first', () => {
  const failure = { at: 0, status: 500, ms: 1, why: 'answered 500' };
  const tried = { dueAt: DELIVERY_LIFE_MS, tries: [failure], earlierTries: 0 };
  assert.deepEqual([isExpired(tried, DELIVERY_LIFE_MS), isExpired(tried, DELIVERY_LIFE_MS + 1)], [false, true]);
  const waiting = { dueAt: 0, tries: [], earlierTries: 0 };
  assert.deepEqual([isExpired(waiting, DELIVERY_LIFE_MS), isExpired(waiting, DELIVERY_LIFE_MS + 1)], [false, true]);
  // Sent again: its earlier attempts count no more.
  const again = { ...tried, earlierTries: 1 };
  assert.deepEqual([isExpired(again, 2 * DELIVERY_LIFE_MS), isExpired(again, 2 * DELIVERY_LIFE_MS + 1)], [false, true]);
});
