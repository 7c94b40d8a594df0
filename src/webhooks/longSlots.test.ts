import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLongSlots, longSlots } from './longSlots.ts';

/** Calls that stay open until they are ended by hand. */
function opened() {
  const slots = createLongSlots(longSlots);
  const begun: string[] = [];
  const ends: { readonly merchantId: string; readonly end: () => void }[] = [];
  const call = (merchantId: string) =>
    slots.run(merchantId, async () => {
      begun.push(merchantId);
      await new Promise<void>((end) => ends.push({ merchantId, end }));
      return 'sent';
    });
  const endOne = async (merchantId: string): Promise<void> => {
    const at = ends.findIndex((one) => one.merchantId === merchantId);
    ends.splice(at, 1)[0]?.end();
    await nextTurn();
  };
  return { call, endOne, begun };
}

test('a merchant has two slots, six that wait, and the rest is refused unbegun', async () => {
  const { call, endOne, begun } = opened();
  const calls = Array.from({ length: 9 }, () => call('one'));
  await nextTurn();
  assert.equal(begun.length, longSlots.ofOne);
  assert.equal(await calls[8], null);
  for (let ended = 0; ended < 8; ended += 1) await endOne('one');
  assert.deepEqual(await Promise.all(calls.slice(0, 8)), Array(8).fill('sent'));
  assert.equal(begun.length, 8);
});

test('whoever has many that wait, another merchant gets the next free slot', async () => {
  const { call, endOne, begun } = opened();
  const greedy = ['a', 'b', 'c', 'd'];
  for (const name of greedy) for (let count = 0; count < 5; count += 1) void call(name);
  void call('late');
  await nextTurn();
  assert.equal(begun.length, longSlots.all);
  assert.ok(!begun.includes('late'));
  await endOne('a');
  await endOne('b');
  assert.ok(begun.includes('late'), begun.join());
});

test('work that fails gives its slot back', async () => {
  const slots = createLongSlots({ all: 1, ofOne: 1, waitingOfOne: 1 });
  await assert.rejects(
    slots.run('one', () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await slots.run('one', async () => 'sent'), 'sent');
});
