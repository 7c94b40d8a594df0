import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { theOffice } from '../src/assets/assets.ts';
import { ensureChromium } from '../test/browser/chromium.ts';
import { startPostgres } from '../test/postgres.ts';
import { checks, runChecks } from './check.ts';
import { findTestFiles, isLong, needsBrowser, needsPostgres, readPlan, type Unit, unitsOf } from './testing/plan.ts';
import { endWorkers, type Failure, type Ran, runUnit } from './testing/process.ts';
import { createProgress } from './testing/progress.ts';
import { report } from './testing/report.ts';

/**
 * Everything that `npm test` runs: the static checks, then every test file, beside one real PostgreSQL server. Files that open nothing share
 * a few processes, the others have one each. Ends with the line `N passed, M failed, K skipped`. Words on the command line select
 * files: `npm test -- form lifecycle`. Files that end in `.long.test.ts`, and tests that ask `onlyLong` (test/long.ts), take too long for
 * every day: they run with `--long`, and by `npm run assure`. Nothing runs twice: a test that fails sometimes has found something.
 */
const root = join(import.meta.dirname, '..');
const flags: ReadonlySet<string> = new Set(['--all', '--long']);
const words = process.argv.slice(2).filter((word) => !flags.has(word));
const isEverything = process.argv.includes('--all') || process.argv.includes('--long');
/** The longest that a file may take without a result of one of its tests, on a machine that is busy with other things. */
const SILENT_MS = 600_000;
const LONG_SILENT_MS = 3_600_000;

const unknown = words.find((word) => word.startsWith('-'));
if (unknown !== undefined) misuse(`${unknown} is no option.`);
const plan = readPlan(root);
const chosen = findTestFiles(root).filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
const files = chosen.filter((file) => isEverything || !isLong(file));
const left = chosen.length - files.length;
if (files.length === 0)
  misuse(left > 0 ? `The ${left} files that match are long ones: add --long.` : 'No test file has such a path.');

if (isEverything) process.env.LONG_TESTS = 'yes';
// The processes read much the same sources: what the first makes of them the others find.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'turnpike');

const progress = createProgress(files.length);
const failures: Failure[] = [];
/** Of the static checks; those of files are in what they ran. */
let passed = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => close([], `ended by ${signal}`));

if (words.length === 0) await checkEverything();
if (files.some((file) => needsBrowser(plan, file))) {
  progress.say(await ensureChromium());
  // Built once and kept: otherwise the first pages wait for it, all of them at once.
  await theOffice();
}
const postgres = files.some((file) => needsPostgres(plan, file)) ? await startPostgres({ fsync: false }) : null;
if (postgres) process.env.TEST_DATABASE_URL = postgres.url();
progress.say(
  `${files.length} test files${postgres ? '; PostgreSQL is up for them' : ''}${left > 0 ? `; ${left} long ones left out: --long` : ''}`,
);

const all = await runAll(unitsOf(plan, files));
await postgres?.stop();
const none = words.length === 0 && all.reduce((sum, ran) => sum + ran.passed, 0) < 200 ? 'fewer than 200 tests passed' : null;
close(all, none);

/** All of them, whatever the others say. `tidy` is a test file as well, and runs as one. */
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

/** Two lanes and more take one unit after the other; those that mostly wait have one beside them, which costs nobody anything. */
async function runAll(units: readonly Unit[]): Promise<readonly Ran[]> {
  const waits = ({ files: [file = ''] }: Unit) => /^test\/faults\/(?:kill|postgresRestart|shutdown)/.test(file);
  const working = units.filter((unit) => !waits(unit));
  const waiting = units.filter(waits);
  const isBrowsing = (unit: Unit) => needsBrowser(plan, unit.files[0] as string);
  let browsing = working.filter(isBrowsing).length;
  // Browsers leave nothing over for a third lane.
  const { promise: calm, resolve: rest } = Promise.withResolvers<void>();
  if (browsing === 0) rest();
  const lane = async (open: Unit[]): Promise<readonly Ran[]> => {
    const ran: Ran[] = [];
    for (let unit = open.shift(); unit; unit = open.shift()) {
      ran.push(...(await runUnit(unit, { root, silentMs: isEverything ? LONG_SILENT_MS : SILENT_MS, ...progress })));
      if (isBrowsing(unit)) browsing -= 1;
      if (browsing === 0) rest();
    }
    return ran;
  };
  const lanes = Array.from({ length: Math.min(4, Math.max(2, availableParallelism())) }, () => lane(working));
  return (await Promise.all([...lanes, calm.then(() => lane(waiting))])).flat();
}

/** The last lines are all that some people read: what failed stands there, once. */
function close(ran: readonly Ran[], reason: string | null): never {
  progress.close();
  endWorkers();
  const found = [...failures, ...ran.flatMap((one) => one.failures)];
  if (reason !== null) found.push({ file: 'the run', name: 'not complete', text: reason });
  if (process.env.TEST_CPU !== undefined) {
    for (const { file, cpuMs, passed: count } of ran.toSorted((one, other) => other.cpuMs - one.cpuMs))
      console.log(`${cpuMs} ms CPU, ${count} tests: ${file}`);
  }
  if (found.length > 0) console.log(`\nWhat failed:\n${report(found, isEverything)}\n`);
  const sum = (of: (one: Ran) => number) => ran.reduce((total, one) => total + of(one), 0);
  console.log(`${passed + sum((one) => one.passed)} passed, ${found.length} failed, ${sum((one) => one.skipped)} skipped`);
  process.exit(found.length === 0 ? 0 : 1);
}

function misuse(text: string): never {
  console.log(`${text}\nusage: npm test [-- [--long] word …]`);
  process.exit(2);
}
