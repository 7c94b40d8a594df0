import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from '../test/assurance/table.ts';
import { chooseFiles, filesOfRows, summarise, tableText } from './testing/assurance.ts';
import { commitOf, missingFigures, readReported, recordFigures, reportersOf, wholeIds } from './testing/figures.ts';
import { readPassed } from './testing/passed.ts';
import { findTestFiles, readPlan } from './testing/plan.ts';

/**
 * `npm run assure [-- [--resume] [--only WORD…]]`: every test in its long form. Words are requirements (`R9`) or parts of paths. Files that
 * have passed are written down one by one; `--resume` leaves them out while the commit is the same. Figures of requirements whose files have
 * all passed go into `test/assurance/figures.json`, and the summary into `.cache/assure/summary.json`.
 */
const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache', 'assure');
const paths = {
  state: join(folder, 'passed'),
  figures: join(folder, 'figures'),
  files: join(folder, 'files'),
  summary: join(folder, 'summary.json'),
};

const words = process.argv.slice(2);
const onlyAt = words.indexOf('--only');
const only = onlyAt === -1 ? [] : words.slice(onlyAt + 1).filter((word) => word !== '--resume');
const isResumed = words.includes('--resume');
const options = onlyAt === -1 ? words : words.slice(0, onlyAt);
const unknown = options.find((word) => word !== '--resume');
if (unknown !== undefined || (onlyAt !== -1 && only.length === 0)) misuse(unknown ?? '--only needs words');

const plan = readPlan(root);
const all = findTestFiles(root);
const commit = commitOf(root);
const rows = filesOfRows(plan, all);
const wanted = chooseFiles(all, rows, only);
if (wanted.length === 0) misuse(`${only.join(' ')}: no requirement and no file`);

mkdirSync(folder, { recursive: true });
// A commit with changes beside it cannot be compared with another one.
const isComparable = isResumed && !commit.endsWith('+');
const before: ReadonlyMap<string, unknown> = isComparable ? readPassed(paths.state, commit) : new Map();
const files = wanted.filter((file) => !before.has(file));
// Files that run again report again.
const figuresBefore = isComparable ? readReported(paths.figures).filter(({ file }) => before.has(file)) : [];
writeFileSync(paths.figures, figuresBefore.map((figure) => `${JSON.stringify(figure)}\n`).join(''));
if (!isComparable) rmSync(paths.state, { force: true });
writeFileSync(paths.files, files.join('\n'));
if (before.size > 0) console.log(`${wanted.length - files.length} of ${wanted.length} files have passed at ${commit}`);

const code = files.length === 0 ? 0 : await runFiles();
const state = readPassed(paths.state, commit);
const figures = readReported(paths.figures);
const whole = wholeIds(reportersOf(plan, all), new Set(state.keys()));
recordFigures(root, { kind: 'long', commit, figures, whole });
const summary = summarise({ requirements, rows, wanted, state, figures });
writeFileSync(paths.summary, `${JSON.stringify({ commit, files: wanted.length, passed: state.size, rows: summary }, null, 2)}\n`);
console.log(`\n${tableText(summary)}\n`);
for (const missing of missingFigures(figures, whole, { root, isQuick: false })) console.log(`not reported: ${missing}`);
console.log(
  `${wanted.filter((file) => state.has(file)).length} of ${wanted.length} files passed; .cache/assure/summary.json. npm run docs writes the figures into docs/assurance.md.`,
);
process.exitCode = code;

/** Runs the files by the test runner, which prints its own progress and failures. */
async function runFiles(): Promise<number> {
  const env = {
    ...process.env,
    TEST_FIGURES: paths.figures,
    TEST_PASSED: paths.state,
    TEST_COMMIT: commit,
    ...(only.length > 0 || before.size > 0 ? { TEST_FILES_FROM: paths.files } : {}),
  };
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.ts'), '--all'], { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
}

function misuse(text: string): never {
  console.log(`${text}\nusage: npm run assure [-- [--resume] [--only WORD…]]`);
  process.exit(2);
}
