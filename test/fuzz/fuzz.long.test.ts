import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { targets } from './targets.ts';

/** Each target in a process of its own: counters of blocks must begin before its sources are loaded. */
const start = promisify(execFile);
const MILLION = 1_000_000;
const runs = Number(process.env.FUZZ_RUNS ?? sized({ quick: 1_000, assure: 50_000, reliability: 10 * MILLION }));
/** Slow targets end here; a later run with the same reader goes on. */
const seconds = Number(process.env.FUZZ_SECONDS ?? sized({ quick: 10, assure: 60, reliability: 3_600 }));

for (const name of Object.keys(targets)) {
  test(`${name}: whatever is sent, it is read or refused within bounds, without a secret, and alike again`, async () => {
    const program = join(import.meta.dirname, 'run.ts');
    const { stdout } = await start(process.execPath, [program, name, String(runs), String(seconds)], {
      maxBuffer: MILLION,
    }).catch((error: { readonly stdout?: string; readonly stderr?: string }) => ({
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
