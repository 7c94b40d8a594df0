import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growsWithSize, leastCpuMs } from './work.ts';

const linear = (size: number) => () => {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum = (sum * 31 + at) | 0;
  return sum;
};
const square = (size: number) => () => linear(size * size)();

test('work that grows with its size passes, and work that grows with its square does not', () => {
  assert.equal(growsWithSize({ less: linear(5_000_000), more: linear(40_000_000), times: 8 }), null);
  assert.match(growsWithSize({ less: square(1_500), more: square(12_000), times: 8 }) ?? '', /in 8 pieces: at most/);
});

test('waiting is no work', async () => {
  const until = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  assert.ok(leastCpuMs(until, 2) < 100, 'a wait of 200 ms counts as less than 100 ms of work');
});
