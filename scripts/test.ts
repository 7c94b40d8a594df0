import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { theOffice } from '../src/assets/assets.ts';
import { ensureChromium } from '../test/browser/chromium.ts';
import { makeSchemaDatabase } from '../test/contract/freshDatabases.ts';
import { makeServerFiles, type PostgresServer, startPostgres } from '../test/postgres.ts';
import { checks, runChecks } from './check.ts';
import { report } from './testing/failure.ts';
import { commitOf, missingFigures, readReported, recordFigures, reportersOf, wholeIds } from './testing/figures.ts';
import { notePassed, readWanted } from './testing/passed.ts';
import {
  comparing,
  divideIntoUnits,
  findTestFiles,
  isLong,
  measuring,
  needsBrowser,
  needsPostgres,
  needsRelease,
  readPlan,
  startsPrograms,
  type Unit,
} from './testing/plan.ts';
import { endWorkers, type Failure, type FileResult, runUnit } from './testing/process.ts';
import { buildPrograms, packOnce } from './testing/programs.ts';
import { createProgress } from './testing/progress.ts';
import { createBusyMeter, createIdleMeter, readTimes, runUnits, writeTimes } from './testing/schedule.ts';

/**
 * Everything that `npm test` runs: the static checks, then every test file, beside one real PostgreSQL server. Files that open nothing share
 * a few processes, the others have one each. Ends with the line `N passed, M failed, K skipped`. Words on the command line select
 * files: `npm test -- form lifecycle`. Files that end in `.long.test.ts`, and tests that ask `onlyLong` (test/long.ts), take too long for
 * every run: they run with `--long`, and by `npm run assure`. Nothing runs twice: a test that fails sometimes has found something.
 * TEST_CPU=1 prints what each file cost; `--figures` records the figures of test/assurance; `--times` records how long the longer ones take, which decides the order of the next runs.
 */
const root = join(import.meta.dirname, '..');
const flags: ReadonlySet<string> = new Set(['--all', '--figures', '--long', '--times']);
const words = process.argv.slice(2).filter((word) => !flags.has(word));
const isEverything = process.argv.includes('--all') || process.argv.includes('--long');
/** The longest time without a result of any test of a file, on a busy machine. */
const SILENT_MS = 600_000;
/** With `FAULTS=long` one test may take an hour by itself. */
const LONG_SILENT_MS = process.env.FAULTS === 'long' ? 3 * 3_600_000 : 3_600_000;
/** The most files that run together whatever the load is. */
const PROCESSORS_MAX = 4;
/** Long enough for the start of a process to show. */
const IDLE_EVERY_MS = 1_000;

const unknown = words.find((word) => word.startsWith('-'));
if (unknown !== undefined) misuse(`${unknown} is no option.`);
const plan = readPlan(root);
const wanted = readWanted(process.env);
const isWhole = words.length === 0 && wanted === null;
const chosen = findTestFiles(root).filter(
  (file) => (wanted?.has(file) ?? true) && (words.length === 0 || words.some((word) => file.includes(word))),
);
const files = chosen.filter((file) => isEverything || !isLong(file));
const left = chosen.length - files.length;
if (files.length === 0)
  misuse(left > 0 ? `The ${left} files that match are long ones: add --long.` : 'No test file has such a path.');

if (isEverything) process.env.LONG_TESTS = 'yes';
// Which of many equal cases a whole run takes (test/sample.ts).
else if (isWhole) process.env.SAMPLE ??= String(randomInt(1_000_000));
// Tests append their figures to this file (test/figures.ts).
const isRecorded = process.argv.includes('--figures');
const commit = isRecorded ? commitOf(root) : '';
const ownFigures = join(tmpdir(), `turnpike-figures-${process.pid}`);
process.env.TEST_FIGURES ??= ownFigures;
// The processes load much the same sources and share one compile cache.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'turnpike');

// The bundler, a Go program, spends a third of its work on collecting garbage that a run has room for.
process.env.GOGC ??= '800';

const busy = createBusyMeter();
const progress = createProgress(files.length);
const failures: Failure[] = [];
/** Static checks that passed; the tests that passed are counted in the results of their files. */
let passed = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => close([], `ended by ${signal}`));

// Whatever only waits for one of these overlaps with the others.
const [postgres, programs, release] = await Promise.all([
  files.some((file) => needsPostgres(plan, file)) ? startServer() : null,
  // To build them costs more than the start of a few.
  files.filter((file) => startsPrograms(plan, file)).length > 3 ? buildPrograms(root) : '',
  files.filter((file) => needsRelease(plan, file)).length > 1 ? packOnce(root) : '',
  files.some((file) => needsBrowser(plan, file)) ? prepareBrowsers() : null,
  isWhole ? checkEverything() : null,
]);
if (programs !== '') process.env.TEST_PROGRAMS = programs;
if (release !== '') process.env.TEST_RELEASE = release;
progress.say(
  [
    `${files.length} test files`,
    ...(postgres ? ['PostgreSQL is up for them'] : []),
    ...(left > 0 ? [`${left} long ones left out: --long`] : []),
    ...(process.env.SAMPLE === undefined ? [] : [`SAMPLE=${process.env.SAMPLE}`]),
  ].join('; '),
);

const all = await runAll();
await postgres?.stop();
const none = isWhole && all.reduce((sum, ran) => sum + ran.passed, 0) < 200 ? 'fewer than 200 tests passed' : null;
close(all, none);

/** Starts the server of most tests. */
async function startServer(): Promise<PostgresServer> {
  // Some tests have a server of their own: all of them are copies of these files.
  process.env.TEST_POSTGRES_FILES = await makeServerFiles();
  const server = await startPostgres({ fsync: false });
  process.env.TEST_DATABASE_URL = server.url();
  // Where it cannot be made, the files that need it say why.
  process.env.TEST_SCHEMA_DATABASE_URL = await makeSchemaDatabase().catch(() => '');
  return server;
}

/** Builds the back office once in advance: otherwise the first browser tests would all wait for it together. */
async function prepareBrowsers(): Promise<void> {
  progress.say(await ensureChromium());
  await theOffice();
}

/** Runs all checks, also after a failure. `tidy` is a test file as well, and runs as one. */
async function checkEverything(): Promise<void> {
  await runChecks(
    checks.filter(({ name }) => name !== 'tidy'),
    ({ name, passed: isGood, output }) => {
      progress.say(`${isGood ? '✔' : '✖'} ${name}`);
      if (isGood) passed += 1;
      else failures.push({ file: name, name: 'static check', text: output });
      return true;
    },
  );
}

/** Runs every unit in a process of its own; how many run together depends on the processor time that is left. */
async function runAll(): Promise<readonly FileResult[]> {
  const ran: FileResult[] = [];
  const run = async (unit: Unit): Promise<void> => {
    const done = await runUnit(unit, { root, silentMs: isEverything ? LONG_SILENT_MS : SILENT_MS, ...progress });
    notePassed(process.env, done);
    ran.push(...done);
  };
  const alone = files.filter((file) => comparing.has(file) || (isEverything && measuring.has(file)));
  const units = divideIntoUnits(
    plan,
    files.filter((file) => !alone.includes(file)),
  );
  await runUnits(units, {
    recorded: readTimes(),
    processors: Math.min(PROCESSORS_MAX, Math.max(2, availableParallelism())),
    idle: createIdleMeter(),
    tick: () => pause(IDLE_EVERY_MS),
    run,
  });
  for (const file of alone) await run({ files: [file], isShared: false });
  return ran;
}

/** Prints each failure once, at the end, where readers look first. */
function close(ran: readonly FileResult[], reason: string | null): never {
  progress.close();
  endWorkers();
  const found = [...failures, ...ran.flatMap((one) => one.failures), ...checkFigures(ran)];
  if (reason !== null) found.push({ file: 'the run', name: 'not complete', text: reason });
  if (process.argv.includes('--times')) writeTimes(ran, findTestFiles(root));
  if (process.env.TEST_CPU !== undefined) printCosts(ran);
  if (found.length > 0) console.log(`\nWhat failed:\n${report(found, isEverything)}\n`);
  const sum = (of: (one: FileResult) => number) => ran.reduce((total, one) => total + of(one), 0);
  console.log(`${passed + sum((one) => one.passed)} passed, ${found.length} failed, ${sum((one) => one.skipped)} skipped`);
  process.exit(found.length === 0 ? 0 : 1);
}

/** Compares the reported figures with the rows of test/assurance; `--figures` records them. */
function checkFigures(ran: readonly FileResult[]): readonly Failure[] {
  const reported = readReported(process.env.TEST_FIGURES ?? ownFigures);
  rmSync(ownFigures, { force: true });
  if (reported.length === 0 && !isWhole) return [];
  const passedFiles = new Set(ran.filter((one) => one.failures.length === 0).map(({ file }) => file));
  const all = findTestFiles(root).filter((file) => isEverything || !isLong(file));
  const whole = wholeIds(reportersOf(plan, all), passedFiles);
  if (isRecorded) recordFigures(root, { kind: isEverything ? 'long' : 'quick', commit, figures: reported, whole });
  return missingFigures(reported, whole, { root, isQuick: !isEverything }).map((text) => ({
    file: 'test/assurance',
    name: 'a figure was not reported',
    text,
  }));
}

/** Prints what each file cost, the dearest first, and what the whole run did. Servers that several files use are only in the whole. */
function printCosts(ran: readonly FileResult[]): void {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const cpuMs = (one: FileResult) => one.cpuMs + one.childCpuMs;
  for (const one of ran.toSorted((some, other) => cpuMs(other) - cpuMs(some))) {
    const children = one.childCpuMs > 0 ? ` (${seconds(one.childCpuMs)} s of child processes)` : '';
    console.log(`${seconds(cpuMs(one))} s CPU${children}, ${seconds(one.ms)} s, ${one.passed} tests: ${one.file}`);
  }
  const sum = ran.reduce((total, one) => total + cpuMs(one), 0);
  const wall = performance.now();
  console.log(`${seconds(sum)} s CPU in all files; the machine was busy for ${busy().toFixed(1)} s CPU in ${seconds(wall)} s`);
}

function misuse(text: string): never {
  console.log(`${text}\nusage: npm test [-- [--long] [--figures] [--times] word …]`);
  process.exit(2);
}
