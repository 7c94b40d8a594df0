import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timers as realTimers } from '../app/system.ts';
import { ABANDONED_MAX, BACK_OFF_MS_MAX, type Job, LIMIT_MS, restMs, startLoop } from './loop.ts';
import { createJobRecords, type JobEnd } from './records.ts';

type Limited = { readonly ms: number; readonly late: () => void };

/** Time that passes only when somebody sleeps, and a promise that tells when the loop has slept so often. */
function createNight(sleeps: number) {
  const slept: number[] = [];
  const errors: { readonly about: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  const ends: [name: string, end: JobEnd][] = [];
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
    ...{ slept, errors, ends, limits, over, records, needs: { sleep, timers: { within }, records, log } },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets everything happen that needs no time. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const GRACE_MS = 1_000;

test('a job is done again and again at its pace, until the end', async () => {
  const night = createNight(4);
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const job: Job = { name: 'count', everyMs: 1_000, run };
  const loop = startLoop([job], night.needs);
  await night.over;
  assert.deepEqual(await loop.stop(GRACE_MS), []);
  assert.deepEqual(night.slept, [1_000, 1_000, 1_000, 1_000]);
  assert.equal(runs, 3);
});

test('an error is written down, the job rests longer each time and comes back', async () => {
  const night = createNight(6);
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 3) throw new Error('out of order');
  };
  const loop = startLoop([{ name: 'sweep', everyMs: 1_000, run }], night.needs);
  await night.over;
  await loop.stop(GRACE_MS);
  assert.deepEqual(night.slept, [1_000, 2_000, 4_000, 8_000, 1_000, 1_000]);
  assert.equal(night.errors.length, 3);
  assert.deepEqual(
    night.ends.map(([, end]) => end),
    ['failed', 'failed', 'failed', 'done', 'done'],
  );
});

test('a job that throws before it is a promise does no harm either', async () => {
  const night = createNight(2);
  const run = () => {
    throw new Error('at once');
  };
  const loop = startLoop([{ name: 'rash', everyMs: 10, run }], night.needs);
  await night.over;
  await loop.stop(GRACE_MS);
  assert.equal(night.errors.length, 1);
});

test('a job does not overlap itself within its limit, and the end waits for it', async () => {
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

test('a run that does not end within its limit is abandoned, told to stop, counted, and the next one starts', async () => {
  const night = createNight(4);
  const signals: AbortSignal[] = [];
  const run = async (signal: AbortSignal) => {
    signals.push(signal);
    if (signals.length === 1) await new Promise(() => {});
  };
  const loop = startLoop([{ name: 'seal', everyMs: 1_000, limitMs: 5_000, run }], night.needs);
  await settle();
  assert.equal(signals.length, 1);
  assert.equal(night.ends.length, 0);
  night.limits[0]?.late();
  await night.over;
  assert.deepEqual(
    night.limits.slice(0, 2).map(({ ms }) => ms),
    [5_000, 5_000],
  );
  assert.deepEqual(
    night.ends.map(([, end]) => end),
    ['abandoned', 'done', 'done'],
  );
  assert.equal(signals[0]?.aborted, true);
  assert.equal(signals[1]?.aborted, false);
  // It rests as after an error: a store that is silent is not asked more often for it.
  assert.deepEqual(night.slept, [1_000, 2_000, 1_000, 1_000]);
  assert.equal(night.errors.length, 1);
  const told = night.errors[0];
  assert.deepEqual([told?.about.job, told?.about.limitMs, told?.about.abandoned], ['seal', 5_000, 1]);
  assert.match(told?.message ?? '', /did not end within its limit/);
  await loop.stop(GRACE_MS);
});

test('of runs that never end only so many pile up; when one of them ends after all, the job goes on', async () => {
  const again = createNight(Number.POSITIVE_INFINITY);
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

test('the end waits for a job that hangs no longer than it is told, and names it', async () => {
  const night = createNight(2);
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>(() => {});
  };
  const loop = startLoop([{ name: 'hangs', everyMs: 10, run }], night.needs);
  await settle();
  const stopping = loop.stop(GRACE_MS);
  await settle();
  assert.equal(signals[0]?.aborted, true);
  assert.equal(night.limits.at(-1)?.ms, GRACE_MS);
  night.limits.at(-1)?.late();
  assert.deepEqual(await stopping, ['hangs']);
});

test('the age of a job counts from its last run that ended well, its silence from the last one that ended by itself', async () => {
  const night = createNight(Number.POSITIVE_INFINITY);
  night.records.add({ name: 'one', everyMs: 1_000, isVital: true, run: async () => {} });
  const recordOf = () => night.records.list()[0];
  night.pass(5_000);
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [5_000, 5_000]);
  night.records.begin('one')('failed');
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [5_000, 0]);
  night.pass(1_000);
  night.records.begin('one')('abandoned');
  assert.deepEqual([recordOf()?.ageMs, recordOf()?.silentMs], [6_000, 1_000]);
  night.records.begin('one')('done');
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
