import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { EndpointName } from '../spec/endpoints.ts';
import { createSharedThrottler, createThrottleMemory, createThrottler } from './throttle.ts';

const T0 = 1_790_000_000_000;
const clockAt = (at: number) => {
  const clock = { at, now: () => clock.at };
  return clock;
};

test('two threads together are throttled like one', () => {
  const clock = clockAt(T0);
  const memory = createThrottleMemory(7);
  const threads = [createSharedThrottler(memory, clock), createSharedThrottler(memory, clock)];
  const alone = createThrottler(clock);
  const limits = [
    { requests: 5, perSeconds: 1 },
    { requests: 3, perSeconds: 60 },
  ];
  for (let call = 0; call < 2_000; call += 1) {
    clock.at += (call * 7_919) % 333;
    const entityId = `entity ${call % 3}`;
    const operation: EndpointName = call % 5 === 0 ? 'read' : 'pay';
    const limit = limits[call % 3 === 0 ? 1 : 0];
    const waits = threads[(call * 31) % 2]?.waitMs(entityId, operation, limit);
    assert.equal(waits, alone.waitMs(entityId, operation, limit), `call ${call}`);
  }
});

test('without a limit nothing is counted', () => {
  const memory = createThrottleMemory(7);
  assert.equal(createSharedThrottler(memory, clockAt(T0)).waitMs('entity', 'pay', undefined), 0);
  assert.deepEqual(
    [...memory.floats].filter((cell) => cell !== 0),
    [],
  );
});

test('of many more buckets than there are places, each is counted by itself while it is in use', () => {
  const clock = clockAt(T0);
  const throttler = createSharedThrottler(createThrottleMemory(3), clock);
  const limit = { requests: 2, perSeconds: 3_600 };
  for (let entity = 0; entity < 40_000; entity += 1) {
    const waits = [1, 2, 3].map(() => throttler.waitMs(`entity ${entity}`, 'pay', limit) > 0);
    assert.deepEqual(waits, [false, false, true]);
    clock.at += 1;
  }
});

test('threads at the same time let exactly the limit pass', async () => {
  const memory = createThrottleMemory(11);
  const limit = { requests: 1_000, perSeconds: 86_400 };
  const script = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { createSharedThrottler } from '${new URL('./throttle.ts', import.meta.url)}';
    const throttler = createSharedThrottler(workerData.memory, { now: () => ${T0} });
    let passed = 0;
    for (let call = 0; call < 5_000; call += 1) if (throttler.waitMs('entity', 'pay', workerData.limit) === 0) passed += 1;
    parentPort.postMessage(passed);`;
  const passed = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { workerData: { memory, limit } });
      return new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  );
  assert.equal(
    passed.reduce((sum, count) => sum + count, 0),
    1_000,
  );
});
