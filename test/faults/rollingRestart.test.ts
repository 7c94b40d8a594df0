import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBalancer } from '../balancer.ts';
import { overload } from './overload.ts';
import { rollNodes } from './rollingRestart.ts';

test('two nodes behind a balancer are restarted in turn, and no request fails', { timeout: 240_000 }, async (t) => {
  // Health checks of an overloaded machine take seconds.
  const drainSeconds = Math.ceil(3 * overload());
  const roll = { nodes: 2, rounds: 1, perSecond: 30, drainSeconds, balance: startBalancer };
  assert.deepEqual(await rollNodes(t, roll), []);
});
