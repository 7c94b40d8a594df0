import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inWords } from './failure.ts';
import { changed, traces } from './globals.ts';
import type { Told } from './process.ts';

/**
 * A process that runs test files one after the other: `worker.ts <root> shared|alone <file>…`. A file is over when nothing is left to be
 * done in the process, exactly as in a process of its own. What happens is told line by line at descriptor 3, before anything else
 * happens, so that nothing is lost when a test ends the process.
 */
const [root = '', how, ...files] = process.argv.slice(2);
/** How long a process may stay busy after the last test of a file: then something in it was not closed. */
const LINGER_MS = Number(process.env.TEST_LINGER_MS ?? 60_000);

function tell(told: Told): void {
  writeSync(3, `${JSON.stringify(told)}\n`);
}

if (process.env.SEED !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env.SEED) });
}
/** What to do when nothing can happen any more in this process. */
let stuck: () => void = () => {};
process.on('beforeExit', () => stuck());
// The first look makes Node fill in what it loads lazily.
traces();
next();

function next(): void {
  const file = files.shift();
  if (file === undefined) process.exit(0);
  runFile(file);
}

function runFile(file: string): void {
  tell({ on: 'begin', file });
  const before = how === 'shared' ? traces() : null;
  const began = process.cpuUsage();
  const names = new Map<number, string>();
  const diagnostics: string[] = [];
  let [open, failed] = [0, 0];
  let lingering: NodeJS.Timeout | null = null;
  const fail = (name: string, text: string) => {
    failed += 1;
    tell({ on: 'fail', file, name, text });
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
    if (event.type !== 'suite') tell({ on: 'start', file, name: nameOf(event) });
  });
  stream.on('test:pass', (event) => {
    if (event.details.type === 'suite') return;
    if (event.name === join(root, file)) fail('the file', 'has no tests');
    else tell({ on: event.skip === undefined ? 'pass' : 'skip', file, name: nameOf(event) });
  });
  stream.on('test:fail', (event) => {
    const error = event.details.error as Error & { failureType?: string };
    // A suite, or a test around others, that failed only because one inside did: that one was told of.
    if (event.todo !== undefined || error.failureType === 'subtestsFailed') return;
    fail(event.name === join(root, file) ? 'the file' : nameOf(event), inWords(error, root));
  });
  stream.on('test:diagnostic', ({ message }) => diagnostics.push(message));
  stream.on('test:summary', ({ success }) => {
    const said = diagnostics.filter((line) => line.startsWith('Error: '));
    if (!success && failed === 0) fail('the file', said.join('\n') || 'failed, and did not say of what');
  });
  // The next file starts in a turn of its own: all of a quick one would fit into the last moment of this, and nobody would see its end.
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
    // A module that threw after its first tests were known: the runner forgets that, the loader does not.
    await import(pathToFileURL(join(root, file)).href).catch((error) => {
      if (failed === 0) fail('the file', inWords(error, root));
    });
    process.exitCode = 0;
    const left = before ? changed(before, traces()) : [];
    if (left.length > 0) fail('the file', `leaves changes behind for the files after it: ${left.join(', ')}`);
    const { user, system } = process.cpuUsage(began);
    tell({ on: 'end', file, cpuMs: Math.round((user + system) / 1000) });
    next();
  }
}
