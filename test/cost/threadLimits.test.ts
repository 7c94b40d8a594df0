import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { startFlags } from '../../scripts/supervise.mjs';

/** Prints the most that the heap of a thread may take, for a young generation of 3 and 48 MiB, before and after the flag is taken back. */
const program = `
  import { setFlagsFromString } from 'node:v8';
  import { Worker } from 'node:worker_threads';
  const inside = 'require("worker_threads").parentPort.postMessage(require("v8").getHeapStatistics().heap_size_limit / 2 ** 20)';
  const mostOf = (maxYoungGenerationSizeMb) =>
    new Promise((resolve, reject) => {
      const resourceLimits = { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: 64 };
      new Worker(inside, { eval: true, execArgv: [], resourceLimits }).once('message', resolve).once('error', reject);
    });
  const before = [await mostOf(3), await mostOf(48)];
  setFlagsFromString('--max-semi-space-size=0');
  console.log(JSON.stringify([before, [await mostOf(3), await mostOf(48)]]));`;

test('the flag of the main thread overrides the limits of other threads until it is taken back, as src/main.ts does', () => {
  const words = [...startFlags, '--input-type=module', '--eval', program];
  const printed = execFileSync(process.execPath, words, { encoding: 'utf8' });
  const [before, after] = JSON.parse(printed) as readonly (readonly [number, number])[];
  // Should the first fail, the engine no longer needs the line in src/main.ts.
  assert.equal(before?.[0], before?.[1]);
  assert.deepEqual(after, [64 + 3, 64 + 48]);
});
