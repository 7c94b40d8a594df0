import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

type SourceChange = Pick<Mutant, 'start' | 'end' | 'to'>;

/** The work of one process: it tries changes of a source, one after the other, under some test files. */
export type Batch = {
  readonly root: string;
  readonly file: string;
  readonly changes: readonly SourceChange[];
  /** The cheapest first: most mutants are found by the first of them. */
  readonly tests: readonly string[];
  /** Parts of names of tests that are left out. */
  readonly skip?: readonly string[];
};

/** `timeout`: the tests did not end, which a run of the tests shows as well. `invalid`: it is no program. */
export type Outcome = 'killed' | 'survived' | 'timeout' | 'invalid';

/** The source text with the change made. */
export const mutatedText = (text: string, { start, end, to }: SourceChange): string =>
  text.slice(0, start) + to + text.slice(end);

/** Shared with the test runner: the processes load much the same sources. */
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'turnpike');
const PROGRAM = join(import.meta.dirname, 'testMutants.ts');
/** For a mutant that waits for ever. One that loops is ended by its processor time. */
const WAIT_MS_MAX = 180_000;

const running = new Set<() => void>();
process.once('exit', () => {
  for (const end of running) end();
});

/** Tries every change of a batch. Throws when the tests fail without a change: then they would kill everything. */
export async function tryMutants(batch: Batch): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < batch.changes.length) {
    const changes = batch.changes.slice(outcomes.length);
    const tried = await runBatch({ ...batch, changes });
    if (!tried.isSpoilt) outcomes.push(...tried.outcomes);
    // Alone in its process, a mutant meets nothing that another one has left.
    else for (const change of changes) outcomes.push(...(await runBatch({ ...batch, changes: [change] })).outcomes);
  }
  return outcomes;
}

type Tried = {
  /** Of the first mutants. The process may have ended with the last of these. */
  readonly outcomes: readonly Outcome[];
  /** The source failed without a change after the mutants. */
  readonly isSpoilt: boolean;
};

async function runBatch(batch: Batch): Promise<Tried> {
  const { lines, signal, output } = await runProcess(batch);
  const [unchanged, ...rest] = lines.map((line) => line.split(' ')[1] as Outcome);
  if (unchanged !== 'survived') throw new Error(`the tests fail without a mutant\n${output}`);
  const outcomes = rest.slice(0, batch.changes.length);
  if (outcomes.length < batch.changes.length) {
    // It ended the process. A crash may be the work of a mutant before it: then it is tried again as the first of another process.
    if (signal === 'SIGKILL') outcomes.push('timeout');
    else if (outcomes.length === 0) outcomes.push('killed');
    return { outcomes, isSpoilt: false };
  }
  return { outcomes, isSpoilt: batch.changes.length > 1 && rest[batch.changes.length] !== 'survived' };
}

type Ended = { readonly lines: readonly string[]; readonly signal: NodeJS.Signals | null; readonly output: string };

function runProcess(batch: Batch): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-mutant-'));
  // Tests have their quick sizes. Files that they leave behind when they are ended are removed with the folder.
  const { LONG_TESTS: _, FAULTS: __, ...usual } = process.env;
  const env = { ...usual, TMPDIR: folder, NODE_COMPILE_CACHE: COMPILE_CACHE, TEST_FIGURES: join(folder, 'figures') };
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, JSON.stringify(batch)], {
    cwd: batch.root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended, with all that it started.
    }
  };
  running.add(end);
  const late = setTimeout(end, WAIT_MS_MAX);
  let [said, output] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    late.refresh();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.once('close', (_code, signal) => {
      clearTimeout(late);
      end();
      running.delete(end);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      resolve({ lines: said.split('\n').slice(0, -1), signal, output: output.trim() });
    });
  });
}

/** Runs work on every item, so many of them concurrently. */
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
