import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { boundedStore, LONG_MS_MAX } from './bounded.ts';
import { createMemoryStore } from './memory/memoryStore.ts';
import type { Store } from './store.ts';

const never = () => new Promise<never>(() => {});

/** Time that is over when the test says so. */
function createWatch() {
  const late: (() => void)[] = [];
  const asked: number[] = [];
  const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      asked.push(ms);
      late.push(() => reject(new Error('late')));
      promise.then(resolve, reject);
    });
  return { late, asked, within };
}

test('a call that never settles ends with an unknown outcome, whatever it is', async () => {
  const silent = Object.fromEntries(Object.keys(createMemoryStore()).map((name) => [name, never])) as unknown as Store;
  const watch = createWatch();
  const store = boundedStore(silent, watch);
  // Neither asks the database: the end has a bound of its own.
  const calls = Object.entries(store).filter(([name]) => name !== 'close' && name !== 'connections');
  assert.ok(calls.length > 100, `only ${calls.length} calls`);
  for (const [name, call] of calls) {
    const asked = (call as () => Promise<unknown>)();
    watch.late.at(-1)?.();
    await assert.rejects(asked, (error: Error) => error instanceof UnknownOutcome && error.message.includes(name), name);
  }
  assert.deepEqual(new Set(watch.asked), new Set([60_000, LONG_MS_MAX]));
});

test('answers and errors of the store itself pass unchanged', async () => {
  const store = boundedStore(createMemoryStore(), createWatch());
  assert.equal(await store.payment('m', 'p'), null);
  await store.close();
  await assert.rejects(store.payment('m', 'p'), StoreOutOfOrder);
});
