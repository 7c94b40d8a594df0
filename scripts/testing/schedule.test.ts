import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Unit } from './plan.ts';
import { type Cost, costOf, createIdleMeter, readTimes, runUnits } from './schedule.ts';

const root = join(import.meta.dirname, '..', '..');
const alone = (file: string): Unit => ({ files: [file], isShared: false });

/** Runs files of these costs step by step: `idle` says how many processors are idle at each tick, `ends` which file ends then. */
async function stage(costs: Readonly<Record<string, Cost>>, steps: readonly { readonly idle: number; readonly ends?: string }[]) {
  const running = new Map<string, () => void>();
  const seen: (readonly string[])[] = [];
  let at = -1;
  const order: string[] = [];
  await runUnits(Object.keys(costs).map(alone), {
    recorded: costs,
    processors: 2,
    idle: () => steps[at]?.idle ?? 0,
    tick: async () => {
      // The units that were started since the last tick are in place.
      await new Promise((resolve) => setImmediate(resolve));
      if (at >= 0) seen.push([...running.keys()]);
      at += 1;
      const { ends = null } = steps[at] ?? {};
      for (const [file, end] of running) if (at >= steps.length || file === ends) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
    run: ({ files: [file = ''] }) => {
      order.push(file);
      return new Promise<void>((resolve) =>
        running.set(file, () => {
          running.delete(file);
          resolve();
        }),
      );
    },
  });
  return { seen, order };
}

const computing = (wallS: number): Cost => ({ wallS, cpuS: wallS });
const waiting = (wallS: number): Cost => ({ wallS, cpuS: wallS / 10 });

test('the longest computing files begin, one for each processor, and two that wait; the next begins when one ends', async () => {
  const costs = { a: computing(1), b: computing(9), c: computing(5), u: waiting(3), v: waiting(8), w: waiting(20) };
  const { seen, order } = await stage(costs, [{ idle: 0 }, { idle: 0, ends: 'b' }, { idle: 0 }]);
  assert.deepEqual(seen[0], ['b', 'c', 'w', 'v']);
  assert.deepEqual(seen[1], ['c', 'w', 'v', 'a']);
  assert.deepEqual(order, ['b', 'c', 'w', 'v', 'a', 'u'], 'every file runs once');
});

test('an idle processor gets a further file, one at a time, and the longest that waits is the first', async () => {
  const costs = {
    a: computing(9),
    b: computing(8),
    c: computing(7),
    t: waiting(40),
    u: waiting(30),
    v: waiting(3),
    w: waiting(20),
  };
  const { seen } = await stage(costs, [{ idle: 0 }, { idle: 1 }, { idle: 0.1 }, { idle: 1 }, { idle: 1 }]);
  assert.deepEqual(seen, [...seen].sort((one, other) => one.length - other.length).slice(0, seen.length));
  assert.deepEqual(seen[1], ['a', 'b', 't', 'u', 'w']);
  assert.deepEqual(seen[2], ['a', 'b', 't', 'u', 'w']);
  assert.deepEqual(seen[3], ['a', 'b', 't', 'u', 'w', 'v']);
  assert.deepEqual(seen[4], ['a', 'b', 't', 'u', 'w', 'v', 'c']);
});

test('eight files run together at most', async () => {
  const costs = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`w${at}`, waiting(10)]));
  const { seen, order } = await stage(costs, Array(12).fill({ idle: 2 }));
  assert.equal(Math.max(...seen.map((files) => files.length)), 8);
  assert.equal(new Set(order).size, 12);
  assert.equal(order.length, 12);
});

test('the cost of a unit is that of its files; a file that is not in the table has a usual cost', () => {
  const recorded = { 'a.test.ts': { wallS: 4, cpuS: 1 } };
  const files = ['a.test.ts', 'b.test.ts'];
  assert.deepEqual(costOf({ files, isShared: true }, recorded), { wallS: 4.5, cpuS: 1.5 });
  assert.deepEqual(costOf(alone('b.test.ts'), recorded), { wallS: 3, cpuS: 3 });
});

test('idle processors are measured', () => {
  const idle = createIdleMeter();
  const until = performance.now() + 200;
  while (performance.now() < until);
  const processors = idle();
  assert.ok(processors >= 0, `${processors} processors were idle`);
});

test('the table of times names files that exist, but for a few that have been moved since', () => {
  const files = Object.keys(readTimes());
  const gone = files.filter((file) => !existsSync(join(root, file)));
  assert.ok(gone.length * 10 <= files.length, `write the table anew (npm test -- --times): ${gone.join(', ')}`);
});
