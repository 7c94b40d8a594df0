import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Planted, planted } from './planted.ts';
import { simulate } from './simulate.ts';

/** R2: a simulation that finds nothing proves nothing until it has found what was hidden in it. */
const SEEDS_MAX = 500;
const GUARDED_SEEDS = 30;

async function firstFind(bug: Planted): Promise<{ readonly seed: number; readonly says: string } | null> {
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const { broken } = await simulate(seed, { planted: bug });
    const found = broken.find(({ invariant }) => bug.breaks.includes(invariant));
    if (found) return { seed, says: `${found.invariant}, ${found.says.split('\n')[0]}` };
  }
  return null;
}

test('there are at least 15 planted bugs, and six at least about each of the later parts', () => {
  assert.ok(planted.length >= 15);
  for (const part of ['T', 'R']) {
    assert.ok(planted.filter(({ breaks }) => breaks.some((one) => one.startsWith(part))).length >= 6, part);
  }
  assert.ok(planted.filter(({ doors, breaks }) => doors || breaks.some((one) => one.startsWith('A'))).length >= 6);
  assert.ok(planted.filter(({ breaks }) => breaks.some((one) => one.startsWith('S'))).length >= 6);
});

for (const bug of planted) {
  test(`found: ${bug.name}`, async (context) => {
    const found = await firstFind(bug);
    assert.ok(found, `not found in ${SEEDS_MAX} seeds`);
    context.diagnostic(`after ${found.seed} seeds by ${found.says}`);
  });
}

for (const bug of planted.filter(({ isStopped }) => isStopped)) {
  test(`stopped by the guards of the store: ${bug.name}`, async () => {
    let isAsked = false;
    for (let seed = 1; seed <= GUARDED_SEEDS || (seed <= SEEDS_MAX && !isAsked); seed += 1) {
      const { broken } = await simulate(seed, { planted: bug, isGuarded: true });
      // The stores add up; how many captures and which was the last is for the domain alone.
      const astray = broken.filter(({ invariant }) => ['I1', 'I2', 'I4', 'I13'].includes(invariant));
      assert.deepEqual(astray, []);
      isAsked ||= broken.some(({ says }) => says.includes('the store refused the sums'));
    }
    assert.ok(isAsked, 'the guard was never asked');
  });
}
