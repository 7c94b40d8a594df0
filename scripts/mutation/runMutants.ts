import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

/** What one process tries: a source with one change, or with none, under some test files. */
export type Trial = {
  readonly root: string;
  readonly file: string;
  readonly change: Pick<Mutant, 'start' | 'end' | 'to'> | null;
  /** The cheapest first: most mutants are found by the first of them. */
  readonly tests: readonly string[];
  /** Names of tests that are left out. */
  readonly skip?: readonly string[];
};

/** `timeout`: the tests did not end, which a run of the tests shows as well. `invalid`: it is no program. */
export type Outcome = 'killed' | 'survived' | 'timeout' | 'invalid';

/** The source text with the change made. */
export const mutatedText = (text: string, { start, end, to }: NonNullable<Trial['change']>): string =>
  text.slice(0, start) + to + text.slice(end);

/** Exit codes of `testMutant.ts`. Any other one is that of a crash. */
export const EXIT = { survived: 0, killed: 1, invalid: 3 } as const;

/** Shared with the test runner: the processes load much the same sources. */
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'turnpike');
const PROGRAM = join(import.meta.dirname, 'testMutant.ts');
/** A mutant that loops is ended by its processor time, which a busy machine does not change. */
const CPU_SECONDS_MAX = 8;
/** For a mutant that waits for ever. */
const WAIT_MS_MAX = 180_000;

const running = new Set<() => void>();
process.once('exit', () => {
  for (const end of running) end();
});

/** Runs one trial in a process of its own. */
export function tryMutant(trial: Trial): Promise<{ readonly outcome: Outcome; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-mutant-'));
  const limited = `ulimit -t ${CPU_SECONDS_MAX}; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', limited, process.execPath, '--no-warnings', PROGRAM, JSON.stringify(trial)], {
    cwd: trial.root,
    // What the tests leave behind when they are ended is removed with the folder.
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: COMPILE_CACHE, TEST_FIGURES: join(folder, 'figures') },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let isLate = false;
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended, with all that it started.
    }
  };
  running.add(end);
  const late = setTimeout(() => {
    isLate = true;
    end();
  }, WAIT_MS_MAX);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      end();
      running.delete(end);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      resolve({ outcome: outcomeOf(code, isLate ? 'SIGXCPU' : signal), output: output.trim() });
    });
  });
}

function outcomeOf(code: number | null, signal: NodeJS.Signals | null): Outcome {
  if (signal === 'SIGXCPU' || signal === 'SIGKILL') return 'timeout';
  if (code === EXIT.survived) return 'survived';
  return code === EXIT.invalid ? 'invalid' : 'killed';
}

/** Runs work on every item, so many at once. */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (let item = left.next(); !item.done; item = left.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
