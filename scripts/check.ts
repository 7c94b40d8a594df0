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

if (import.meta.main) {
  for (const check of checks) {
    const { name, passed, output } = await runCheck(check);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}`);
    if (!passed) {
      console.log(output);
      process.exitCode = 1;
    }
  }
}
