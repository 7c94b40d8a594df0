import { readFileSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { registered, runTests } from './plainTest.ts';
import { type Batch, mutatedText, type Outcome } from './runMutants.ts';

/**
 * A process that tries the mutants of one source, `testMutants.ts <batch as JSON>`. The change is made while the source is loaded, so no
 * file is touched. Each mutant has its own copy of the source and of all modules that import it, down to the tests; other modules are
 * shared. The source is tried unchanged before all mutants, and after them, which shows that none of them has spoilt the shared modules.
 * A line for each: `<number> <outcome>`, the unchanged source is number −1.
 */
const { root, file, changes, tests, skip } = JSON.parse(process.argv[2] ?? '') as Batch;
const urlOf = (path: string): string => pathToFileURL(join(root, path)).href;
const mutated = urlOf(file);
const PLAIN_TEST = urlOf(join('scripts', 'mutation', 'plainTest.ts'));
const text = readFileSync(join(root, file), 'utf8');

/** A looping mutant is ended by its processor time, which a busy machine does not change: that of all tests, several times. */
const CPU_MS_MIN = 1_000;
const CPU_TIMES_MAX = 4;
/** The mutant that is tried, and the processor time it may take. */
const watched = new Int32Array(new SharedArrayBuffer(8));
const UNCHANGED_CPU_MS_MAX = 60_000;
watched[1] = UNCHANGED_CPU_MS_MAX;
new Worker(
  `const { workerData: watched } = require('node:worker_threads');
   const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
   let [at, since] = [watched[0], used()];
   setInterval(() => {
     if (watched[0] !== at) [at, since] = [watched[0], used()];
     else if (used() - since > watched[1]) process.kill(process.pid, 'SIGKILL');
   }, 100);`,
  { eval: true, workerData: watched },
).unref();

// The same values in every run: a mutant that is found once is found again.
if (tests.some((test) => readFileSync(join(root, test), 'utf8').includes("'fast-check'"))) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: 1 });
}

/** The importers of each module. */
const importers = new Map<string, Set<string>>();
/** The modules of which each mutant has its own copy. */
let copied: ReadonlySet<string> = new Set();
let trial = 0;

const plainUrl = (url: string): string => url.replace(/\?trial=\d+$/, '');

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test') return { url: PLAIN_TEST, format: 'module-typescript', shortCircuit: true };
    const resolved = next(specifier, context);
    const url = plainUrl(resolved.url);
    const parent = plainUrl(context.parentURL ?? '');
    importers.set(url, (importers.get(url) ?? new Set()).add(parent));
    return copied.has(url) ? { ...resolved, url: `${url}?trial=${trial}` } : resolved;
  },
  load(url, context, next) {
    const change = changes[current];
    if (plainUrl(url) !== mutated || change === undefined) return next(url, context);
    return { format: 'module-typescript', source: mutatedText(text, change), shortCircuit: true };
  },
});

let current = -1;
const cpuBefore = process.cpuUsage();
await tryOne(-1);
const { user, system } = process.cpuUsage(cpuBefore);
watched[1] = CPU_MS_MIN + (CPU_TIMES_MAX * (user + system)) / 1000;
copied = allImporters(mutated);
for (const at of changes.keys()) await tryOne(at);
if (changes.length > 1) await tryOne(-1);
process.exit(0);

async function tryOne(at: number): Promise<void> {
  current = at;
  trial += 1;
  watched[0] = trial;
  writeSync(1, `${at} ${await outcomeOf()}\n`);
}

async function outcomeOf(): Promise<Outcome> {
  try {
    await import(mutated);
  } catch (error) {
    // A change that is no program is no mutant; one that throws while it is loaded is found.
    return error instanceof SyntaxError ? 'invalid' : 'killed';
  }
  const isFirst = trial === 1;
  for (const test of tests) {
    const failure = await import(urlOf(test)).then(
      () => (isFirst && registered() === 0 ? { name: 'the file', error: 'it has no tests' } : runTests(skip ?? [])),
      (error: unknown) => ({ name: 'the file', error }),
    );
    if (failure === null) continue;
    if (current === -1) process.stderr.write(`${test}: ${failure.name}\n${String(failure.error)}\n`);
    // Tests that were registered before the file failed to load.
    await runTests(['']);
    return 'killed';
  }
  return 'survived';
}

/** A module and all that import it. */
function allImporters(url: string): ReadonlySet<string> {
  const found = new Set([url]);
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer);
  found.delete(import.meta.url);
  return found;
}
