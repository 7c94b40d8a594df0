import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createThrottler, draw } from './throttle.ts';

const limit = { requests: 3, perSeconds: 60 };

/** The instants of requests in seconds, and which of them pass. */
const cases: [what: string, at: readonly number[], passes: string][] = [
  ['as many at once as the limit says', [0, 0, 0], '+++'],
  ['one more has to wait', [0, 0, 0, 0], '+++-'],
  ['after a third of the time one more', [0, 0, 0, 20, 20], '++++-'],
  ['a refused request costs nothing', [0, 0, 0, 10, 15, 20], '+++--+'],
  ['a rest saves up no more than the limit', [0, 3600, 3600, 3600, 3600], '++++-'],
  ['a clock that goes back fills nothing', [100, 100, 100, 50, 50], '+++--'],
];
for (const [what, at, passes] of cases) {
  test(what, () => {
    let now = 0;
    const throttler = createThrottler({ now: () => now });
    const seen = at.map((second) => {
      now = second * 1000;
      return throttler.waitMs('e', 'refer', limit) === 0 ? '+' : '-';
    });
    assert.equal(seen.join(''), passes);
  });
}

test('entities and operations do not share a limit', () => {
  const throttler = createThrottler({ now: () => 0 });
  const one = { requests: 1, perSeconds: 1 };
  assert.equal(throttler.waitMs('a', 'pay', one), 0);
  assert.notEqual(throttler.waitMs('a', 'pay', one), 0);
  assert.equal(throttler.waitMs('a', 'read', one), 0);
  assert.equal(throttler.waitMs('b', 'pay', one), 0);
  assert.equal(throttler.waitMs('a', 'docs', undefined), 0);
});

test('a caller that waits as long as the reply says is let through', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 3600 }), (requests, perSeconds) => {
      let bucket = draw(undefined, { requests, perSeconds }, 0);
      while (bucket.waitMs === 0) bucket = draw(bucket, { requests, perSeconds }, 0);
      return draw(bucket, { requests, perSeconds }, bucket.waitMs).waitMs === 0;
    }),
  );
});

test('in any window no more passes than the limit and what fills meanwhile', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }), (gaps) => {
      const tight = { requests: 5, perSeconds: 10 };
      let now = 0;
      let passed = 0;
      let bucket: ReturnType<typeof draw> | undefined;
      for (const gap of gaps) {
        now += gap;
        bucket = draw(bucket, tight, now);
        if (bucket.waitMs === 0) passed += 1;
      }
      return passed <= 5 + now / 2_000 + 1e-6;
    }),
  );
});
