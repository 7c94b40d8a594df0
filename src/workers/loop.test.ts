import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timers as realTimers } from '../app/system.ts';
import {
  ABANDONED_MAX,
  BACK_OFF_MS_MAX,
  createJobRecords,
  type Job,
  type JobOutcome,
  LIMIT_MS,
  restMs,
  startLoop,
} from './loop.ts';

type Limited = { readonly ms: number; readonly late: () => void };

/** A clock that advances only in `sleep`, and a promise that resolves after `sleeps` calls of it. */
function createFixture(sleeps: number) {
  const slept: number[] = [];
  const errors: { readonly about: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  const ends: [name: string, end: JobOutcome][] = [];
  const limits: Limited[] = [];
  let [wake, nowMs] = [() => {}, 0];
  const over = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    slept.push(ms);
    nowMs += ms;
    if (slept.length < sleeps) return;
    wake();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      limits.push({ ms, late: () => reject(new Error('late')) });
      promise.then(resolve, reject);
    });
  const records = createJobRecords({ now: () => nowMs, onEnd: (name, end) => ends.push([name, end]) });
  const log = { error: (about: object, message: string) => errors.push({ about: { ...about }, message }) };
  return {
    slept,
    errors,
    ends,
    limits,
    over,
    records,
    needs: { sleep, timers: { within }, records, log },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets all pending microtasks and immediates run. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const GRACE_MS = 1_000;

test('a job runs at its interval until the loop stops', async () => {
  const fixture = createFixture(4);
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const job: Job = { name: 'count', everyMs: 1_000, run };
  const loop = startLoop([job], fixture.needs);
  await fixture.over;
  assert.deepEqual(await loop.stop(GRACE_MS), []);
  assert.deepEqual(fixture.slept, [1_000, 1_000, 1_000, 1_000]);
  assert.equal(runs, 3);
});

test('an error is logged, the pause grows with each failure, and the job recovers', async () => {
  const fixture = createFixture(6);
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 3) throw new Error('out of order');
  };
  const loop = startLoop([{ name: 'sweep', everyMs: 1_000, run }], fixture.needs);
  await fixture.over;
  await loop.stop(GRACE_MS);
  assert.deepEqual(fixture.slept, [1_000, 2_000, 4_000, 8_000, 1_000, 1_000]);
  assert.equal(fixture.errors.length, 3);
  assert.deepEqual(
    fixture.ends.map(([, end]) => end),
    ['failed', 'failed', 'failed', 'succeeded', 'succeeded'],
  );
});

test('a job that throws synchronously is handled like one that rejects', async () => {
  const fixture = createFixture(2);
  const run = () => {
    throw new Error('at once');
  };
  const loop = startLoop([{ name: 'rash', everyMs: 10, run }], fixture.needs);
  await fixture.over;
  await loop.stop(GRACE_MS);
  assert.equal(fixture.errors.length, 1);
});

test('a job does not overlap itself within its limit, and stop waits for it', async () => {
  let [now, most, finished] = [0, 0, 0];
  const run = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    finished += 1;
  };
  const records = createJobRecords({ now: () => 0, onEnd: () => {} });
  const needs = { sleep: async () => {}, timers: realTimers, records, log: { error: () => {} } };
  const loop = startLoop([{ name: 'slow', everyMs: 1, run }], needs);
  while (finished < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(await loop.stop(10_000), []);
  assert.equal(most, 1);
  assert.equal(now, 0);
});

test('a run that exceeds its limit is aborted and counted as abandoned, and the next one starts', async () => {
  const fixture = createFixture(4);
  const signals: AbortSignal[] = [];
  const run = async (signal: AbortSignal) => {
    signals.push(signal);
    if (signals.length === 1) await new Promise(() => {});
  };
  const loop = startLoop([{ name: 'seal', everyMs: 1_000, limitMs: 5_000, run }], fixture.needs);
  await settle();
  assert.equal(signals.length, 1);
  assert.equal(fixture.ends.length, 0);
  fixture.limits[0]?.late();
  await fixture.over;
  assert.deepEqual(
    fixture.limits.slice(0, 2).map(({ ms }) => ms),
    [5_000, 5_000],
  );
  assert.deepEqual(
    fixture.ends.map(([, end]) => end),
    ['abandoned', 'succeeded', 'succeeded'],
  );
  assert.equal(signals[0]?.aborted, true);
  assert.equal(signals[1]?.aborted, false);
  // It rests as after an error: a store that is silent is not asked more often for it.
  assert.deepEqual(fixture.slept, [1_000, 2_000, 1_000, 1_000]);
  assert.equal(fixture.errors.length, 1);
  const logged = fixture.errors[0];
  assert.deepEqual([logged?.about.job, logged?.about.limitMs, logged?.about.abandoned], ['seal', 5_000, 1]);
  assert.match(logged?.message ?? '', /exceeded its time limit/);
  await loop.stop(GRACE_MS);
});

test('abandoned runs of one job are limited; the job continues when one of them ends', async () => {
  const again = createFixture(Number.POSITIVE_INFINITY);
  const hung: (() => void)[] = [];
  // Sleeps that take a turn of the event loop: a loop that only rests must not keep everybody else from running.
  const sleep = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => (signal.aborted ? resolve() : setImmediate(resolve)));
  const second = startLoop([{ name: 'stuck', everyMs: 1, run: () => new Promise<void>((resolve) => hung.push(resolve)) }], {
    ...again.needs,
    sleep,
  });
  for (let at = 0; at < ABANDONED_MAX; at += 1) {
    await settle();
    again.limits[at]?.late();
  }
  await settle();
  assert.equal(hung.length, ABANDONED_MAX);
  assert.equal(again.limits[0]?.ms, LIMIT_MS);
  hung[0]?.();
  await settle();
  assert.equal(hung.length, ABANDONED_MAX + 1);
  await Promise.all([second.stop(0), settle().then(() => again.limits.at(-1)?.late())]);
});

test('stop waits for a hanging job up to the grace period and names it', async () => {
  const fixture = createFixture(2);
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>(() => {});
  };
  const loop = startLoop([{ name: 'hangs', everyMs: 10, run }], fixture.needs);
  await settle();
  const stopping = loop.stop(GRACE_MS);
  await settle();
  assert.equal(signals[0]?.aborted, true);
  assert.equal(fixture.limits.at(-1)?.ms, GRACE_MS);
  fixture.limits.at(-1)?.late();
  assert.deepEqual(await stopping, ['hangs']);
});

test('the age of a job counts from its last successful run, its silence from the last run that ended by itself', async () => {
  const fixture = createFixture(Number.POSITIVE_INFINITY);
  fixture.records.add({ name: 'one', everyMs: 1_000, isVital: true, run: async () => {} });
  const recordOf = () => fixture.records.list()[0];
  fixture.pass(5_000);
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [5_000, 5_000]);
  fixture.records.begin('one')('failed');
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [5_000, 0]);
  fixture.pass(1_000);
  fixture.records.begin('one')('abandoned');
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [6_000, 1_000]);
  fixture.records.begin('one')('succeeded');
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs, recordOf()?.isVital], [0, 0, true]);
});

const rests: [everyMs: number, failures: number, expected: number][] = [
  [1_000, 0, 1_000],
  [1_000, 1, 2_000],
  [1_000, 5, 32_000],
  [1_000, 6, BACK_OFF_MS_MAX],
  [1_000, 5_000, BACK_OFF_MS_MAX],
  [3_600_000, 3, 3_600_000],
];
for (const [everyMs, failures, expected] of rests) {
  test(`every ${everyMs} ms after ${failures} failures: ${expected} ms`, () =>
    assert.equal(restMs({ everyMs }, failures), expected));
}
