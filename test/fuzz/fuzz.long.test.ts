import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { reportFigure } from '../figures.ts';
import { isReliability, sized } from '../long.ts';
import { targets } from './targets.ts';

/** Each target in a process of its own: counters are put into its sources while these are loaded. */
const start = promisify(execFile);
const MILLION = 1_000_000;
const runs = Number(process.env.FUZZ_RUNS ?? sized({ quick: 1_000, assure: 50_000, reliability: 10 * MILLION }));
/** Nearly everything that an input makes is garbage after it: with room for more of it, less is looked at. */
const YOUNG = ['--min-semi-space-size=16', '--max-semi-space-size=32'];
/** Slow targets end here; a later run goes on while the reader and the search are the same. */
const seconds = Number(process.env.FUZZ_SECONDS ?? sized({ quick: 10, assure: 60, reliability: 3_600 }));

for (const name of Object.keys(targets)) {
  test(`${name}: whatever is sent, it is read or refused within bounds, without a secret, and alike again`, async () => {
    const words = [...YOUNG, join(import.meta.dirname, 'run.ts'), name, String(runs), String(seconds)];
    const running = start(process.execPath, words, { maxBuffer: MILLION });
    if (isReliability) running.child.stderr?.pipe(process.stderr, { end: false });
    const { stdout } = await running.catch((error: { readonly stdout?: string; readonly stderr?: string }) => ({
      stdout: error.stdout || String(error.stderr),
    }));
    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    const summary = JSON.parse(last.startsWith('{') ? last : '{"finding":{"says":"the process died"}}') as {
      readonly executions: number;
      readonly finding: { readonly says: string; readonly input: string } | null;
    };
    assert.equal(summary.finding, null, `${summary.finding?.says}\n${stdout.slice(-2_000)}`);
    assert.ok(summary.executions > 0);
    reportFigure('R35', 'executions', summary.executions);
  });
}
