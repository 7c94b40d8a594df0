import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots, uploadSlots } from './merchantSlots.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `merchant${at}`);

test('eight slow uploads of one merchant leave room for all others', () => {
  const slots = createSlots(uploadSlots);
  const own = Array.from({ length: 8 }, () => slots.enter('slow'));
  assert.equal(own.filter((leave) => leave !== null).length, uploadSlots.ofOne);
  assert.deepEqual(
    names(20).filter((name) => slots.enter(name) === null),
    [],
  );
});

test('there are never more than there are slots, and no merchant has the last ones twice', () => {
  const slots = createSlots(uploadSlots);
  const first = names(100).filter((name) => slots.enter(name) !== null);
  assert.equal(first.length, uploadSlots.all);
  assert.equal(slots.enter('merchant0'), null);
});

test('a slot that was given back can be taken again', () => {
  const slots = createSlots({ ofOne: 1, shared: 1, all: 1 });
  const leave = slots.enter('one');
  assert.equal(slots.enter('other'), null);
  leave?.();
  assert.notEqual(slots.enter('other'), null);
});
