import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { ensureChromium } from '../test/browser/chromium.ts';
import { startPostgres } from '../test/postgres.ts';
import { checks, runCheck } from './check.ts';

/**
 * Everything that `npm test` runs: the static checks, then every test file in a process of its own, two at a time, beside one real
 * PostgreSQL server. Ends with the line `N passed, M failed`. Words on the command line select files: `npm test -- form lifecycle`.
 * Files that end in `.long.test.ts`, and tests that ask `onlyLong` (test/long.ts), take too long for every day: they run when a word
 * selects them, and by `npm run assure`.
 */
const root = join(import.meta.dirname, '..');
const isAll = process.argv.includes('--all');
const words = process.argv.slice(2).filter((word) => word !== '--all');
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'], { cwd: root })
  .filter((file) => (words.length === 0 ? isAll || !file.endsWith('.long.test.ts') : words.some((word) => file.includes(word))))
  // The long ones first, so that the two cores are busy to the end.
  .sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || a.localeCompare(b));

function isLong(file: string): boolean {
  return /simulation|faults|negatives|contract|browser/.test(file);
}

function isBrowser(file: string): boolean {
  return file.includes('/browser/');
}

/** Those that mostly wait for a sweeper or a server to come back: a lane of their own beside the other two costs nobody anything. */
function waits(file: string): boolean {
  return /faults\/(kill|postgresRestart|shutdown)/.test(file);
}

if (isAll || words.length > 0) process.env.LONG_TESTS = 'yes';

// Every file is a process that reads much the same sources: what the first makes of them the others find.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'turnpike');

const FILE_MS = 300_000;
const LONG_FILE_MS = 3_600_000;

/** What came of one file. */
type Ran = { readonly file: string; readonly passed: number; readonly skipped: number; readonly failures: readonly string[] };

const began = performance.now();
const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;
/** Of everything that is no test file: what passed, and what did not. */
let passed = 0;
const failures: string[] = [];

if (words.length === 0) {
  const open = [...checks];
  const checkOn = async (): Promise<void> => {
    for (let check = open.shift(); check; check = open.shift()) {
      const result = await runCheck(check);
      console.log(`${result.passed ? '✔' : '✖'} ${result.name} (${seconds()})`);
      if (result.passed) passed += 1;
      else failures.push(`✖ ${result.name}\n${result.output}`);
    }
  };
  await Promise.all([checkOn(), checkOn()]);
}

if (files.some((file) => file.includes('browser'))) console.log(`${await ensureChromium()} (${seconds()})`);
const postgres = await startPostgres();
process.env.TEST_DATABASE_URL = postgres.url();
console.log(`PostgreSQL is up for the tests (${seconds()}); ${files.length} test files`);

let done = 0;
const [working, waiting] = [files.filter((file) => !waits(file)), files.filter(waits)];
// Browsers leave nothing over for a third lane.
let browsing = working.filter(isBrowser).length;
const { promise: calm, resolve: rest } = Promise.withResolvers<void>();
if (browsing === 0) rest();
const all = (await Promise.all([lane(working), lane(working), calm.then(() => lane(waiting))])).flat();

/**
 * Real browsers, sockets and killed processes share two cores here. A few files that fail are run once more, alone; what fails again has
 * failed, and what does not is told all the same.
 */
const SECOND_RUNS_MAX = 3;
const broken = all.filter((ran) => ran.failures.length > 0);
const again = failures.length === 0 && broken.length <= SECOND_RUNS_MAX ? broken.map(({ file }) => file) : [];
if (again.length > 0) console.log(`Once more, alone: ${again.join(', ')}`);
const second = await lane([...again]);
const isMended = ({ file }: Ran): boolean => second.some((ran) => ran.file === file && ran.failures.length === 0);
const counted = all.map((ran) => second.find(({ file }) => file === ran.file) ?? ran);

await postgres.stop();
for (const ran of counted) {
  passed += ran.passed;
  failures.push(...ran.failures);
}
if (words.length === 0 && passed < 200) failures.push(`only ${passed} tests ran: the run is not what it should be`);
const mended = broken.filter(isMended).flatMap((ran) => ran.failures);
if (mended.length > 0) console.log(`\nWhat failed at first, and not when it ran alone:\n${mended.join('\n')}`);
// Whoever reads only the last lines of a long run must find it there.
if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
const skipped = counted.reduce((sum, ran) => sum + ran.skipped, 0);
console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`);
process.exit(failures.length === 0 ? 0 : 1);

/** Takes one file after the other from the list, each in a process of its own. */
async function lane(list: string[]): Promise<readonly Ran[]> {
  const results: Ran[] = [];
  for (let file = list.shift(); file !== undefined; file = list.shift()) {
    const start = performance.now();
    const ran = await runFile(file);
    results.push(ran);
    done += 1;
    if (isBrowser(file)) browsing -= 1;
    if (browsing === 0) rest();
    const took = Math.round((performance.now() - start) / 1000);
    console.log(`${ran.failures.length > 0 ? '✖' : '✔'} ${done}/${files.length} ${file}, ${took} s (${seconds()})`);
    for (const failure of ran.failures) console.log(failure);
  }
  return results;
}

/** A file that neither passes nor fails must not keep everybody waiting. */
async function runFile(file: string): Promise<Ran> {
  const found: string[] = [];
  let [good, left] = [0, 0];
  const signal = AbortSignal.timeout(isAll ? LONG_FILE_MS : FILE_MS);
  const stream = run({ files: [join(root, file)], concurrency: 1, timeout: 600_000, cwd: root, signal });
  stream.on('test:pass', ({ details, skip, name }) => {
    if (details.type === 'suite' || isFile(name)) return;
    if (skip === undefined) good += 1;
    else left += 1;
  });
  stream.on('test:fail', ({ details, name, todo }) => {
    if (details.type === 'suite' || todo !== undefined) return;
    const { cause, message } = details.error as Error & { cause?: unknown };
    found.push(`✖ ${file}: ${name}\n${indent(cause instanceof Error ? (cause.stack ?? message) : String(cause ?? message))}`);
  });
  stream.on('test:stderr', ({ message }) => process.stdout.write(message));
  for await (const _event of stream);
  return { file, passed: good, skipped: left, failures: found };
}

function isFile(name: string): boolean {
  return name.endsWith('.test.ts');
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
