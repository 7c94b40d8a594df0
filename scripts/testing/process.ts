import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Unit } from './plan.ts';

/** The reports of a worker, one line of JSON each. */
export type WorkerEvent =
  | { readonly on: 'begin'; readonly file: string }
  | { readonly on: 'start' | 'pass' | 'skip'; readonly file: string; readonly name: string }
  | { readonly on: 'fail'; readonly file: string; readonly name: string; readonly text: string }
  | { readonly on: 'end'; readonly file: string; readonly cpuMs: number; readonly childCpuMs: number };

export type Failure = { readonly file: string; readonly name: string; readonly text: string };
/** The result of one test file. */
export type FileResult = {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly ms: number;
  /** Processor time of the test process. */
  readonly cpuMs: number;
  /** Processor time of the processes that it started and that have ended. */
  readonly childCpuMs: number;
};

export type RunOptions = {
  readonly root: string;
  /** The longest that a file may go on without a result of one of its tests. */
  readonly silentMs: number;
  readonly env?: Readonly<Record<string, string>>;
  begun?(file: string): void;
  ended(ran: FileResult): void;
};

const TAIL_MAX = 3_000;
const START_MS_MAX = 60_000;
/** With room for young objects from the start, a process collects garbage less often: 3 to 7 % less processor time. */
const ROOMY = ['--min-semi-space-size=16', '--max-semi-space-size=32'];
const WORKER = join(import.meta.dirname, 'worker.ts');
const running = new Set<ChildProcess>();

/** Ends every worker and what it started. */
export function endWorkers(): void {
  for (const child of running) endGroup(child);
}

/** Runs the files of a unit. When a process ends early, the file it was in has failed; the remaining files get a new process. */
export async function runUnit(unit: Unit, options: RunOptions): Promise<readonly FileResult[]> {
  const all: FileResult[] = [];
  let left = unit.files;
  while (left.length > 0) {
    const ran = await runWorker(left, unit.isShared, options);
    all.push(...ran);
    // A worker that has not begun any file is broken: the remaining files would fail for the same reason.
    left = ran.length === 0 ? [] : left.slice(ran.length);
  }
  return all;
}

/** Starts one process and returns the results of the files that it began. */
async function runWorker(files: readonly string[], isShared: boolean, options: RunOptions): Promise<readonly FileResult[]> {
  const child = spawn(process.execPath, [...ROOMY, WORKER, options.root, isShared ? 'shared' : 'alone', ...files], {
    cwd: options.root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A process group of its own: processes that a test left behind end with it.
    detached: true,
  });
  running.add(child);
  const results = createResults(files, options);
  let givenUp: string | null = null;
  const watch = setInterval(() => {
    if (results.silentMs() < options.silentMs) return;
    givenUp = `neither passed nor failed: given up after ${Math.round(options.silentMs / 1000)} s without a result`;
    endGroup(child);
  }, 200);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', results.addOutput);
  // Tests that take an hour say how far they are.
  if (process.env.FAULTS === 'long') child.stderr?.on('data', (text: string) => process.stderr.write(text));
  const allRead = readLines(child.stdio[3] as Readable, (line) => results.add(JSON.parse(line) as WorkerEvent));
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
  clearInterval(watch);
  endGroup(child);
  running.delete(child);
  await allRead;
  return results.close(givenUp ?? `its process ${how} before the file was over`);
}

/** Splits at line feeds only: `readline` also splits at characters that occur in names of tests. */
async function readLines(stream: Readable, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

/** Collects a worker's events into one result for each file. */
function createResults(files: readonly string[], options: RunOptions) {
  const all: FileResult[] = [];
  const open = new Set<string>();
  let [file, failures, passed, skipped]: [string | null, Failure[], number, number] = [null, [], 0, 0];
  let [began, tail] = [performance.now(), ''];
  // Silence counts from the first event on: a process that has not begun its first file gets START_MS_MAX more.
  let lastEventAt = performance.now() + START_MS_MAX;
  const end = (cpuMs: number, childCpuMs: number) => {
    if (file === null) return;
    const ran = { file, passed, skipped, failures, ms: performance.now() - began, cpuMs, childCpuMs };
    file = null;
    all.push(ran);
    options.ended(ran);
  };
  return {
    silentMs: () => performance.now() - lastEventAt,
    addOutput: (text: string) => {
      tail = `${tail}${text}`.slice(-TAIL_MAX);
    },
    add: (event: WorkerEvent) => {
      lastEventAt = performance.now();
      if (event.on === 'begin') {
        [file, failures, passed, skipped] = [event.file, [], 0, 0];
        [began, tail] = [performance.now(), ''];
        open.clear();
        options.begun?.(event.file);
      } else if (event.on === 'end') end(event.cpuMs, event.childCpuMs);
      else if (event.on === 'start') open.add(event.name);
      else {
        open.delete(event.name);
        if (event.on === 'pass') passed += 1;
        else if (event.on === 'skip') skipped += 1;
        else if (event.on === 'fail') failures.push({ file: event.file, name: event.name, text: event.text });
      }
    },
    close: (how: string): readonly FileResult[] => {
      if (file === null && all.length === 0) {
        [file, failures, passed, skipped] = [files[0] as string, [], 0, 0];
        options.begun?.(file);
      }
      if (file !== null) {
        const output = tail.trim() === '' ? 'It said nothing.' : `The last it said:\n${tail.trim()}`;
        const inside = open.size === 0 ? '' : ` Running: ${[...open].join('; ')}.`;
        // A worker that has reported why it ends needs no second reason.
        if (!failures.some(({ name }) => name === 'the file'))
          failures.push({ file, name: 'the file', text: `${how}.${inside}\n${output}` });
        end(0, 0);
      }
      return all;
    },
  };
}
