import { execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Results of unchanged files, reused by the next run. One folder per checkout, also where several share node_modules. */
const cache = join(root, 'node_modules', '.cache', 'turnpike', `checks-${hash('sha256', root).slice(0, 12)}`);

export type Check = {
  readonly name: string;
  readonly words: readonly string[];
  /** It checks each file by itself: by default those in `paths`, with `--changed` the changed files with these endings. */
  readonly byFile?: { readonly paths: readonly string[]; readonly endings: RegExp };
  /** It checks one program: with `--changed` it is left out if no changed file is in its folder or was read by its last run. */
  readonly program?: { readonly folder: string; wasRead(file: string): boolean };
};

const typesOf = (name: string, folder: string): Check => {
  const remembered = join(cache, `${name.replaceAll(' ', '-')}.tsbuildinfo`);
  // More checkers share the clock time, and each repeats a part of the work: the other check fills the second processor.
  const words = ['node_modules/typescript-7/bin/tsc', '-p', folder, '--checkers', '1'];
  return {
    name,
    words: [...words, '--incremental', '--tsBuildInfoFile', remembered],
    ...(folder !== '.' && { program: { folder, wasRead: (file) => readFiles(remembered)?.has(join(root, file)) ?? true } }),
  };
};

/** The files of the program that the compiler remembers; null if it has not run yet. */
function readFiles(remembered: string): ReadonlySet<string> | null {
  if (!existsSync(remembered)) return null;
  const { fileNames } = JSON.parse(readFileSync(remembered, 'utf8')) as { readonly fileNames: readonly string[] };
  return new Set(fileNames.map((name) => join(cache, name)));
}

/** The checks that need no running program: types, lint and format, dead code. `npm test` runs them too. The longest comes first. */
export const checks: readonly Check[] = [
  typesOf('types', '.'),
  {
    name: 'promises',
    words: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
    byFile: { paths: ['src', 'test', 'bench', 'scripts'], endings: /^(?:src|test|bench|scripts)\/.*\.tsx?$/ },
  },
  { name: 'tidy', words: ['--test', '--test-reporter=dot', 'test/tidy.test.ts'] },
  { name: 'dead code', words: ['node_modules/knip/bin/knip.js', '--cache', '--cache-location', join(cache, 'knip')] },
  {
    name: 'lint and format',
    words: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched'],
    byFile: { paths: [], endings: /\.(?:[cm]?[jt]sx?|jsonc?|css)$/ },
  },
  typesOf('types of the widget', 'src/widget'),
  typesOf('types of the back office', 'src/backoffice'),
];

/** The compiler lives for seconds: it collects garbage only when its memory is ten times that in use, for a third less work. */
const env = { ...process.env, GOGC: '1000' };

export type CheckResult = { readonly name: string; readonly passed: boolean; readonly output: string; readonly ms: number };

/** Runs one check and captures its output. */
function runCheck({ name, words, byFile }: Check, signal?: AbortSignal): Promise<CheckResult> {
  const began = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, [...words, ...(byFile?.paths ?? [])], {
      cwd: root,
      env,
      stdio,
      ...(signal && { signal }),
    });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => resolve({ name, passed: code === 0, output, ms: performance.now() - began }));
  });
}

/** Runs checks two at a time and reports each as it ends. When `onResult` returns false, no further result is reported. */
export async function runChecks(list: readonly Check[], onResult: (result: CheckResult) => boolean): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const open = [...list];
  const ending = new AbortController();
  const work = async (): Promise<void> => {
    for (let check = open.shift(); check; check = open.shift()) {
      const result = await runCheck(check, ending.signal);
      if (ending.signal.aborted) return;
      if (!onResult(result)) ending.abort();
    }
  };
  await Promise.all([work(), work()]);
}

/** The checks for these files alone. Checks that need the whole program stay, because a change of a type breaks another file. */
export const forFiles = (list: readonly Check[], files: readonly string[]): readonly Check[] =>
  list.flatMap((check) => {
    const { program } = check;
    if (program && !files.some((file) => file.startsWith(`${program.folder}/`) || isOfAllPrograms(file) || program.wasRead(file)))
      return [];
    if (!check.byFile) return check;
    const { endings } = check.byFile;
    const paths = files.filter((file) => endings.test(file));
    return paths.length === 0 ? [] : { ...check, byFile: { paths, endings } };
  });

/** Settings and packages. */
const isOfAllPrograms = (file: string): boolean => /^(?:tsconfig|package|package-lock)\.json$/.test(file);

/** The files that differ from a commit, and new files that git does not know yet. */
export function changedSince(commit: string, folder = root): readonly string[] {
  const git = (command: string, ...words: readonly string[]) =>
    execFileSync('git', [command, '-z', ...words], { cwd: folder, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
  return [...git('diff', '--name-only', '--diff-filter=d', commit, '--'), ...git('ls-files', '--others', '--exclude-standard')];
}

const CHANGED = /^--changed(?:=(.+))?$/;

/**
 * `npm run check [-- word …]`: runs the checks with a word in their names, or all, and stops at the first failure. With
 * `--changed` for the files that differ from HEAD alone, with `--changed=main` for the files that differ from another commit.
 */
async function main(given: readonly string[]): Promise<number> {
  const words = given.filter((word) => !CHANGED.test(word));
  const changed = given.map((word) => CHANGED.exec(word)).find((match) => match !== null);
  const wanted = changed ? forFiles(checks, changedSince(changed[1] ?? 'HEAD')) : checks;
  const chosen = wanted.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) {
    console.log(`No check has such a name. There are: ${checks.map(({ name }) => name).join(', ')}.`);
    return 2;
  }
  let code = 0;
  await runChecks(chosen, ({ name, passed, output, ms }) => {
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}, ${(ms / 1000).toFixed(1)} s`);
    if (!passed) {
      console.log(`${output}\nRepeat it: npm run check -- '${name}'`);
      code = 1;
    }
    return passed;
  });
  return code;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
