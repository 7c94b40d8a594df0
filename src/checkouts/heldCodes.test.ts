import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldCodes } from './heldCodes.ts';

function heldAt(start: number) {
  let now = start;
  const clock = { now: () => now };
  const code = { fields: { 'card.cvv': '123' }, until: 100, clock };
  return { held: createHeldCodes(), code, set: (at: number) => (now = at) };
}

test('kept for its checkout, until its time is over or it is dropped', () => {
  const { held, code, set } = heldAt(0);
  held.keep('a', code);
  assert.deepEqual([held.of('a'), held.of('b')], [code.fields, {}]);
  set(100);
  assert.deepEqual(held.of('a'), {});
  set(0);
  held.drop('a');
  assert.deepEqual(held.of('a'), {});
});

test('a form without a code leaves none of the form before it', () => {
  const { held, code } = heldAt(0);
  held.keep('a', code);
  held.keep('a', { ...code, fields: {} });
  assert.deepEqual(held.of('a'), {});
});

test('an expired code is gone, not only unseen', () => {
  const { held, code, set } = heldAt(0);
  held.keep('a', code);
  held.keep('b', { ...code, until: 200 });
  set(150);
  held.forget();
  set(0);
  assert.deepEqual([held.of('a'), held.of('b')], [{}, code.fields]);
});

test('a code expires by the clock of its own merchant', () => {
  const { held, code, set } = heldAt(0);
  held.keep('a', code);
  held.keep('b', { ...code, clock: { now: () => 0 } });
  set(150);
  held.forget();
  assert.deepEqual([held.of('a'), held.of('b')], [{}, code.fields]);
});

test('a flood does not fill the memory: the oldest go', () => {
  const { held, code } = heldAt(0);
  for (let count = 0; count <= 10_000; count += 1) held.keep(`c${count}`, code);
  assert.deepEqual([held.of('c0'), held.of('c1')], [{}, code.fields]);
});
