import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { ensureChromium } from '../test/browser/chromium.ts';
import { startPostgres } from '../test/postgres.ts';
import { checks, runCheck } from './check.ts';

/**
 * Everything that `npm test` runs: the static checks, then every test file in a process of its own, two at a time, beside one real
 * PostgreSQL server. Ends with the line `N passed, M failed`. Words on the command line select files: `npm test -- form lifecycle`.
 * Files that end in `.long.test.ts` take too long for every day: they run when a word selects them, and by `npm run assure`.
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

let passed = 0;
let skipped = 0;
let done = 0;
const broken = new Set<string>();
/** What failed, told once more at the end: whoever reads only the last lines of a long run must find it there. */
const failures: string[] = [];
const began = performance.now();
const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;

if (words.length === 0) {
  for (const check of checks) {
    const result = await runCheck(check);
    console.log(`${result.passed ? '✔' : '✖'} ${result.name} (${seconds()})`);
    if (result.passed) passed += 1;
    else fail(`✖ ${result.name}\n${result.output}`);
  }
}

if (files.some((file) => file.includes('browser'))) console.log(`${await ensureChromium()} (${seconds()})`);
const postgres = await startPostgres();
process.env.TEST_DATABASE_URL = postgres.url();
console.log(`PostgreSQL is up for the tests (${seconds()}); ${files.length} test files`);

const stream = run({ files: files.map((file) => join(root, file)), concurrency: 2, timeout: 600_000, cwd: root });
stream.on('test:pass', ({ details, skip, name }) => {
  if (details.type === 'suite' || isFile(name)) return;
  if (skip === undefined) passed += 1;
  else skipped += 1;
});
stream.on('test:fail', ({ file, details, name, todo }) => {
  if (details.type === 'suite' || todo !== undefined) return;
  broken.add(file ?? '');
  const { cause, message } = details.error as Error & { cause?: unknown };
  fail(`✖ ${relative(file)}: ${name}\n${indent(cause instanceof Error ? (cause.stack ?? message) : String(cause ?? message))}`);
});
stream.on('test:complete', ({ file, nesting, name, details }) => {
  if (nesting !== 0 || !isFile(name)) return;
  done += 1;
  const took = Math.round(details.duration_ms / 1000);
  console.log(`${broken.has(file ?? '') ? '✖' : '✔'} ${done}/${files.length} ${relative(name)}, ${took} s (${seconds()})`);
});
stream.on('test:stderr', ({ message }) => process.stdout.write(message));
for await (const _event of stream);

await postgres.stop();
if (words.length === 0 && passed < 200) {
  fail(`only ${passed} tests ran: the run is not what it should be`);
}
if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`);
process.exit(failures.length === 0 ? 0 : 1);

function fail(text: string): void {
  failures.push(text);
  console.log(text);
}

function isFile(name: string): boolean {
  return name.endsWith('.test.ts');
}

function relative(file: string | undefined): string {
  return (file ?? '').replace(`${root}/`, '');
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
