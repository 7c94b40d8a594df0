import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../payments/ports.ts';
import { codesOf, dropCodes, forgetCodes, keepCodes } from './codes.ts';

/** As much of a world as a code has to do with. */
function worldAt(start: number): World & { set(now: number): void } {
  let now = start;
  const world = { clock: { now: () => now }, set: (at: number) => (now = at) };
  return world as unknown as World & { set(now: number): void };
}
const CODE = { fields: { 'card.cvv': '123' }, until: 100 };

test('kept for its checkout, until its time is over or it is dropped', () => {
  const world = worldAt(0);
  keepCodes(world, 'a', CODE);
  assert.deepEqual([codesOf(world, 'a'), codesOf(world, 'b')], [CODE.fields, {}]);
  world.set(100);
  assert.deepEqual(codesOf(world, 'a'), {});
  world.set(0);
  dropCodes(world, 'a');
  assert.deepEqual(codesOf(world, 'a'), {});
});

test('a form without a code leaves none of the form before it', () => {
  const world = worldAt(0);
  keepCodes(world, 'a', CODE);
  keepCodes(world, 'a', { fields: {}, until: 100 });
  assert.deepEqual(codesOf(world, 'a'), {});
});

test('what nobody came for is gone, not only unseen', () => {
  const world = worldAt(0);
  keepCodes(world, 'a', CODE);
  keepCodes(world, 'b', { ...CODE, until: 200 });
  world.set(150);
  forgetCodes(world);
  world.set(0);
  assert.deepEqual([codesOf(world, 'a'), codesOf(world, 'b')], [{}, CODE.fields]);
});

test('a flood does not fill the memory: the oldest go', () => {
  const world = worldAt(0);
  for (let count = 0; count <= 10_000; count += 1) keepCodes(world, `c${count}`, CODE);
  assert.deepEqual([codesOf(world, 'c0'), codesOf(world, 'c1')], [{}, CODE.fields]);
});
