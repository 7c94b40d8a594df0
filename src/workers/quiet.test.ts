import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuiet, QUIET_PAUSE_MS } from './loop.ts';

function watched() {
  const slept: number[] = [];
  let at = 100;
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      slept.push(ms);
      signal?.addEventListener('abort', () => resolve());
    });
  const quiet = createQuiet({ now: () => at, sleep });
  const setTime = (ms: number) => {
    at = ms;
  };
  return { slept, quiet, setTime };
}

const never = new AbortController().signal;

test('while requests come in, a job pauses as long as it says', () => {
  const { slept, quiet, setTime } = watched();
  setTime(10_000);
  for (const ms of [250, 1_000, 5_000]) void quiet.sleep(ms, never);
  assert.deepEqual(slept, [250, 1_000, 5_000]);
});

test('without requests short pauses end together, and long ones are as they were', () => {
  const { slept, quiet, setTime } = watched();
  setTime(13_700);
  void quiet.sleep(250, never);
  setTime(14_000);
  void quiet.sleep(1_000, never);
  void quiet.sleep(QUIET_PAUSE_MS, never);
  assert.deepEqual(slept, [1_300, 1_000, QUIET_PAUSE_MS]);
});

test('a request ends the pauses that were prolonged, and the end of the process ends them too', async () => {
  const { slept, quiet, setTime } = watched();
  setTime(23_500);
  const ending = new AbortController();
  const pauses = [quiet.sleep(250, never), quiet.sleep(250, ending.signal)];
  ending.abort();
  await pauses[1];
  quiet.noteRequest();
  await pauses[0];
  void quiet.sleep(250, never);
  assert.deepEqual(slept, [1_500, 1_500, 250]);
});
