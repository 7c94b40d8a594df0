import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allMerchants } from '../merchants/merchantFilter.ts';
import { examplePayment } from './examples.ts';
import type { World } from './ports.ts';
import { sweep } from './sweep.ts';

const NOW = 1_790_000_000_000;

/** A world whose payments are gone when they are looked at; `msEach` passes with each look. */
function worldWith(count: number, { isBrief, msEach }: { readonly isBrief: boolean; readonly msEach: number }) {
  const seen = { looks: 0, atOnce: 0, most: 0, now: NOW };
  const due = Array.from({ length: count }, (_, at) => ({
    ...examplePayment({ id: String(at), phase: { at: 'doubt', tries: 1, dueAt: NOW } }),
    ...(isBrief && { isBrief }),
  }));
  const store = {
    claimDue: async () => due,
    releaseSwept: async () => {},
    family: async () => {
      seen.looks += 1;
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await nextTurn();
      seen.atOnce -= 1;
      seen.now += msEach;
      return null;
    },
  };
  return { seen, world: { store, clock: { now: () => seen.now } } as unknown as World };
}

const batch = { limit: 100, merchants: allMerchants };

test('payments with long carts are looked at a few at a time, others at once', async () => {
  const [long, short] = [worldWith(20, { isBrief: true, msEach: 0 }), worldWith(20, { isBrief: false, msEach: 0 })];
  for (const { world } of [long, short])
    assert.deepEqual(await sweep(world, batch), {
      looked: 20,
      settled: 0,
      stillDue: 0,
      failed: 20,
      oldestMs: NOW - examplePayment().createdAt,
    });
  assert.deepEqual([long.seen.most, short.seen.most], [4, 20]);
});

test('long payments do not keep a sweep for longer than others can wait: the rest stays due', async () => {
  const { world, seen } = worldWith(20, { isBrief: true, msEach: 3_000 });
  const { looked, stillDue, failed } = await sweep(world, batch);
  assert.ok(seen.looks >= 7 && seen.looks <= 11, `${seen.looks} looks`);
  assert.deepEqual([looked, failed, stillDue], [20, seen.looks, 20 - seen.looks]);
});
