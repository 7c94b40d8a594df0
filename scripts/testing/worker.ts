import asyncHooks from 'node:async_hooks';
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeError } from './failure.ts';
import { changed, traces } from './globals.ts';
import type { WorkerEvent } from './process.ts';

/**
 * A process that runs test files one after the other: `worker.ts <root> shared|alone <file>…`. A file is over when the event loop is
 * empty, exactly as in a process of its own. Each event is written to descriptor 3 synchronously, as one line, so that none is lost when
 * a test ends the process.
 */
const [root = '', how, ...files] = process.argv.slice(2);
/** How long a process may stay busy after the last test of a file: then something in it was not closed. */
const LINGER_MS = Number(process.env.TEST_LINGER_MS ?? 60_000);

function emit(event: WorkerEvent): void {
  writeSync(3, `${JSON.stringify(event)}\n`);
}

const run = await loadTestRunner();
if (process.env.SEED !== undefined) {
  const { default: fc } = await import('fast-check');
  // Lists as long as a test allows: the usual ones have some ten items, and reach no limit.
  fc.configureGlobal({ seed: Number(process.env.SEED), defaultSizeToMaxWhenMaxSpecified: true });
}
/** Runs when the event loop is empty. */
let stuck: () => void = () => {};
process.on('beforeExit', () => stuck());
// The first call makes Node fill in what it loads lazily.
traces();
next();

function next(): void {
  const file = files.shift();
  if (file === undefined) process.exit(0);
  runFile(file);
}

/**
 * Loads Node's test runner without its hook on promises, which makes every promise of every test dearer: the simulation takes twice the
 * time with it. The runner uses the hook to find the test of an error that nothing caught; such an error is reported as one of the file.
 */
async function loadTestRunner(): Promise<typeof import('node:test')['run']> {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
  try {
    return (await import('node:test')).run;
  } finally {
    asyncHooks.createHook = createHook;
  }
}

function runFile(file: string): void {
  emit({ on: 'begin', file });
  // The figures of a test name its file.
  process.env.TEST_FILE = file;
  const before = how === 'shared' ? traces() : null;
  const [began, childrenBegan] = [process.cpuUsage(), childCpuMs()];
  const names = new Map<number, string>();
  const diagnostics: string[] = [];
  let [open, failed] = [0, 0];
  let lingering: NodeJS.Timeout | null = null;
  const fail = (name: string, text: string) => {
    failed += 1;
    emit({ on: 'fail', file, name, text });
  };
  const stream = run({ files: [join(root, file)], isolation: 'none', cwd: root });
  stream.on('test:enqueue', (event) => {
    const { testId, parentId, name } = event as unknown as { testId: number; parentId?: number; name: string };
    const above = parentId === undefined ? undefined : names.get(parentId);
    names.set(testId, above === undefined ? name : `${above} › ${name}`);
    open += 1;
    if (lingering) clearTimeout(lingering);
  });
  stream.on('test:complete', () => {
    open -= 1;
    if (open === 0) lingering = setTimeout(closeGracefully, LINGER_MS).unref();
  });
  const nameOf = (event: object): string => names.get((event as { testId: number }).testId) ?? (event as { name: string }).name;
  stream.on('test:dequeue', (event) => {
    if (event.type !== 'suite') emit({ on: 'start', file, name: nameOf(event) });
  });
  stream.on('test:pass', (event) => {
    if (event.details.type === 'suite') return;
    if (event.name === join(root, file)) fail('the file', 'has no tests');
    else emit({ on: event.skip === undefined ? 'pass' : 'skip', file, name: nameOf(event) });
  });
  stream.on('test:fail', (event) => {
    const error = event.details.error as Error & { failureType?: string };
    // A suite or a test that failed only because of a test inside it: that one has been reported.
    if (event.todo !== undefined || error.failureType === 'subtestsFailed') return;
    fail(event.name === join(root, file) ? 'the file' : nameOf(event), describeError(error, root));
  });
  stream.on('test:diagnostic', ({ message }) => diagnostics.push(message));
  stream.on('test:summary', ({ success }) => {
    const errors = diagnostics.filter((line) => line.startsWith('Error: '));
    if (!success && failed === 0) fail('the file', errors.join('\n') || 'failed, and did not say of what');
  });
  // The next file starts in a turn of its own. Otherwise a quick file ends within the end of this one, and its own end is never seen.
  stream.on('end', () => setImmediate(finish));
  stream.resume();

  stuck = () => {
    if (open === 0) return;
    fail('the file', 'waits for a promise that nothing in its process can keep any more');
    process.exit(1);
  };

  function closeGracefully(): void {
    fail('the file', `keeps its process alive after its last test: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }

  async function finish(): Promise<void> {
    if (lingering) clearTimeout(lingering);
    // A module that threw after it had registered tests: the test runner loses the error, the module loader keeps it.
    await import(pathToFileURL(join(root, file)).href).catch((error) => {
      if (failed === 0) fail('the file', describeError(error, root));
    });
    process.exitCode = 0;
    const left = before ? changed(before, traces()) : [];
    if (left.length > 0) fail('the file', `leaves changes behind for the files after it: ${left.join(', ')}`);
    const { user, system } = process.cpuUsage(began);
    emit({ on: 'end', file, cpuMs: Math.round((user + system) / 1000), childCpuMs: childCpuMs() - childrenBegan });
    next();
  }
}

/** Processor time of the child processes that have ended, with theirs. The kernel counts in ticks of 10 ms; 0 where there is no such count. */
function childCpuMs(): number {
  try {
    const [, after = ''] = /\) (.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user, system] = after.split(' ').slice(13, 15).map(Number);
    return ((user ?? 0) + (system ?? 0)) * 10;
  } catch {
    return 0;
  }
}
