import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from './instrument.ts';

/** Runs a function of this source, and returns how often each of its blocks was reached. */
function countsOf(source: string, ...values: readonly unknown[]): readonly number[] {
  const counts: number[] = [];
  const counted = instrument(source, '', () => {
    counts.push(0);
    return `hit(${counts.length - 1})`;
  });
  const run = new Function('hit', 'values', `${counted}; return one(...values);`);
  run((at: number) => {
    counts[at] = (counts[at] ?? 0) + 1;
  }, values);
  return counts;
}

test('every function and every branch is counted, the missing else too', () => {
  const source = 'function one(a) { if (a > 1) return "x"; return a === 1 ? "y" : "z"; }';
  assert.deepEqual(countsOf(source, 2), [1, 1, 0, 0, 0]);
  assert.deepEqual(countsOf(source, 1), [1, 0, 1, 1, 0]);
  assert.deepEqual(countsOf(source, 0), [1, 0, 1, 0, 1]);
});

test('loops, cases, catches, short circuits and short functions are counted, inside each other', () => {
  const source = `const two = (a) => a * 2;
    function one(a) {
      let sum = 0;
      for (let at = 0; at < a; at += 1) sum += two(at);
      switch (sum) { case 0: return 0; default: sum += 1; }
      try { if (sum > 5 && a > 2) throw new Error('x'); else sum += 1; } catch { return sum ?? 7; }
      return sum || 9;
    }`;
  assert.deepEqual(countsOf(source, 0), [0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(countsOf(source, 3), [3, 1, 3, 0, 1, 1, 0, 1, 1, 0, 0]);
});

test('lines stay where they are', () => {
  const source = 'function one() {\n  // why\n  return 1;\n}\n';
  assert.equal(instrument(source, 'head;', () => 'hit()').split('\n').length, source.split('\n').length);
});
