import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createClocks,
  freeze,
  isReal,
  nowOf,
  realClock,
  realClocks,
  releaseAdvance,
  resetToReal,
  startAdvance,
  step,
} from './clocks.ts';
import type { MerchantClock } from './ports.ts';

const REAL = 1_790_000_000_000;
const fresh = realClock('m');

test('an untouched clock shows real time', () => {
  assert.deepEqual([nowOf(fresh, REAL), isReal(fresh)], [REAL, true]);
  assert.deepEqual(resetToReal(freeze(fresh, REAL)), { ...fresh, revision: 2 });
});

test('a frozen clock stays, advances to its target and stays there', () => {
  const stands = freeze(fresh, REAL);
  assert.deepEqual([nowOf(stands, REAL + 5), isReal(stands)], [REAL, false]);
  const there = step(startAdvance(stands, REAL + 100, REAL + 7), REAL + 100, REAL + 8);
  assert.partialDeepStrictEqual(there, { frozenAt: REAL + 100, target: null, steppedAt: REAL + 8, revision: 3 });
});

test('a running clock runs on from where it was moved to', () => {
  const half = step(startAdvance(fresh, REAL + 100, REAL), REAL + 50, REAL + 1);
  assert.deepEqual([nowOf(half, REAL + 1), half.target, isReal(half)], [REAL + 50, REAL + 100, false]);
  const there = step(half, REAL + 100, REAL + 3);
  assert.deepEqual([nowOf(there, REAL + 13), there.target], [REAL + 110, null]);
});

test('one that is stopped goes no further, and one that is left can be taken up at once', () => {
  const moving = startAdvance(fresh, REAL + 100, REAL);
  assert.partialDeepStrictEqual(freeze(moving, REAL + 9), { frozenAt: REAL + 9, target: null });
  assert.partialDeepStrictEqual(releaseAdvance(moving), { target: REAL + 100, steppedAt: 0, revision: 2 });
});

test('however it is stepped, a clock never goes back and never stays on its way behind its target', () => {
  const steps = fc.array(fc.record({ instant: fc.integer({ min: -50, max: 200 }), passed: fc.nat({ max: 40 }) }));
  fc.assert(
    fc.property(steps, fc.boolean(), (all, stands) => {
      let [clock, now] = [startAdvance(stands ? freeze(fresh, REAL) : fresh, REAL + 100, REAL), REAL];
      for (const { instant, passed } of all) {
        const before = nowOf(clock, now + passed);
        now += passed;
        clock = step(clock, REAL + instant, now);
        assert.ok(nowOf(clock, now) >= before);
        assert.equal(clock.target !== null && nowOf(clock, now) >= clock.target, false);
      }
    }),
  );
});

function rows() {
  const kept = new Map<string, MerchantClock>();
  return {
    kept,
    clocks: async () => [...kept.values()],
    saveClock: async (clock: MerchantClock) => {
      if ((kept.get(clock.merchantId)?.revision ?? 0) + 1 !== clock.revision) return false;
      kept.set(clock.merchantId, clock);
      return true;
    },
  };
}

test('merchants without a row share the real clock; each with a test clock has its own, always the same object', async () => {
  const [store, base] = [rows(), { now: () => REAL }];
  const clocks = await createClocks(store, base);
  assert.deepEqual([clocks.of('m') === base, clocks.of(null) === base, clocks.withTestClock()], [true, true, []]);
  assert.equal(await clocks.save({ ...freeze(fresh, REAL), frozenAt: REAL - 9 }), true);
  assert.deepEqual(
    [clocks.of('m').now(), clocks.of('n').now(), clocks.withTestClock(), clocks.earliest()],
    [REAL - 9, REAL, ['m'], REAL - 9],
  );
  const face = clocks.of('m');
  assert.equal(await clocks.save(resetToReal(clocks.row('m'))), true);
  assert.deepEqual([clocks.of('m') === face, face.now(), clocks.withTestClock(), clocks.earliest()], [true, REAL, [], REAL]);
});

test('a change of another node counts once the rows are read, and a lost race reads them at once', async () => {
  const store = rows();
  const [one, other] = [await createClocks(store, { now: () => REAL }), await createClocks(store, { now: () => REAL })];
  await one.save(freeze(fresh, REAL - 5));
  assert.deepEqual(other.withTestClock(), []);
  assert.equal(await other.save(freeze(fresh, REAL)), false);
  assert.deepEqual([other.of('m').now(), other.withTestClock()], [REAL - 5, ['m']]);
  await one.save(startAdvance(one.row('m'), REAL + 5, REAL));
  await other.refresh();
  assert.deepEqual(
    other.advancing().map(({ target }) => target),
    [REAL + 5],
  );
});

test('where there are no clocks of merchants nothing is read and nothing moves', async () => {
  const base = { now: () => REAL };
  const clocks = realClocks(base);
  assert.deepEqual(
    [clocks.of('m') === base, await clocks.save(freeze(fresh, 1)), clocks.withTestClock(), clocks.advancing()],
    [true, false, [], []],
  );
});
