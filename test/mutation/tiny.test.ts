import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTo, fee, soon, untested } from './tiny.ts';

/** The tests of tiny.ts. The amount at which the fee changes is missing: mutation.test.ts finds that. */
test('a fee', () => {
  assert.deepEqual([fee(1_000n, false), fee(7n, false), fee(7n, true)], [100n, 5n, 0n]);
  untested(1n);
});

test('a count and an answer', async () => {
  assert.equal(countTo(3), 3);
  await soon();
});
