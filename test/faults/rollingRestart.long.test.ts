import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBalancer } from '../balancer.ts';
import { skipWithout } from '../debian.ts';
import { startHaproxy } from './haproxy.ts';
import { overload } from './overload.ts';
import { rollNodes } from './rollingRestart.ts';

const skip = await skipWithout('haproxy');

const roll = { nodes: 4, rounds: 2, perSecond: 15 };

test('four nodes behind HAProxy are restarted in turn, twice, and no request fails', { timeout: 900_000, skip }, async (t) => {
  assert.deepEqual(
    await rollNodes(t, { ...roll, drainSeconds: Math.ceil(3 * overload()), balance: (nodes) => startHaproxy(nodes) }),
    [],
  );
});

test('without a pause before the end requests fail: the tests above can see it', { timeout: 900_000 }, async (t) => {
  const failed = await rollNodes(t, { ...roll, drainSeconds: 0, balance: startBalancer });
  assert.notDeepEqual(failed, []);
});
