import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BACK_OFF_MS_MAX, type Job, restMs, startLoop } from './loop.ts';

/** Time that passes only when somebody sleeps, and a promise that tells when the loop has slept so often. */
function createNight(sleeps: number) {
  const slept: number[] = [];
  const errors: object[] = [];
  let wake = () => {};
  const over = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    slept.push(ms);
    if (slept.length < sleeps) return;
    wake();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  return { slept, errors, over, needs: { sleep, log: { error: (about: object) => errors.push(about) } } };
}

test('a job is done again and again at its pace, until the end', async () => {
  const night = createNight(4);
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const job: Job = { name: 'count', everyMs: 1_000, run };
  const loop = startLoop([job], night.needs);
  await night.over;
  await loop.stop();
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
  await loop.stop();
  assert.deepEqual(night.slept, [1_000, 2_000, 4_000, 8_000, 1_000, 1_000]);
  assert.equal(night.errors.length, 3);
});

test('a job that throws before it is a promise does no harm either', async () => {
  const night = createNight(2);
  const run = () => {
    throw new Error('at once');
  };
  const loop = startLoop([{ name: 'rash', everyMs: 10, run }], night.needs);
  await night.over;
  await loop.stop();
  assert.equal(night.errors.length, 1);
});

test('a job never overlaps itself, and the end waits for it', async () => {
  let now = 0;
  let most = 0;
  let finished = 0;
  const run = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    finished += 1;
  };
  const sleep = async () => {};
  const loop = startLoop([{ name: 'slow', everyMs: 1, run }], { sleep, log: { error: () => {} } });
  await new Promise((resolve) => setTimeout(resolve, 30));
  await loop.stop();
  assert.equal(most, 1);
  assert.equal(now, 0);
  assert.ok(finished >= 2);
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
