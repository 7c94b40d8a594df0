import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterAttended, attendedNow, attendedTimers } from './attended.ts';

test('a process that got no processor for longer than the wait still handles what arrived meanwhile', async () => {
  // What a busy machine does to a process: all of this happens while nothing of it runs.
  const arrives = new Promise((resolve) => setTimeout(() => setImmediate(() => setImmediate(resolve, 'heard')), 20));
  const waited = attendedTimers.within(200, arrives);
  const until = performance.now() + 300;
  while (performance.now() < until);
  assert.equal(await waited, 'heard');
});

test('the control: a plain timer gives up', async () => {
  const arrives = new Promise<string>((resolve) => setTimeout(() => setImmediate(() => setImmediate(resolve, 'heard')), 20));
  const late = new Promise<string>((resolve) => setTimeout(resolve, 20, 'late'));
  const until = performance.now() + 300;
  while (performance.now() < until);
  assert.equal(await Promise.race([arrives, late]), 'late');
});

test('a wait for nothing times out, and a wait can be cancelled', async () => {
  await assert.rejects(attendedTimers.within(50, new Promise(() => {})), /late/);
  let isCalled = false;
  const leaveOff = afterAttended(20, () => {
    isCalled = true;
  });
  leaveOff();
  await new Promise<void>((resolve) => afterAttended(60, resolve));
  assert.equal(isCalled, false);
});

test('the clock of the process stands while the process does, and goes on when it does', async () => {
  const begun = attendedNow();
  const until = performance.now() + 300;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const stood = attendedNow() - begun;
  assert.ok(stood <= 100, `${stood} ms of at most 100, while 300 passed`);
  await new Promise<void>((resolve) => afterAttended(200, resolve));
  assert.ok(attendedNow() - begun - stood >= 150, 'at least 150 ms of 200 in which it was attended');
});
