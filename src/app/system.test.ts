import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds, sleep, timers } from './system.ts';

test('ids have the time in front and eighty random bits behind', () => {
  const ids = createIds(() => 0x0198c0ffee42);
  const seen = new Set(Array.from({ length: 20_000 }, () => ids.next()));
  assert.equal(seen.size, 20_000);
  for (const id of seen) assert.match(id, /^0198c0ffee42[0-9a-f]{20}$/);
});

test('ids of later instants sort behind', () => {
  let now = 1_000;
  const ids = createIds(() => now);
  const first = ids.next();
  now = 2_000_000_000_000;
  assert.ok(first < ids.next());
});

test('random and short ids have their shapes', () => {
  const ids = createIds(() => 0);
  for (let n = 0; n < 5_000; n += 1) {
    assert.match(ids.random(), /^[0-9a-f]{32}$/);
    assert.match(ids.short(), /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/);
  }
});

test('a promise in time is passed on, whatever it says', async () => {
  assert.equal(await timers.within(1_000, Promise.resolve(7)), 7);
  await assert.rejects(timers.within(1_000, Promise.reject(new Error('no'))), /^Error: no$/);
});

test('a promise that takes too long is late', async () => {
  await assert.rejects(timers.within(5, new Promise(() => {})), /^Error: late$/);
});

test('a sleeper can be woken', async () => {
  const waker = new AbortController();
  const sleeping = sleep(60_000, waker.signal);
  waker.abort();
  await sleeping;
  await sleep(60_000, waker.signal);
});
