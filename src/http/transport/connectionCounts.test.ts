import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworkCounts, createSharedConnectionCount, createSharedNetworkCounts } from './connectionCounts.ts';

const cells = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count));
const slots = cells(65_536);

const kinds = {
  'one thread': () => createNetworkCounts(),
  'all threads': () => createSharedNetworkCounts(slots, 77),
};

for (const [name, create] of Object.entries(kinds)) {
  test(`networks, ${name}: each is counted by itself, up and down`, () => {
    const counts = create();
    assert.deepEqual([counts.add('10.0.0.1'), counts.add('10.0.0.1'), counts.add('10.0.0.2')], [1, 2, 1]);
    counts.remove('10.0.0.1');
    assert.equal(counts.add('10.0.0.1'), 2);
    for (const network of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) counts.remove(network);
    assert.equal(counts.add('10.0.0.2'), 1);
    counts.remove('10.0.0.2');
  });
}

test('threads see what others have counted, and no slot of a thousand networks is taken by many', () => {
  const [one, other] = [createSharedNetworkCounts(slots, 5), createSharedNetworkCounts(slots, 5)];
  one.add('192.0.2.1');
  assert.equal(other.add('192.0.2.1'), 2);
  const most = Math.max(...Array.from({ length: 1_000 }, (_, at) => one.add(`10.${at % 4}.${at >> 2}.7`)));
  assert.ok(most <= 3, `${most} networks in one slot`);
});

test('connections of all threads: as many as allowed, and one that was refused is not counted', () => {
  const shared = cells(1);
  const threads = [createSharedConnectionCount(shared, 3), createSharedConnectionCount(shared, 3)];
  assert.deepEqual(
    [0, 1, 0, 1, 0].map((thread) => threads[thread]?.enter()),
    [true, true, true, false, false],
  );
  threads[1]?.leave();
  assert.deepEqual([threads[0]?.enter(), threads[1]?.enter()], [true, false]);
});
