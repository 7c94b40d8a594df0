import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The checks that need no running program: types, lint and format, dead code. `npm test` runs them too. */
export const checks: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  { name: 'types', words: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'types of the widget', words: ['node_modules/typescript/bin/tsc', '-p', 'src/widget'] },
  { name: 'types of the back office', words: ['node_modules/typescript/bin/tsc', '-p', 'src/backoffice'] },
  { name: 'lint and format', words: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'promises', words: ['node_modules/oxlint/bin/oxlint', '--deny-warnings', 'src', 'test', 'bench', 'scripts'] },
  { name: 'dead code', words: ['node_modules/knip/bin/knip.js'] },
  { name: 'tidy', words: ['--test', '--test-reporter=dot', 'test/tidy.test.ts'] },
];

export type CheckResult = { readonly name: string; readonly passed: boolean; readonly output: string };

/** Runs one check and keeps what it said. */
export function runCheck({ name, words }: (typeof checks)[number]): Promise<CheckResult> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [...words], {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ name, passed: code === 0, output }));
  });
}

/** The checks whose names contain one of the words; all of them when there are none. */
export function checksNamed(words: readonly string[]): typeof checks {
  return words.length === 0 ? checks : checks.filter(({ name }) => words.some((word) => name.includes(word)));
}

/** `npm run check [-- word …]`: one after the other, and the first that fails ends it. */
if (import.meta.main) {
  const chosen = checksNamed(process.argv.slice(2));
  if (chosen.length === 0) {
    console.log(`No check has such a name. There are: ${checks.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  for (const check of chosen) {
    const began = performance.now();
    const { name, passed, output } = await runCheck(check);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
    if (passed) continue;
    console.log(`${output}\nRepeat it: npm run check -- '${name}'`);
    process.exit(1);
  }
}
