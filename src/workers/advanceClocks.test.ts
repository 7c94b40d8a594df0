import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clocks, nowOf, realClock } from '../merchants/clocks.ts';
import type { MerchantClock } from '../merchants/ports.ts';
import { createClockAdvancer } from './advanceClocks.ts';

const MERCHANT = 'm';
const NOW = 1_000_000;

test('a clock moves until the work of its last instant is done, and is moved again after that', async () => {
  let row: MerchantClock = { ...realClock(MERCHANT), frozenAt: NOW };
  const held = Promise.withResolvers<void>();
  const clocks = {
    row: () => row,
    save: async (next: MerchantClock) => {
      row = next;
      return true;
    },
    of: () => ({ now: () => nowOf(row, NOW) }),
  } as unknown as Clocks;
  const advancer = createClockAdvancer({
    clocks,
    store: { nextDueAt: async () => null, releaseClaims: async () => {}, makeDeliveriesDue: async () => {} },
    clock: { now: () => NOW },
    // The caller waits no longer.
    sleep: async () => {},
    prepare: async () => {},
    work: async () => ({ payments: 0, runs: 0, deliveries: 0 }),
    arrive: () => held.promise.then(() => false),
    isAlone: true,
    alarm: assert.fail,
  });
  assert.ok(await advancer.advance(MERCHANT, NOW + 1_000));
  while (row.target !== null) await new Promise(setImmediate);
  assert.ok(advancer.isAdvancing(MERCHANT), 'it has arrived, and payments are still asked about');
  assert.equal(await advancer.advance(MERCHANT, NOW + 2_000), null);
  held.resolve();
  await advancer.stop();
  assert.ok(!advancer.isAdvancing(MERCHANT));
  assert.ok(await advancer.advance(MERCHANT, NOW + 2_000));
});
