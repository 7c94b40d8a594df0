import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Unit } from './plan.ts';

/** What a worker tells, one line each. */
export type Told =
  | { readonly on: 'begin'; readonly file: string }
  | { readonly on: 'start' | 'pass' | 'skip'; readonly file: string; readonly name: string }
  | { readonly on: 'fail'; readonly file: string; readonly name: string; readonly text: string }
  | { readonly on: 'end'; readonly file: string; readonly cpuMs: number };

export type Failure = { readonly file: string; readonly name: string; readonly text: string };
/** What came of one file. */
export type Ran = {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly ms: number;
  readonly cpuMs: number;
};

export type RunOptions = {
  readonly root: string;
  /** The longest that a file may go on without a result of one of its tests. */
  readonly silentMs: number;
  readonly env?: Readonly<Record<string, string>>;
  begun?(file: string): void;
  ended(ran: Ran): void;
};

const TAIL_MAX = 3_000;
const START_MS_MAX = 60_000;
const WORKER = join(import.meta.dirname, 'worker.ts');
const running = new Set<ChildProcess>();

/** Ends every worker and what it started. */
export function endWorkers(): void {
  for (const child of running) endGroup(child);
}

/** Runs the files of a unit. When their process ends early the file it ended in has failed, and the rest get another one. */
export async function runUnit(unit: Unit, options: RunOptions): Promise<readonly Ran[]> {
  const all: Ran[] = [];
  let left = unit.files;
  while (left.length > 0) {
    const ran = await runWorker(left, unit.isShared, options);
    all.push(...ran);
    // Without a single file the worker itself is broken: each of the rest would only say so again.
    left = ran.length === 0 ? [] : left.slice(ran.length);
  }
  return all;
}

/** One process; answers what came of the files that it got to. */
async function runWorker(files: readonly string[], isShared: boolean, options: RunOptions): Promise<readonly Ran[]> {
  const child = spawn(process.execPath, [WORKER, options.root, isShared ? 'shared' : 'alone', ...files], {
    cwd: options.root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that what a test started and left behind ends with it.
    detached: true,
  });
  running.add(child);
  const ledger = keep(files, options);
  let givenUp: string | null = null;
  const watch = setInterval(() => {
    if (ledger.silentMs() < options.silentMs) return;
    givenUp = `neither passed nor failed: given up after ${Math.round(options.silentMs / 1000)} s without a result`;
    endGroup(child);
  }, 200);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', ledger.heard);
  const toldAll = readLines(child.stdio[3] as Readable, (line) => ledger.told(JSON.parse(line) as Told));
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
  clearInterval(watch);
  endGroup(child);
  running.delete(child);
  await toldAll;
  return ledger.close(givenUp ?? `its process ${how} before the file was over`);
}

/** Cuts at line feeds alone: `readline` also cuts at signs that stand in names of tests. */
async function readLines(stream: Readable, heard: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) heard(line);
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Gathers what is told of one file after the other. */
function keep(files: readonly string[], options: RunOptions) {
  const all: Ran[] = [];
  const open = new Set<string>();
  let [file, failures, passed, skipped]: [string | null, Failure[], number, number] = [null, [], 0, 0];
  let [began, tail] = [performance.now(), ''];
  // A process that has not got as far as its first file is given the time to.
  let heardLast = performance.now() + START_MS_MAX;
  const end = (cpuMs: number) => {
    if (file === null) return;
    const ran = { file, passed, skipped, failures, ms: performance.now() - began, cpuMs };
    file = null;
    all.push(ran);
    options.ended(ran);
  };
  return {
    silentMs: () => performance.now() - heardLast,
    heard: (text: string) => {
      tail = `${tail}${text}`.slice(-TAIL_MAX);
    },
    told: (told: Told) => {
      heardLast = performance.now();
      if (told.on === 'begin') {
        [file, failures, passed, skipped] = [told.file, [], 0, 0];
        [began, tail] = [performance.now(), ''];
        open.clear();
        options.begun?.(told.file);
      } else if (told.on === 'end') end(told.cpuMs);
      else if (told.on === 'start') open.add(told.name);
      else {
        open.delete(told.name);
        if (told.on === 'pass') passed += 1;
        else if (told.on === 'skip') skipped += 1;
        else if (told.on === 'fail') failures.push({ file: told.file, name: told.name, text: told.text });
      }
    },
    close: (how: string): readonly Ran[] => {
      if (file === null && all.length === 0) {
        [file, failures, passed, skipped] = [files[0] as string, [], 0, 0];
        options.begun?.(file);
      }
      if (file !== null) {
        const said = tail.trim() === '' ? 'It said nothing.' : `The last it said:\n${tail.trim()}`;
        const inside = open.size === 0 ? '' : ` Running: ${[...open].join('; ')}.`;
        // One that told why it ended itself needs no second reason.
        if (!failures.some(({ name }) => name === 'the file'))
          failures.push({ file, name: 'the file', text: `${how}.${inside}\n${said}` });
        end(0);
      }
      return all;
    },
  };
}
